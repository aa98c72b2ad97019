"""What drives a body: the form every controller takes, so that one compiled loop runs them all.

A controller compiles to a `Program`: a native control function and the numbers it works with. The loop calls it at each
step, after the engine has computed positions and velocities and before it solves for forces:

    control(sense, table, params, memory, target)

- sense: what the body feels, see `sense.py`; read only
- table: the program's numbers, shared by all candidates of a batch; read only
- params: a candidate's own numbers; read only
- memory: the controller's state, kept from step to step, zero at the start unless the start says otherwise
- target: what it wants of the hinges; four rows of A numbers:

| row | `motor` | `servo` |
| --- | --- | --- |
| ANGLE | desired angle q_d [rad] | desired angle q_d [rad] |
| RATE | velocity asked beyond the approach to q_d [rad/s] | velocity fed forward [rad/s] |
| GAIN | α: fraction of the difference removed per 1/120 s [V12] §4.1.1 | scale of the servo's stiffness |
| STRENGTH | fraction of the torque limit that may be used, 0 … 1 | not used |

Behind these rows stand five numbers for a program that drives the root (`Program.drives_root`), see `handover.py`: the
share of the reaction that is handed over in this step, 0 where the root is left alone; the angular velocity that it
wants of the root in the world [rad/s]; and the first of the three hinges of the hip that takes the reaction.

The motor drives hinge velocity to a(q_d − q)/h + RATE within its torque limit, where a = 1 − (1 − α)^(120·h) removes
the same share per second at any step length h; α = 0 asks for RATE alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numba import njit, types

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics.native import DOUBLES, Native, native

if TYPE_CHECKING:
    from reenact.physics.model import Model

ANGLE, RATE, GAIN, STRENGTH = 0, 1, 2, 3  # rows of the target
ROWS = 4
ROOT_NUMBERS = 5  # behind the rows
ALPHA_RATE = 120.0  # steps per second to which [V12]'s α refers

CONTROL = types.void(DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES)

control = native(CONTROL)  # decorator that makes a control function


@njit
def share_per_step(alpha: Any, timestep: Any) -> Any:
    """Fraction of a difference removed in one step of `timestep` [s] when α is removed per 1/120 s."""
    steps = ALPHA_RATE * timestep
    if abs(steps - 1.0) < 1e-9:
        return alpha
    return 1.0 - (1.0 - alpha) ** steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A controller made ready to run on one model."""

    function: Native[Any]
    table: Array = field(default_factory=lambda: np.zeros(0))  # (any,)
    params: Array = field(default_factory=lambda: np.zeros(0))  # (P,) defaults; a batch may give (n, P)
    memory: int = 0  # numbers of state
    drives_root: bool = False  # by handing the reaction to a hip

    def __post_init__(self) -> None:
        """Refuse numbers that the engine must not see."""
        for name in ("table", "params"):
            values = getattr(self, name)
            if values.dtype != np.float64 or values.ndim != 1:
                raise InputError(f"a program's {name} must be a row of float64, got {values.dtype} {values.shape}")
            if not np.isfinite(values).all():
                raise InputError(f"a program's {name} holds a value that is not finite, at {_first_bad(values)}")
        if self.memory < 0:
            raise InputError(f"a program's memory must be ≥ 0, got {self.memory}")


@runtime_checkable
class Controller(Protocol):
    """Anything that can drive a body."""

    def compile(self, model: Model) -> Program:
        """The control function and its numbers for this model."""
        ...

    def to_json(self) -> dict[str, Any]:
        """A readable description that makes the same controller again."""
        ...


def _first_bad(values: Array) -> int:
    return int(np.flatnonzero(~np.isfinite(values))[0])
