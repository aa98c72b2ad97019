"""A search on disk, so that a killed one goes on where it was.

Every save adds one file, `part-….npz`: the visits to sampling steps since the last one, and the guide. `state.json`
says how far the search is and which part holds what is needed of each step, and is replaced last, in one step. Parts of
which nothing is needed are removed; whatever else is there is a leftover. What a killed search had done since the last
save is done again, to the same bits.
"""

from __future__ import annotations

import io
import math
import shutil
import time
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.estimate.sampling.learning import MEMORY, Known
from reenact.estimate.sampling.processor import DIGITS, named
from reenact.estimate.sampling.response import Tried
from reenact.estimate.sampling.sampler import Search
from reenact.estimate.sampling.spent import Spent
from reenact.estimate.sampling.tree import Layer
from reenact.formats.replace_file import replace_file

FORMAT = "reenact-search"
EVERY = 1.0  # [s] between saves at least
SHARE = 0.02  # of the time that goes by, at most, is spent on saving
PROCESSOR = "processor"  # what a plan calls that, see `processor.py`
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a folder holds of an earlier search."""

    spent: Spent
    hindrance: str  # why it cannot be gone on with, in words; empty where it can


class Checkpoint:
    """A folder that follows a search. The plan tells searches apart."""

    def __init__(self, folder: Path | str, plan: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self._plan: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
        self._visits: list[int] = []  # to each sampling step, as saved so far
        self._homes: list[list[int]] = []
        self._part = 0
        self._due = -math.inf  # when to save next
        self.spent = Spent()  # before this run

    def left(self) -> Left | None:
        """What is there to go on with, None where there is nothing."""
        state = self._state()
        return None if state is None else Left(spent=state.spent, hindrance=self._hindrance(state))

    def load(self, start: Search) -> Search | None:
        """The search as it was left, None where there is none; another plan's is refused. start: one not begun."""
        state = self._state()
        if state is None:
            return None
        if hindrance := self._hindrance(state):
            raise InputError(hindrance, path=self._state_path)
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
        """Save where it is time to; what a kill then costs is a second's work, or fifty saves' time on a slow disk."""
        begun = time.monotonic()
        if begun < self._due:
            return
        self.save(search, spent)
        ended = time.monotonic()
        self._due = ended + max(EVERY, (ended - begun) / SHARE)

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
        replace_file(self._state_path, msgspec.json.encode(state))
        stale = {self._part, *chain(*homes)} - {0, *chain(*moved)}
        self._visits, self._homes, self._part = visits, moved, number
        for part in sorted(stale):
            _part_path(self.folder, part).unlink(missing_ok=True)

    def remove(self) -> None:
        """Clear the folder of what a checkpoint puts there; other files stay."""
        for path in [self._state_path, *self.folder.glob("part-*.npz")]:
            path.unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            shutil.rmtree(self.folder)

    @property
    def _state_path(self) -> Path:
        return self.folder / "state.json"

    def _state(self) -> _State | None:
        path = self._state_path
        if not path.exists():
            return None
        try:
            state = msgspec.json.decode(path.read_bytes(), type=_State)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(f"not the state of a search: {error}", path=path) from None
        if state.format != FORMAT:
            raise InputError(f"format is {state.format!r}, expected {FORMAT!r}", path=path)
        return state

    def _hindrance(self, state: _State) -> str:
        """Why a search cannot be gone on with; empty where it can."""
        keys = {*state.plan, *self._plan} - {PROCESSOR}
        if differ := sorted(key for key in keys if state.plan.get(key) != self._plan.get(key)):
            shown = ", ".join(f"{k} {state.plan.get(k)!s:.40} (now {self._plan.get(k)!s:.40})" for k in differ[:3])
            return f"this search was begun with other settings: {shown}; resume with the same"
        there, here = (plan.get(PROCESSOR, {}) for plan in (state.plan, self._plan))
        if there.get(DIGITS) == here.get(DIGITS):
            return ""
        return (
            f"this search was begun on another kind of processor ({named(there)}; here is {named(here)}), which "
            "computes other last digits: resume it there, or begin anew without --resume"
        )


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
