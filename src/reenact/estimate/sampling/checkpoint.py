"""A search on disk, one file per sampling step, so that a killed one goes on where it was.

`state.json` says how far the search is and is replaced last, in one step; layers beyond it are leftovers.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.estimate.sampling.sampler import Search
from reenact.estimate.sampling.tree import Layer
from reenact.formats.replace_file import replace_file

FORMAT = "reenact-search"
_LAYER = ("parent", "displacement", "state", "cost", "total")


class _State(msgspec.Struct, frozen=True):
    """What state.json holds."""

    format: str
    plan: dict[str, Any]  # what the search depends on; another plan cannot go on with it
    done: int
    rewinds: int
    failed_at: int
    turn: int
    seconds: float  # of work so far


class Checkpoint:
    """A folder that follows a search. The plan tells searches apart."""

    def __init__(self, folder: Path | str, plan: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self._plan: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plan))
        self._saved = self._turn = 0
        self.seconds = 0.0  # of work before this run

    def load(self, root: Layer) -> Search | None:
        """The search as it was left, None where there is none; another plan's is refused."""
        path = self.folder / "state.json"
        if not path.exists():
            return None
        try:
            state = msgspec.json.decode(path.read_bytes(), type=_State)
        except msgspec.MsgspecError as error:
            raise InputError(f"not the state of a search: {error}", path=path) from None
        self._check(state, path)
        layers = [self._layer(state.turn, number) for number in range(1, state.done + 1)]
        self._turn, self._saved, self.seconds = state.turn, state.done, state.seconds
        return Search(
            layers=(root, *layers),
            rewinds=state.rewinds,
            failed_at=state.failed_at,
            turn=state.turn,
            guide=self._arrays(self._guide(state.turn), ("guide",))["guide"] if state.turn else None,
        )

    def save(self, search: Search, seconds: float) -> None:
        """Bring the folder up to a search that goes on from the one saved last; seconds: of work so far."""
        if search.turn != self._turn and search.guide is not None:
            replace_file(self._guide(search.turn), _packed({"guide": search.guide}))
        self._saved = min(self._saved, search.done) if search.turn == self._turn else 0
        for number in range(self._saved + 1, search.done + 1):
            layer = search.layers[number]
            arrays = {name: getattr(layer, name) for name in _LAYER}
            replace_file(self._path(search.turn, number), _packed({**arrays, "attempt": np.array(layer.attempt)}))
        state = _State(
            FORMAT, self._plan, search.done, search.rewinds, search.failed_at, search.turn, round(seconds, 3)
        )
        replace_file(self.folder / "state.json", msgspec.json.format(msgspec.json.encode(state), indent=2))
        self._saved, self._turn = search.done, search.turn

    def remove(self) -> None:
        """Clear the folder of what a checkpoint puts there; other files stay."""
        for path in [self.folder / "state.json", *self.folder.glob("pass-*.npz")]:
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

    def _path(self, turn: int, number: int) -> Path:
        return self.folder / f"pass-{turn}-{number:05d}.npz"

    def _guide(self, turn: int) -> Path:
        return self.folder / f"pass-{turn}-guide.npz"

    def _layer(self, turn: int, number: int) -> Layer:
        arrays = self._arrays(self._path(turn, number), (*_LAYER, "attempt"))
        return Layer(attempt=int(arrays.pop("attempt")), **arrays)

    def _arrays(self, path: Path, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                return {name: file[name] for name in names}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise InputError(f"cannot be read, so the search cannot go on: {error}", path=path) from None


def _packed(arrays: dict[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()
