"""A search on disk, so that a killed one goes on where it was.

Every save adds one file, `part-….npz`: the visits to sampling steps since the last one, and the guide. `state.json`
says how far the search is and which part holds what is needed of each step, and is replaced last, in one step. Parts of
which nothing is needed are removed; whatever else is there is a leftover. What a killed search had done since the last
save is done again, to the same bits.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.estimate.kept import STATE, Left, Pace, clear, read_state
from reenact.estimate.plan import hindrance
from reenact.estimate.sampling.learning import MEMORY, Known
from reenact.estimate.sampling.response import Tried
from reenact.estimate.sampling.so_far import Search
from reenact.estimate.sampling.tree import Layer
from reenact.estimate.spent import Spent
from reenact.formats.replace_file import replace_file

FORMAT = "reenact-search"
_LAYER = ("parent", "displacement", "state", "cost", "total")
_TRIED = ("start", "displacement", "end", "cost")


class _State(msgspec.Struct, frozen=True):
    """What state.json holds."""

    format: str
    plan: dict[str, Any]  # what the search depends on; another plan cannot go on with it
    done: int
    sweep: int
    lead: int
    rewinds: int
    lost_at: int
    tries: int
    visits: list[int]  # to each sampling step
    forgotten: list[int]  # of them
    homes: list[list[int]]  # numbers of the parts that hold the last visits to each, oldest first
    part: int  # number of the last one, which holds the guide
    spent: Spent


class Checkpoint:
    """A folder that follows a search. The plan tells searches apart."""

    def __init__(self, folder: Path | str, plan: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self._plan: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
        self._visits: list[int] = []  # to each sampling step, as saved so far
        self._homes: list[list[int]] = []
        self._part = 0
        self._pace = Pace()
        self.spent = Spent()  # before this run

    def left(self) -> Left | None:
        """What is there to go on with, None where there is nothing."""
        state = self._state()
        return None if state is None else Left(spent=state.spent, hindrance=hindrance(state.plan, self._plan))

    def load(self, start: Search) -> Search | None:
        """The search as it was left, None where there is none; another plan's is refused. start: one not begun."""
        state = self._state()
        if state is None:
            return None
        if why := hindrance(state.plan, self._plan):
            raise InputError(why, path=self.folder / STATE)
        self._visits, self._homes = list(state.visits), [list(home) for home in state.homes]
        self._part, self.spent = state.part, state.spent
        parts = _Parts(self.folder)
        guide = parts.read(state.part, ("guide",))["guide"]
        steps = list(zip(state.visits, self._homes, strict=True))
        known = [
            parts.known(replace(start.known[k], forgotten=state.forgotten[k]), k, *step, guide[k])
            for k, step in enumerate(steps)
        ]
        layers = [parts.layer(k, *steps[k]) for k in range(state.done)]
        return Search(
            layers=(start.layers[0], *layers),
            known=tuple(known),
            sweep=state.sweep,
            lead=state.lead,
            rewinds=state.rewinds,
            lost_at=state.lost_at,
            tries=state.tries,
        )

    def follow(self, search: Search, spent: Spent) -> None:
        """Save where it is time to."""
        self._pace.save(lambda: self.save(search, spent))

    def save(self, search: Search, spent: Spent) -> None:
        """Bring the folder up to a search that goes on from the one saved last."""
        number, count = self._part + 1, len(search.known)
        visits, homes = [known.visits for known in search.known], self._homes or [[]] * count
        arrays: dict[str, NDArray[Any]] = {"guide": np.array([known.guide for known in search.known])}
        moved: list[list[int]] = []
        for step, (old, new) in enumerate(zip(self._visits or [0] * count, visits, strict=True)):
            fresh = range(max(old, new - len(search.known[step].tried)) + 1, new + 1)
            for visit in fresh:
                arrays |= _arrays(search, step, visit)
            moved.append([*homes[step], *[number] * len(fresh)][-MEMORY:])
        replace_file(_part_path(self.folder, number), _zipped(arrays))
        state = _State(
            format=FORMAT,
            plan=self._plan,
            done=search.done,
            sweep=search.sweep,
            lead=search.lead,
            rewinds=search.rewinds,
            lost_at=search.lost_at,
            tries=search.tries,
            visits=visits,
            forgotten=[known.forgotten for known in search.known],
            homes=moved,
            part=number,
            spent=spent,
        )
        replace_file(self.folder / STATE, msgspec.json.encode(state))
        stale = {self._part, *chain(*homes)} - {0, *chain(*moved)}
        self._visits, self._homes, self._part = visits, moved, number
        for part in sorted(stale):
            _part_path(self.folder, part).unlink(missing_ok=True)

    def remove(self) -> None:
        """Clear the folder of what a checkpoint puts there; other files stay."""
        clear(self.folder)

    def _state(self) -> _State | None:
        return read_state(self.folder, FORMAT, _State)


class _Parts:
    """The parts of a search, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._content: dict[int, bytes] = {}

    def read(self, number: int, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        path = _part_path(self._folder, number)
        try:
            if number not in self._content:
                self._content[number] = path.read_bytes()
            with np.load(io.BytesIO(self._content[number]), allow_pickle=False) as file:
                return {name: file[name] for name in names}
        except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise InputError(f"cannot be read, so the search cannot go on: {error}", path=path) from None

    def layer(self, step: int, visits: int, home: list[int]) -> Layer:
        return Layer(**self._named(home[-1], step, visits, _LAYER))

    def known(self, start: Known, step: int, visits: int, home: list[int], guide: NDArray[np.float64]) -> Known:
        known = replace(start, guide=guide, visits=visits)
        if not known.age:
            return known
        tried = tuple(
            Tried(**self._named(part, step, visit, _TRIED, "tried_"))
            for visit, part in enumerate(home, visits - len(home) + 1)
            if visit > known.forgotten
        )
        return replace(known, tried=tried, seed=self._named(home[-1], step, visits, ("seed",))["seed"])

    def _named(
        self, number: int, step: int, visit: int, names: tuple[str, ...], prefix: str = ""
    ) -> dict[str, NDArray[Any]]:
        found = self.read(number, [_key(step, visit, prefix + name) for name in names])
        return dict(zip(names, found.values(), strict=True))


def _arrays(search: Search, step: int, visit: int) -> dict[str, NDArray[Any]]:
    """A visit to a step: the samples it tried, and the layer it made where the tree has it."""
    known = search.known[step]
    tried = known.tried[visit - known.visits - 1]
    arrays = {f"tried_{name}": getattr(tried, name) for name in _TRIED} | {"seed": known.seed}
    if visit == known.visits and step < search.done:
        arrays |= {name: getattr(search.layers[step + 1], name) for name in _LAYER}
    return {_key(step, visit, name): array for name, array in arrays.items()}


def _key(step: int, visit: int, name: str) -> str:
    return f"step-{step}-visit-{visit}-{name}"


def _part_path(folder: Path, number: int) -> Path:
    return folder / f"part-{number:06d}.npz"


def _zipped(arrays: dict[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()
