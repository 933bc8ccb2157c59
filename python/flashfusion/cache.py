# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What has been compiled, kept on disk: safe under kill, shared by processes.

An entry is a folder of files under a key. It is written beside its place and
renamed, so that it is there as a whole or not at all; whoever makes one holds a
lock that ends with its process, and others wait for the result instead of
making it twice. Nothing is ever changed in place, so that readers need no lock.

    $FLASHFUSION_CACHE_DIR, else $XDG_CACHE_HOME/flashfusion, else ~/.cache/flashfusion
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Callable, Dict, Iterator, Optional, Union

try:
    import fcntl
except ImportError:  # no such locks here: at worst something is made twice
    fcntl = None  # type: ignore[assignment]


def directory() -> Path:
    """Where the cache is; read from the environment at every call."""
    own = os.environ.get("FLASHFUSION_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "flashfusion"


def key_of(*parts: Union[str, bytes]) -> str:
    """A key that depends on every part and on where one ends and the next begins."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def find(key: str) -> Optional[Path]:
    """The folder of an entry, or None."""
    path = _place(key)
    return path if path.is_dir() else None


def get(key: str, make: Callable[[], Dict[str, bytes]]) -> Path:
    """The folder of the entry `key`. If there is none, `make` gives its files, once
    for all processes that ask at the same time; what it raises is passed on and
    nothing is kept. OSError if the cache cannot be written."""
    path = _place(key)
    if path.is_dir():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with _lock(path.with_suffix(".lock")):
        if path.is_dir():  # by another process, meanwhile
            return path
        files = make()
        temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=path.parent))
        try:
            for name, data in files.items():
                with open(temporary / name, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            temporary.chmod(0o755)
            try:
                os.rename(temporary, path)
            except OSError:
                if not path.is_dir():  # else somebody without locks was faster
                    raise
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return path


def clear() -> int:
    """Deletes every entry and what killed processes left; returns how many entries.
    Running programs keep what they have loaded."""
    count = 0
    for shelf in directory().glob("v1/??"):
        for path in list(shelf.iterdir()):
            if path.is_dir():
                count += not path.name.startswith(".")
                shutil.rmtree(path, ignore_errors=True)
    return count


def _place(key: str) -> Path:
    return directory() / "v1" / key[:2] / key


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Held by one process at a time; the lock of a killed process is free."""
    if fcntl is None:
        yield
        return
    with open(path, "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield
