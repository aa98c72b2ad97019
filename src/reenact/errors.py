"""What can go wrong, as one tree: the command line prints these as a single line, everything else is a bug."""

from __future__ import annotations

from pathlib import Path


class ReenactError(Exception):
    """Base of every error that a user can cause and mend."""


class InputError(ReenactError):
    """A file or a value from outside that cannot be used; says where, what was got and what was expected."""

    def __init__(self, cause: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        place = "" if path is None else f"{path}:{line}: " if line is not None else f"{path}: "
        super().__init__(place + cause)
        self.cause = cause
        self.path = path
        self.line = line


class BodyError(InputError):
    """A body description that does not hold together."""


class WorldError(InputError):
    """A world description that does not hold together."""


class FitError(ReenactError):
    """A clip that cannot be put on a body."""


class MissingExtraError(ReenactError):
    """An optional part of the installation is needed and absent."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the extra '{extra}': {install(extra)}")
        self.extra = extra


def install(extra: str) -> str:
    """The command that installs an optional part, as every advice gives it."""
    return f"pip install 'reenact[{extra}]'"
