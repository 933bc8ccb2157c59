# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flashfusion.compile: from MLIR to something that is called with arrays."""

import json
import os
import platform
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from . import _compiler, cache
from .host import HostProgram
from .runtime import driver
from .runtime import load as load_bundle
from .runtime.program import Program as BundleProgram

#: Options of ff-to-ptx and ff-to-cpu (`ff-opt --help` explains them) by target.
_OPTIONS = {"cuda": ("family", "tf32", "plain-linears", "tuning", "batch-invariant"),
            "cpu": ("rounding", "fuse")}


def compile(source: Union[str, bytes, "os.PathLike[str]"], *, target: Optional[str] = None,
            chip: Optional[str] = None, use_cache: bool = True, dependent_launch: bool = False,
            allow_packed: Union[bool, str] = True, **options: Any) -> "Program":
    """Compiles a module of linalg (or ff) operations on tensors.

    source: the path of a file, MLIR text (anything with a newline in it), or bytecode.
    target: "cuda" or "cpu" compiles now. By default the arrays of a call decide,
        and that call compiles.
    chip: GPU to compile for ("sm_80", "sm_90a", ..); by default that of the arrays'
        device, or for target="cuda" of device 0.
    use_cache: keep the result on disk and look for it there (flashfusion.cache).
    dependent_launch, allow_packed: see flashfusion.runtime.Program.
    options: of the compiler, with _ for -: family="decode" | "prefill" | "simt", tf32=True,
        plain_linears=True, batch_invariant=True and tuning="table.json" for GPUs;
        rounding="strict" for the host.

    Raises CompileError with the compiler's diagnostics (at the first call without a
    target), CompilerMissing without a compiler, OSError if the file cannot be read,
    TypeError for an option that there is not.

        program = flashfusion.compile("model.mlir")
        y = program(x, w)            # torch CUDA tensors, cupy or numpy arrays
    """
    if target not in (None, "cuda", "cpu"):
        raise ValueError(f"target must be 'cuda', 'cpu' or None, not {target!r}")
    program = Program(_read(source), chip, use_cache,
                      {"dependent_launch": dependent_launch, "allow_packed": allow_packed},
                      _split_options(options))
    if target == "cpu":
        program.host()
    elif target == "cuda":
        program.bundle(chip or driver.chip_of(0))
    return program


class Program:
    """A compiled module. Calling it calls its function, if it has one only;
    `program["name"]` is the function of that name. Thread-safe."""

    def __init__(self, source: bytes, chip: Optional[str], use_cache: bool,
                 runtime: Dict[str, Any], options: Dict[str, Dict[str, Any]]) -> None:
        self.source = source
        self._chip, self._use_cache, self._runtime = chip, use_cache, runtime
        self._options = options
        self._bundles: Dict[str, BundleProgram] = {}
        self._host: Optional[HostProgram] = None
        self._remarks: Dict[str, List[Dict[str, Any]]] = {}
        self._lock = threading.RLock()

    def __call__(self, *args: Any, out: Any = None, **options: Any) -> Any:
        """Runs the module's only function on arrays, and returns its result (a tuple
        if there are several).

        args: one per argument of the source function, all of one kind: torch CUDA tensors or
            cupy arrays (on the current stream; see flashfusion.runtime.Function, which
            also takes `stream` and `dependent_launch`), or numpy arrays or torch CPU
            tensors. Contiguous, of the function's types and shapes; numbers for scalars.
        out: the array, or list of arrays, to write results to.
        TypeError, ValueError for arguments that do not fit, CompileError, CudaError;
        RuntimeError for an assertion of the program that does not hold."""
        return self._call(None, args, out, options)

    def __getitem__(self, name: str) -> "Function":
        return Function(self, name)

    def __repr__(self) -> str:
        with self._lock:
            programs: List[Any] = [*self._bundles.values(), *([self._host] if self._host else [])]
            for program in programs:
                names = (program.bundle.functions if isinstance(program, BundleProgram)
                         else program.functions)
                return "\n".join(repr(program[name]) for name in names)
        return "<flashfusion.Program, not compiled yet>"

    def host(self) -> HostProgram:
        """The program for the host, compiled if need be."""
        with self._lock:
            if self._host is None:
                data = self._compiled("cpu", self._options["cpu"], "program.ffh", _host_name())
                self._host = HostProgram(data.read_bytes())
            return self._host

    def bundle(self, chip: Optional[str] = None) -> BundleProgram:
        """The program for a GPU, compiled if need be."""
        chip = chip or self._chip or driver.chip_of(0)
        with self._lock:
            if chip not in self._bundles:
                options = {"chip": chip, **self._options["cuda"]}
                path = self._compiled("cuda", options, "program.ffb", chip)
                self._bundles[chip] = load_bundle(path, **self._runtime)
            return self._bundles[chip]

    def remarks(self) -> List[Dict[str, Any]]:
        """What the compiler decided, of the targets compiled so far: dicts with outcome
        ("Passed", "Missed"), category, name, function, location, args (docs/detection.md)."""
        return [r for remarks in self._remarks.values() for r in remarks]

    def repack(self) -> None:
        """See flashfusion.runtime.Program.repack."""
        for program in self._bundles.values():
            program.repack()

    def _call(self, name: Optional[str], args: Sequence[Any], out: Any,
              options: Dict[str, Any]) -> Any:
        device = _device_of(args)
        program: Any
        if device is None:
            if options:
                raise TypeError(f"{', '.join(options)}: only for arrays on a GPU")
            program = self.host()
        else:
            program = self.bundle(self._chip or driver.chip_of(device))
        function = program.only() if name is None else program[name]
        return function(*args, out=out, **options)

    def _compiled(self, target: str, options: Dict[str, Any], name: str, machine: str) -> Path:
        files: Dict[str, bytes] = {}

        def make() -> Dict[str, bytes]:
            made = _compiler.compile(self.source, target, options)
            about = {"target": target, "machine": machine, "options": options,
                     "compiler": _compiler.identity()}
            files.update({name: made.data, "remarks.json": json.dumps(made.remarks).encode(),
                          "about.json": json.dumps(about, indent=1).encode()})
            return files

        tuning = options.get("tuning")
        table = Path(tuning).read_bytes() if tuning else b""
        key = cache.key_of(self.source, target, machine, repr(sorted(options.items())), table,
                           _compiler.identity())
        try:
            folder = cache.get(key, make) if self._use_cache else _keep(self, make())
        except OSError:  # no place to keep it
            folder = _keep(self, files or make())
        self._remarks[machine] = json.loads((folder / "remarks.json").read_text())
        return folder / name


