"""A moment of a simulation: everything the next step depends on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where all things are and how they move; with warm start, touch and memory where a run is resumed."""

    qpos: Array  # (nq,) root position and quaternion, hinge angles, then other things
    qvel: Array  # (nv,)
    time: float = 0.0  # [s]
    warmstart: Array | None = None  # (nv,) accelerations from which the solver begins
    touch: Array | None = None  # (4+S,) centre of pressure, upward force, load per segment, of the previous step
    memory: Array | None = None  # (M,) of the controller

    def row(self, model: Model, memory: int = 0) -> Array:
        """All of it as one row (X,), as the native loop takes it."""
        sizes = {"qpos": model.mj.nq, "qvel": model.mj.nv, "warmstart": model.mj.nv}
        sizes |= {"touch": 4 + len(model.segment_body), "memory": memory}
        parts = [np.array([self.time], float)]
        for name, size in sizes.items():
            values = getattr(self, name)
            values = np.zeros(size) if values is None else np.asarray(values, float)
            if values.shape != (size,):
                raise InputError(f"a start state's {name} has shape {values.shape}, this model needs ({size},)")
            parts.append(values)
        row = np.concatenate(parts)
        if not np.isfinite(row).all():
            raise InputError("a start state holds a value that is not finite")
        return row

    @staticmethod
    def from_row(row: Array, model: Model) -> State:
        """The state that a row (X,) holds."""
        nq, nv, touched = model.mj.nq, model.mj.nv, 4 + len(model.segment_body)
        ends = np.cumsum([1, nq, nv, nv, touched])
        _, qpos, qvel, warmstart, touch, memory = np.split(row, ends)
        return State(
            time=float(row[0]),
            qpos=qpos.copy(),
            qvel=qvel.copy(),
            warmstart=warmstart.copy(),
            touch=touch.copy(),
            memory=memory.copy(),
        )


def row_width(model: Model, memory: int = 0) -> int:
    """Numbers in a state row, of which a controller's memory is the last part."""
    return int(1 + model.mj.nq + 2 * model.mj.nv + 4 + len(model.segment_body) + memory)
