"""What a simulation did: states, torques, contacts, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array
from reenact.physics.contact_forces import Contacts
from reenact.physics.mechanics import Mechanics, mechanics_of
from reenact.physics.model import Model
from reenact.physics.state import State

Status = Literal["ok", "fell", "diverged"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace:
    """N steps of a simulation between N+1 states; N is what was reached where it fell or diverged."""

    model: Model
    time: Array  # (N+1,) [s]
    qpos: Array  # (N+1, nq)
    qvel: Array  # (N+1, nv)
    joint_torque: Array  # (N, nv) by motors or servos [N·m], zero on the root
    stop_torque: Array  # (N, nv) by joint limits [N·m]
    ctrl: Array  # (N, nu) of the servos
    warmstart: Array  # (N, nv)
    external: Array | None  # (N, nbody, 6) declared pushes: force and torque [N, N·m], None where there were none
    contacts: Contacts
    senses: Array | None  # (N, W) where recorded, see `sense.named`
    targets: Array | None  # (N, 4, A) where recorded
    final: State
    status: Status
    reason: str  # in words where the status is not "ok"

    @property
    def steps(self) -> int:
        """Number of steps N."""
        return len(self.time) - 1

    @cached_property
    def mechanics(self) -> Mechanics:
        """Momentum, energy, power and zero-moment point, computed when first asked for."""
        return mechanics_of(
            self.model, self.qpos, self.qvel, self.joint_torque, self.stop_torque, self.contacts, self.external
        )

    @property
    def com(self) -> Array:
        """Centre of mass, (N+1, 3) [m]."""
        return self.mechanics.com

    @property
    def momentum(self) -> Array:
        """Linear momentum, (N+1, 3) [kg·m/s]."""
        return self.mechanics.momentum

    @property
    def angular_momentum(self) -> Array:
        """Angular momentum about the centre of mass, (N+1, 3) [kg·m²/s]."""
        return self.mechanics.angular_momentum

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy, (N+1,) [J]."""
        return self.mechanics.energy

    @property
    def zmp(self) -> Array:
        """Zero-moment point, (N, 3) [m], NaN in the air."""
        return self.mechanics.zmp

    @cached_property
    def cop(self) -> Array:
        """Centre of pressure, (N, 3) [m], NaN in the air."""
        return self.contacts.cop(self.steps)

    @cached_property
    def ground_force(self) -> Array:
        """Force of everything outside on the body, (N, 3) [N]."""
        return self.contacts.total(self.steps)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What motion.npz of a take holds; where `support` (N,) [N] is zero, `cop` repeats the centre of mass."""
        out: dict[str, NDArray[Any]] = {"time": self.time, "qpos": self.qpos, "qvel": self.qvel}
        if self.model.actuation == "servo":
            out["ctrl"] = self.ctrl
        else:
            out["torque"] = self.joint_torque
        if self.external is not None:
            out["external"] = self.external
        out["joint_torque"] = self.joint_torque
        out["contact_step"] = self.contacts.step
        out["contact_segment"] = self.contacts.segment
        out["contact_point"] = self.contacts.point
        out["contact_normal"] = self.contacts.normal
        out["contact_force"] = self.contacts.force
        out["com"] = self.com
        carried = np.isfinite(self.cop)
        out["cop"] = np.where(carried, self.cop, self.com[:-1])  # a take holds finite numbers only
        out["support"] = np.where(carried.all(axis=-1), np.maximum(self.ground_force[:, 2], 0.0), 0.0)
        return out
