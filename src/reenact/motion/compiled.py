"""The compiler for inner loops: numba with the cache on disk and Python's lock released."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The same function as machine code, compiled at its first call and kept on disk for later processes."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
