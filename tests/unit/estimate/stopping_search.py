"""A tiny search for a state machine, and one that is stopped after some events."""

from __future__ import annotations

from collections.abc import Iterator

from reenact.estimate.states.search import Progress
from reenact.estimate.states.settings import Settings
from reenact.estimate.walking.search import search

TINY = Settings(growth=24, rounds=1, whole_rounds=1, samples=6, reopened=(1,), beam=1, seed=3)


class Stopping:
    """Stands in for `search`, and ends as by Ctrl-C."""

    def __init__(self, events: int) -> None:
        self.events = events

    def __call__(self, *arguments: object) -> Iterator[Progress]:
        for number, event in enumerate(search(*arguments)):  # type: ignore[arg-type]
            yield event
            if number + 1 == self.events:
                raise KeyboardInterrupt
