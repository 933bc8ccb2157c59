# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and runs the compiler that travels with the package (ff-compile)."""

import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence

from . import __version__


class CompileError(RuntimeError):
    """The compiler refused a program. The text is its diagnostics, with positions
    in the source; `remarks` what it had decided by then."""

    def __init__(self, message: str, remarks: Sequence[Dict[str, Any]] = ()) -> None:
        super().__init__(message)
        self.remarks = list(remarks)


class CompilerMissing(RuntimeError):
    """There is no compiler: the package was not built with one."""


class Compiled(NamedTuple):
    data: bytes
    remarks: List[Dict[str, Any]]


@functools.lru_cache(maxsize=None)
def folder() -> Path:
    """Where ff-compile and its library are: $FLASHFUSION_COMPILER (a folder), else in
    the package, else beside an ff-compile on the PATH. CompilerMissing."""
    places = [Path(__file__).parent / "_bin"]
    own = os.environ.get("FLASHFUSION_COMPILER")
    if own:
        places = [Path(own)]
    else:
        found = shutil.which("ff-compile")
        if found:
            places.append(Path(os.path.realpath(found)).parent)
    for place in places:
        if (place / "ff-compile").is_file() and (place / "libFlashFusionCompiler.so").is_file():
            return place
    raise CompilerMissing(
        "the FlashFusion compiler is not here (looked in "
        + ", ".join(map(str, places)) + "); build the project and set FLASHFUSION_COMPILER to "
        "the folder build/compiler, or install a wheel made by tools/wheel.sh")


@functools.lru_cache(maxsize=None)
def identity() -> str:
    """Changes whenever the compiler does: part of every key of the cache."""
    status = (folder() / "libFlashFusionCompiler.so").stat()
    return f"{__version__}:{status.st_size}:{status.st_mtime_ns}"


def compile(source: bytes, target: str, options: Dict[str, Any], pipeline: str = "") -> Compiled:
    """Runs ff-compile on MLIR text or bytecode. CompileError with its diagnostics."""
    text = " ".join(f"{name}={_text(value)}" for name, value in options.items())
    with tempfile.TemporaryDirectory(prefix="flashfusion-") as work:
        output, remarks = os.path.join(work, "out"), os.path.join(work, "remarks")
        command = [str(folder() / "ff-compile"), "-", f"--target={target}", f"-o={output}",
                   f"--remarks={remarks}"]
        if text:
            command.append(f"--options={text}")
        if pipeline:
            command.append(f"--pipeline={pipeline}")
        done = subprocess.run(command, input=source, capture_output=True)
        decided: List[Dict[str, Any]] = []
        if os.path.exists(remarks):
            with open(remarks, encoding="utf-8") as file:
                decided = [json.loads(line.replace("<stdin>", "<mlir>")) for line in file]
        if done.returncode:
            message = done.stderr.decode(errors="replace").replace("<stdin>", "<mlir>").strip()
            if done.returncode < 0:
                message = (f"the compiler died of signal {-done.returncode}: please report this "
                           f"program\n{message}")
            for remark in decided:
                if remark["outcome"] == "Missed" and "reason" in remark["args"]:
                    message += (f"\nnot fused: {remark['args']['reason']} ({remark['category']}) "
                                f"at {remark['location']}")
            raise CompileError(message or "the compiler failed without a word", decided)
        return Compiled(Path(output).read_bytes(), decided)


def run_tool(arguments: Sequence[str], source: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Runs ff-run (docs/ff-run.md) on MLIR text."""
    return subprocess.run([str(folder() / "ff-compile"), "run", "-", *arguments], input=source,
                          capture_output=True)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
