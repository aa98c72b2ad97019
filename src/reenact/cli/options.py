"""Options of a command, read by tyro; a number that is none is said in a line of our own."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any, Final

import tyro

from reenact.errors import InputError

CONFIG: Final = (tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes)
_NO_SUCH: Final = re.compile(
    r"Error parsing (--?[\w-]+).*?: no type matching (.+?) could be instantiated from \[(.*?)\]\."
)
_NUMBERS: Final = {"FLOAT": "a number like 1.68", "INT": "a whole number"}
_FRAME: Final = str.maketrans("╭╮╰╯│─", "      ")


def parsed(command: Callable[..., Any], name: str, arguments: list[str]) -> Callable[[], Any]:
    """The command with its options, to be called; `name` as the user types it."""

    @functools.wraps(command)
    def later(*values: Any, **options: Any) -> Callable[[], Any]:
        return functools.partial(command, *values, **options)

    def read() -> Callable[[], Any]:
        made: Callable[[], Any] = tyro.cli(later, prog=name, args=arguments, config=CONFIG)
        return made

    said = io.StringIO()
    try:
        with redirect_stderr(said):
            return read()
    except SystemExit as end:
        if end.code in (0, None):
            raise
        refuse_odd_number(said.getvalue())
    return read()  # once more, for what tyro says of it to be seen as it is


def refuse_odd_number(said: str) -> None:
    """Raise an error of our own where tyro says that an option's value is no number."""
    found = _NO_SUCH.search(" ".join(said.translate(_FRAME).split()))
    if found is None:
        return
    option, kinds, given = found.groups()
    wanted = [words for kind, words in _NUMBERS.items() if kind in kinds.split("|")]
    if wanted:
        raise InputError(f"{option} is {given}, expected {wanted[0]}")
