"""A body that overlaps nothing: what of its contacts is with the world, and how much higher it would have to be."""

from __future__ import annotations

from typing import Any, Final

import mujoco

from reenact.geometry.rotation import Array
from reenact.physics.model import Model

TOLERATED: Final = 0.002  # [m] of overlap that is left alone at the start; contacts are soft to about this
_ROUNDS: Final = 20


def with_world(model: Model, data: mujoco.MjData) -> list[Any]:
    """The contacts between the body and anything that is not the body."""
    own = model.geom_segment >= 0
    return [contact for contact in data.contact[: data.ncon] if own[contact.geom[0]] != own[contact.geom[1]]]


def clear_of(model: Model, qpos: Array, lift: float = 0.0) -> float:
    """How much higher [m] a pose (7+A,) must be so that it overlaps nothing, at least `lift`."""
    data = mujoco.MjData(model.mj)
    for _ in range(_ROUNDS):
        data.qpos[:] = model.mj.qpos0
        data.qpos[: len(qpos)] = qpos
        data.qpos[2] += lift
        mujoco.mj_fwdPosition(model.mj, data)
        deepest = max((-float(contact.dist) for contact in with_world(model, data)), default=0.0)
        if deepest <= TOLERATED:
            break
        lift += deepest
    return lift
