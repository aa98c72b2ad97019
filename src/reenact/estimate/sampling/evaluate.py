"""What is asked of whoever runs simulations: plain arrays out and back, so that it can be another machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reenact.body.toml import parse_body
from reenact.control.read import controller_from_json
from reenact.geometry.rotation import Array
from reenact.physics.controller import Program
from reenact.physics.model import Actuation, Model, compile_model
from reenact.physics.prepare import Wrenches, wrenches_of
from reenact.world.toml import parse_world


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Everything that all requests of one capture share, as text and numbers."""

    body_toml: str
    world_toml: str
    actuation: Actuation
    timestep: float  # [s]
    torque_scale: float
    track: dict[str, Any]  # the reference's controller, as JSON
    steps: int  # of the whole motion
    heading: float  # [rad] of the body at the start

    def open(self) -> Stage:
        """Compile it; the same text gives the same bits everywhere."""
        model = compile_model(
            parse_body(self.body_toml),
            parse_world(self.world_toml),
            actuation=self.actuation,
            timestep=self.timestep,
            torque_scale=self.torque_scale,
        )
        return Stage(
            model=model,
            program=controller_from_json(self.track).compile(model),
            external=wrenches_of(model, self.steps, heading=self.heading),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """A setup made ready to simulate."""

    model: Model
    program: Program  # whose params displace the target angles
    external: Wrenches | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """n candidates, each a start state and a displacement held for `steps` steps."""

    starts: Array  # (m, X) state rows
    start_of: NDArray[np.int64]  # (n,) row of each candidate
    displacement: Array  # (n, A) [rad]
    steps: int


class Executor(Protocol):
    """Runs candidates; what it returns must not depend on how it splits them.

    One that has other processes compute may say in an attribute `core_seconds` how much processor time those have
    spent for it so far.
    """

    def evaluate(self, request: Request) -> Array:
        """End state rows (n, X), in the candidates' order; NaN where the simulation diverged."""
        ...
