"""The search of a state machine on disk, so that a killed one goes on where it was, to the same bits.

All of it is one file, `state.json`, replaced in one step: the plan, what was spent, and the last event of the search.
What a killed search had done since is done again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from reenact.errors import InputError
from reenact.estimate.exact_json import dumps, loads
from reenact.estimate.kept import STATE, Left, Pace, clear, read_state
from reenact.estimate.plan import hindrance
from reenact.estimate.spent import Spent
from reenact.estimate.states.search import Progress
from reenact.formats.replace_file import replace_file

FORMAT = "reenact-states"


class _State(msgspec.Struct, frozen=True):
    """What state.json holds."""

    format: str
    plan: dict[str, Any]  # what the search depends on; another plan cannot go on with it
    spent: Spent
    progress: str  # see `exact_json`


class Checkpoint:
    """A folder that follows a search. The plan tells searches apart."""

    def __init__(self, folder: Path | str, plan: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self._plan: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
        self._pace = Pace()
        self.spent = Spent()  # before this run

    def left(self) -> Left | None:
        """What is there to go on with, None where there is nothing."""
        state = self._state()
        return None if state is None else Left(spent=state.spent, hindrance=hindrance(state.plan, self._plan))

    def load(self) -> Progress | None:
        """The search as it was left, None where there is none; another plan's is refused."""
        state = self._state()
        if state is None:
            return None
        if why := hindrance(state.plan, self._plan):
            raise InputError(why, path=self.folder / STATE)
        try:
            progress = loads(state.progress)
        except InputError as error:
            raise InputError(f"the search {error.cause}", path=self.folder / STATE) from None
        if not isinstance(progress, Progress):
            raise InputError(f"holds a {type(progress).__name__}, no search", path=self.folder / STATE)
        self.spent = state.spent
        return progress

    def follow(self, progress: Progress, spent: Spent) -> None:
        """Save where it is time to."""
        self._pace.save(lambda: self.save(progress, spent))

    def save(self, progress: Progress, spent: Spent) -> None:
        """Bring the folder up to an event of a search."""
        state = _State(format=FORMAT, plan=self._plan, spent=spent, progress=dumps(progress))
        replace_file(self.folder / STATE, msgspec.json.encode(state))

    def remove(self) -> None:
        """Clear the folder of what a checkpoint puts there; other files stay."""
        clear(self.folder)

    def _state(self) -> _State | None:
        return read_state(self.folder, FORMAT, _State)