class Function(NamedTuple):
    """One function of a program; called like Program."""
    program: Program
    name: str

    def __call__(self, *args: Any, out: Any = None, **options: Any) -> Any:
        return self.program._call(self.name, args, out, options)


class Verification(NamedTuple):
    """What `verify` found: `ok` says whether the accuracy contract is met; `report` is
    what ff-run printed, errors per result and what went wrong."""
    ok: bool
    report: str


def verify(source: Union[str, bytes, "os.PathLike[str]"], *, target: str = "cpu",
           shapes: Optional[Dict[int, Sequence[int]]] = None, seed: int = 0,
           entry: Optional[str] = None, rows: str = "random", **options: Any) -> Verification:
    """Compiles a module, runs it on random arguments, and compares every result with the
    program as written and with float64, by the accuracy contract (docs/numerics.md).

    shapes: extents of arguments by their number; what nothing decides is 8.
    rows: "random", or "hard" for rows that norms find hard.
    options: rounding="strict"; for target="cuda" chip, family, tf32."""
    arguments = [f"--target={target}", "--verify", f"--seed={seed}", f"--rows={rows}"]
    arguments += [f"--shape=arg{i}:{'x'.join(map(str, s))}" for i, s in (shapes or {}).items()]
    if entry:
        arguments.append(f"--entry={entry}")
    arguments += [f"--{n.replace('_', '-')}={str(v).lower() if isinstance(v, bool) else v}"
                  for n, v in options.items()]
    done = _compiler.run_tool(arguments, _read(source))
    return Verification(done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace"))


def _read(source: Union[str, bytes, "os.PathLike[str]"]) -> bytes:
    if isinstance(source, bytes):
        return source
    if isinstance(source, str) and "\n" in source:
        return source.encode()
    return Path(source).read_bytes()


def _split_options(options: Dict[str, Any]) -> Dict[str, Dict[str, Any]]:
    split: Dict[str, Dict[str, Any]] = {"cuda": {}, "cpu": {}}
    for name, value in options.items():
        flag = name.replace("_", "-")
        targets = [t for t, known in _OPTIONS.items() if flag in known]
        if not targets:
            known = sorted({n.replace("-", "_") for names in _OPTIONS.values() for n in names})
            raise TypeError(f"no option {name!r}; there are {', '.join(known)}")
        for target in targets:
            split[target][flag] = os.path.abspath(value) if flag == "tuning" else value
    return split


def _keep(owner: Program, files: Dict[str, bytes]) -> Path:
    """Files of a program that is not cached, until it ends."""
    import tempfile
    folder = tempfile.TemporaryDirectory(prefix="flashfusion-")
    owner.__dict__.setdefault("_folders", []).append(folder)
    for name, data in files.items():
        (Path(folder.name) / name).write_bytes(data)
    return Path(folder.name)


def _device_of(args: Sequence[Any]) -> Optional[int]:
    """The device of the first array on a GPU; None for arrays of the host."""
    torch = sys.modules.get("torch")
    for value in args:
        if torch is not None and isinstance(value, torch.Tensor):
            if value.is_cuda:
                return int(value.device.index)
        elif hasattr(value, "__cuda_array_interface__"):
            address = value.__cuda_array_interface__["data"][0]
            return driver.device_of(address) if address else 0
    return None


def _host_name() -> str:
    """This processor: objects are compiled for exactly it."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = [line for line in file.read().split("\n\n")[0].splitlines()
                     if line.split(":")[0].strip() in ("model name", "flags", "Features")]
    except OSError:
        lines = []
    return cache.key_of(platform.machine(), *lines)[:16]
