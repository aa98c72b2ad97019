"""Put a folder of files in place in one step: whoever looks, at any moment, finds the old folder or the new one whole.

The new files are written and synced in a hidden sibling, which then trades places with the old folder. Files in the
old folder that are not ours are carried over, never deleted. What a killed writer leaves is swept up by the next one.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import secrets
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_STAGED, _ASIDE = "new", "old"
_EXCHANGE_LINUX = 2  # RENAME_EXCHANGE of renameat2(2)
_AT_FDCWD = -100


def replace_folder(folder: Path, files: Mapping[str, bytes], *, ours: Collection[str]) -> None:
    """Make `folder` hold `files` (name -> content); of what it held before, names in `ours` go and all others stay.

    A name may lead into a folder of one level, "inside/file"; where "inside" is in `ours`, all of it goes.
    """
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    sweep(folder, ours=ours)
    with _staging(folder) as staged:
        try:
            for name, content in files.items():
                (staged / name).parent.mkdir(exist_ok=True)
                _write_synced(staged / name, content)
            for written in {(staged / name).parent for name in files} | {staged}:
                _sync_folder(written)
            _put_in_place(staged, folder)
            _sync_folder(folder.parent)
        finally:
            _clear(staged, folder, ours)  # now the old folder, or what an error left of the new one


def sweep(folder: Path, *, ours: Collection[str]) -> None:
    """Finish what killed writers of `folder` began: restore a folder moved aside, clear siblings that nobody holds."""
    folder = folder.absolute()
    for aside in _siblings(folder, _ASIDE):
        with suppress(FileNotFoundError), _locked(aside):  # waits for a writer between its two renames
            if not folder.exists():
                aside.rename(folder)
            else:
                _clear(aside, folder, ours)
    for staged in _siblings(folder, _STAGED):
        with suppress(FileNotFoundError, BlockingIOError), _locked(staged, wait=False):
            _clear(staged, folder, ours)


def exchange(first: Path, second: Path) -> bool:
    """Let two folders trade places in one step; False where the system or its file system cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and hasattr(libc, "renameat2"):
        code = libc.renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _EXCHANGE_LINUX)
    else:
        return False
    if code == 0:
        return True
    cause = ctypes.get_errno()
    if cause in (errno.EINVAL, errno.ENOSYS, errno.EPERM, errno.ENOTSUP):
        return False
    raise OSError(cause, os.strerror(cause), str(second))


def _put_in_place(staged: Path, folder: Path) -> None:
    if not folder.exists():
        staged.rename(folder)
    elif not exchange(staged, folder):
        aside = folder.parent / (_prefix(folder, _ASIDE) + secrets.token_hex(8))
        with _locked(folder):
            folder.rename(aside)  # a reader that finds no folder waits on this lock
            staged.rename(folder)
            aside.rename(staged)


def _clear(leftover: Path, folder: Path, ours: Collection[str]) -> None:
    """Remove our files from `leftover`, move all others into `folder`, and remove it once it is empty."""
    with suppress(FileNotFoundError):
        for entry in sorted(leftover.iterdir()):
            if entry.name in ours and entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name in ours:
                entry.unlink(missing_ok=True)
            elif folder.is_dir() and not (folder / entry.name).exists():
                entry.rename(folder / entry.name)
    with suppress(OSError):  # a name that exists on both sides stays where it is
        leftover.rmdir()


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A new empty hidden sibling of `folder`, held by this process."""
    while True:
        staged = folder.parent / (_prefix(folder, _STAGED) + secrets.token_hex(8))
        staged.mkdir()
        with suppress(FileNotFoundError), _locked(staged):
            if staged.exists():  # else another writer swept it up before it was held
                yield staged
                return


@contextmanager
def _locked(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold a lock on a folder that ends with this process at the latest."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _siblings(folder: Path, kind: str) -> list[Path]:
    prefix = _prefix(folder, kind)
    if not folder.parent.is_dir():
        return []
    return sorted(p for p in folder.parent.iterdir() if p.name.startswith(prefix) and p.is_dir())


def _prefix(folder: Path, kind: str) -> str:
    return f".{folder.name}.reenact-{kind}-"
