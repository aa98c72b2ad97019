"""A search on disk, one file per visit to a sampling step, so that a killed one goes on where it was.

`state.json` says how far the search is and which files belong to it, and is replaced last, in one step; other files are
leftovers.
"""

from __future__ import annotations

import io
import shutil
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.estimate.sampling.learning import MEMORY, Known
from reenact.estimate.sampling.response import Tried
from reenact.estimate.sampling.sampler import Search
from reenact.estimate.sampling.tree import Layer
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
    visits: list[int]  # to each sampling step
    seconds: float  # of work so far


class Checkpoint:
    """A folder that follows a search. The plan tells searches apart."""

    def __init__(self, folder: Path | str, plan: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self._plan: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
        self._visits: list[int] = []  # saved so far
        self._guide = (-1, -1)  # sweep and returns of the guide that was saved last
        self.seconds = 0.0  # of work before this run

    def load(self, start: Search) -> Search | None:
        """The search as it was left, None where there is none; another plan's is refused. start: one not begun."""
        path = self.folder / "state.json"
        if not path.exists():
            return None
        try:
            state = msgspec.json.decode(path.read_bytes(), type=_State)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(f"not the state of a search: {error}", path=path) from None
        self._check(state, path)
        self._visits, self._guide, self.seconds = list(state.visits), (state.sweep, state.rewinds), state.seconds
        guide = _read(self._guide_path(), ("guide",))["guide"]
        known = [self._known(start.known[k], k, visits, guide[k]) for k, visits in enumerate(state.visits)]
        layers = [self._layer(k, state.visits[k]) for k in range(state.done)]
        return Search(
            layers=(start.layers[0], *layers),
            known=tuple(known),
            sweep=state.sweep,
            lead=state.lead,
            rewinds=state.rewinds,
        )

    def save(self, search: Search, seconds: float) -> None:
        """Bring the folder up to a search that goes on from the one saved last; seconds: of work so far."""
        before = self._visits or [0] * len(search.known)
        for step, known in enumerate(search.known):
            if known.visits != before[step]:
                replace_file(self._path(step, known.visits), _packed(search, step))
        old = self._guide_path()
        if (search.sweep, search.rewinds) != self._guide:
            self._guide = search.sweep, search.rewinds
            guide = np.array([known.guide for known in search.known])
            replace_file(self._guide_path(), _zipped({"guide": guide}))
        self._visits = [known.visits for known in search.known]
        state = _State(
            format=FORMAT,
            plan=self._plan,
            done=search.done,
            sweep=search.sweep,
            lead=search.lead,
            rewinds=search.rewinds,
            visits=self._visits,
            seconds=round(seconds, 3),
        )
        replace_file(self.folder / "state.json", msgspec.json.format(msgspec.json.encode(state), indent=2))
        if old != self._guide_path():
            old.unlink(missing_ok=True)
        for step, visits in enumerate(self._visits):
            if visits != before[step]:
                self._path(step, visits - MEMORY).unlink(missing_ok=True)

    def remove(self) -> None:
        """Clear the folder of what a checkpoint puts there; other files stay."""
        for path in [self.folder / "state.json", *self.folder.glob("step-*.npz"), *self.folder.glob("guide-*.npz")]:
            path.unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            shutil.rmtree(self.folder)

    def _check(self, state: _State, path: Path) -> None:
        if state.format != FORMAT:
            raise InputError(f"format is {state.format!r}, expected {FORMAT!r}", path=path)
        differ = sorted(k for k in {*state.plan, *self._plan} if state.plan.get(k) != self._plan.get(k))
        if differ:
            shown = ", ".join(f"{k} {state.plan.get(k)!s:.40} (now {self._plan.get(k)!s:.40})" for k in differ[:3])
            raise InputError(f"this search was begun with other settings: {shown}; resume with the same", path=path)

    def _path(self, step: int, visit: int) -> Path:
        return self.folder / f"step-{step:05d}-{visit:03d}.npz"

    def _guide_path(self) -> Path:
        sweep, rewinds = self._guide
        return self.folder / f"guide-{sweep:05d}-{rewinds:03d}.npz"

    def _layer(self, step: int, visit: int) -> Layer:
        return Layer(**_read(self._path(step, visit), _LAYER))

    def _known(self, start: Known, step: int, visits: int, guide: NDArray[np.float64]) -> Known:
        known = replace(start, guide=guide)
        if not visits:
            return known
        names = tuple(f"tried_{name}" for name in _TRIED)
        recent = range(max(1, visits - MEMORY + 1), visits + 1)
        files = [_read(self._path(step, visit), (*names, "seed")) for visit in recent]
        tried = tuple(Tried(**{name: file[f"tried_{name}"] for name in _TRIED}) for file in files)
        return replace(known, visits=visits, tried=tried, seed=files[-1]["seed"])


def _packed(search: Search, step: int) -> bytes:
    """The last visit to a step: the layer it made and the samples it tried."""
    layer, known = search.layers[step + 1], search.known[step]
    arrays = {name: getattr(layer, name) for name in _LAYER}
    arrays |= {f"tried_{name}": getattr(known.tried[-1], name) for name in _TRIED}
    return _zipped({**arrays, "seed": known.seed})


def _zipped(arrays: dict[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _read(path: Path, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return {name: file[name] for name in names}
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"cannot be read, so the search cannot go on: {error}", path=path) from None
