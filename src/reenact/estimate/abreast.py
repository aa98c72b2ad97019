"""Parts of a search side by side on threads: its compiled code lets go of Python's lock while it runs.

Results come in the order of the parts, whichever is done first, so they do not depend on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event, Lock
from typing import TypeVar

Result = TypeVar("Result")
Tell = Callable[[float], None]


class _StoppedError(Exception):
    """Another part was stopped."""


def abreast(parts: Sequence[Callable[[Tell], Result]], tell: Tell, threads: int) -> list[Result]:
    """The results of all parts; each tells how far it is, 0 … 1, and `tell` hears how far all are.

    What stops one of them, or the one who waits, stops the others where they next tell how far they are.
    """
    if threads < 2 or len(parts) < 2:
        return [part(partial(_shared, tell, i, len(parts))) for i, part in enumerate(parts)]
    done, lock, stop = [0.0] * len(parts), Lock(), Event()

    def heard(which: int, fraction: float) -> None:
        if stop.is_set():
            raise _StoppedError
        with lock:
            done[which] = fraction
            tell(sum(done) / len(done))

    with ThreadPoolExecutor(min(threads, len(parts))) as pool:
        futures = [pool.submit(part, partial(heard, i)) for i, part in enumerate(parts)]
        try:
            return [future.result() for future in futures]
        except BaseException:
            stop.set()
            for future in futures:
                future.cancel()
            raise


def _shared(tell: Tell, which: int, count: int, fraction: float) -> None:
    tell((which + fraction) / count)
