"""Parts of a search on threads: results in order, progress of all together, and one that fails stops the others."""

from __future__ import annotations

import time

import pytest

from reenact.errors import InputError
from reenact.estimate.abreast import Tell, abreast


def _part(name: str, seconds: float) -> str:
    time.sleep(seconds)
    return name


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_parts(threads: int) -> None:
    heard: list[float] = []

    def part(i: int) -> str:
        return _part("abc"[i], 0.02 * (3 - i))

    def work(i: int, tell: Tell) -> str:
        tell(0.5)
        found = part(i)
        tell(1.0)
        return found

    parts = [lambda tell, i=i: work(i, tell) for i in range(3)]
    assert abreast(parts, heard.append, threads) == ["a", "b", "c"]
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1.0)


def test_one_that_fails_stops_the_others() -> None:
    reached: list[int] = []

    def endless(tell: Tell) -> None:
        for i in range(1000):
            tell(0.001 * i)
            reached.append(i)
            time.sleep(0.01)

    def failing(tell: Tell) -> None:
        time.sleep(0.05)
        raise InputError("no more")

    with pytest.raises(InputError, match="no more"):
        abreast([failing, endless], lambda fraction: None, 2)
    assert len(reached) < 500
