"""How a simulation ends: to the end, by a fall, or by divergence, and what to say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.physics import job as slip
from reenact.physics.model import Model

Status = Literal["ok", "fell", "diverged"]
_STATUS: dict[int, Status] = {slip.OK: "ok", slip.FELL: "fell", slip.DIVERGED: "diverged"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """What counts as a fall and ends a run: the root below a height [m], or a load on one of the segments."""

    height: float | None = None
    segments: tuple[str, ...] = ()
    after: int = 0  # steps of a run before which nothing counts

    def arrays(self, model: Model) -> dict[int, NDArray[Any]]:
        """The rule as the native loop takes it."""
        names = model.body.segment_names
        unknown = [name for name in self.segments if name not in names]
        if unknown:
            raise InputError(f"no segment '{unknown[0]}' to watch for a fall; there are: {', '.join(names)}")
        out: dict[int, NDArray[Any]] = {}
        if self.height is not None:
            out[slip.FALL_HEIGHT] = np.array([self.height], float)
        if self.segments:
            out[slip.FALL_SEGMENT] = np.array([int(name in self.segments) for name in names], np.int64)
        return out


def status_of(code: int) -> Status:
    """The status behind a code of the native loop."""
    return _STATUS[code]


def reason_of(model: Model, code: int, detail: int) -> str:
    """Why a run ended, in words; empty where it ran to its end."""
    if code == slip.OK:
        return ""
    if code == slip.FELL:
        if detail == slip.DETAIL_HEIGHT:
            return "the root sank below the height that counts as a fall"
        if detail == slip.DETAIL_GAVE_UP:
            return "its controller gave up"
        return f"{model.body.segment_names[detail - 1]} touched something"
    if detail == slip.DETAIL_ENGINE:
        return "the engine gave up"
    if detail == slip.DETAIL_SPEED:
        return f"a part moved faster than {slip.SPEED_LIMIT:g} m/s or rad/s"
    return f"the engine warned: {_WARNINGS.get(detail - 1, f'warning {detail - 1}')}"


_WARNINGS = {
    int(mujoco.mjtWarning.mjWARN_INERTIA): "the inertia matrix is singular",
    int(mujoco.mjtWarning.mjWARN_CONTACTFULL): "more contacts than its memory holds",
    int(mujoco.mjtWarning.mjWARN_CNSTRFULL): "more constraints than its memory holds",
    int(mujoco.mjtWarning.mjWARN_BADQPOS): "positions are no longer finite",
    int(mujoco.mjtWarning.mjWARN_BADQVEL): "velocities are no longer finite",
    int(mujoco.mjtWarning.mjWARN_BADQACC): "accelerations are no longer finite",
    int(mujoco.mjtWarning.mjWARN_BADCTRL): "a control value is not finite",
}
