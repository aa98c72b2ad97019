"""Linear algebra on one thread, so that its last digits do not depend on how many there are.

Libraries of linear algebra share a product or a decomposition out among threads, and sum in another order with each
number of them. The environment (OPENBLAS_NUM_THREADS) counts only before NumPy is imported, too early for a library.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy  # noqa: F401
import scipy.linalg  # noqa: F401  (both bring a library of their own, which is found once it is loaded)
from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_held: dict[str, tuple[int, int]] = {}  # by library: how many contexts hold it, and its threads before the first


def libraries() -> Sequence[Any]:
    """Those of linear algebra that this process has loaded by now; to look for them takes some milliseconds.

    OpenBLAS, MKL and BLIS are found. Apple's Accelerate is not: it has no such setting.
    """
    found: Sequence[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return found


@contextmanager
def one_thread(which: Sequence[Any] | None = None) -> Iterator[None]:
    """One thread in each library for as long as the context lasts, whoever else asks for the same meanwhile.

    which: from `libraries`, for those who enter often; all that are loaded unless said. Threads are a setting of the
    whole process, so other work in it has one as well; the last to leave sets back what the first one found.
    """
    chosen = libraries() if which is None else which
    with _lock:
        for library in chosen:
            holders, before = _held.get(library.filepath, (0, library.num_threads))
            if not holders:
                library.set_num_threads(1)
            _held[library.filepath] = holders + 1, before
    try:
        yield
    finally:
        with _lock:
            for library in chosen:
                holders, before = _held.pop(library.filepath)
                if holders > 1:
                    _held[library.filepath] = holders - 1, before
                else:
                    library.set_num_threads(before)
