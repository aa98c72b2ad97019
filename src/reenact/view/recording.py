"""A take ready to be looked at: its arrays beside the compiled model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.body.toml import parse_body
from reenact.errors import BodyError, InputError
from reenact.formats.observed import Observed, read_observed
from reenact.formats.take import Take, read_take

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What a take did, what it was measured against, and what is known about it."""

    name: str
    xml: str  # model.xml
    model: mujoco.MjModel
    motion: Arrays  # motion.npz
    reference: Arrays  # reference.npz
    facts: dict[str, Any]  # take.json
    controller: dict[str, Any] = field(default_factory=dict)  # controller.json
    body_toml: str = ""
    observed: Observed | None = None  # what a take from video was made from
    folder: Path = field(default_factory=Path)  # of the take, where it has one

    def __post_init__(self) -> None:
        """Refuse a motion that does not fit its model or that cannot be drawn."""
        time, qpos = self.motion["time"], self.motion["qpos"]
        if not np.all(np.diff(time) > 0):
            raise InputError("motion.npz: time does not increase from frame to frame", path=self.name)
        if qpos.shape[1] != self.model.nq:
            cause = f"motion.npz: qpos has {qpos.shape[1]} columns, expected {self.model.nq} by model.xml"
            raise InputError(cause, path=self.name)
        if not np.isfinite(qpos).all():
            raise InputError("motion.npz: qpos holds values that are not finite", path=self.name)

    @property
    def seconds(self) -> float:
        """From the first to the last recorded state [s]."""
        return float(self.motion["time"][-1] - self.motion["time"][0])

    def reference_states(self) -> NDArray[np.float64] | None:
        """The fitted reference as states (T, nq) of the model; None where the take has none.

        The reference may know the character alone: other things are then where they begin.
        """
        if "qpos" not in self.reference or len(self.reference["time"]) == 0:
            return None
        return whole_states(self.model, self.reference["qpos"])

    def torque_bounds(self) -> dict[str, float]:
        """Greatest torque of each hinge by name [N·m]; empty where the take does not say who moved."""
        try:
            body = parse_body(self.body_toml) if self.body_toml else None
        except BodyError:  # e.g. of a newer version; the take is still worth looking at
            body = None
        scale = self.controller.get("torque_scale", 1.0)
        factor = float(scale) if isinstance(scale, (int, float)) else 1.0
        return {axis.name: factor * axis.torque_limit for axis in body.axes} if body is not None else {}


def whole_states(model: mujoco.MjModel, poses: NDArray[Any]) -> NDArray[np.float64]:
    """Poses (T, n) of the character, or more, as states (T, nq) of the model; other things are where they begin."""
    out = np.tile(np.asarray(model.qpos0, float), (len(poses), 1))
    width = min(poses.shape[1], model.nq)
    out[:, :width] = poses[:, :width]
    return out


def recording_of(
    take: Recording | Take | Path | str, name: str | None = None, observed: Observed | None = None
) -> Recording:
    """A take opened for viewing, from memory or from its folder; the folder's name is its title unless one is given.

    `observed` is what a take in memory was made from; a folder tells that itself.
    """
    if isinstance(take, Recording):
        return take
    if not isinstance(take, Take):
        folder = Path(take)
        opened = recording_of(read_take(folder), name or folder.resolve().name, read_observed(folder))
        return replace(opened, folder=folder)
    try:
        model = mujoco.MjModel.from_xml_string(take.model_xml)
    except ValueError as error:
        cause = f"model.xml: MuJoCo cannot load it: {str(error).splitlines()[0]}"
        raise InputError(cause, path=name) from None
    return Recording(
        name=name or take.info.input.name,
        xml=take.model_xml,
        model=model,
        motion=take.motion,
        reference=take.reference,
        facts=msgspec.to_builtins(take.info),
        controller=take.controller,
        body_toml=take.body_toml,
        observed=observed,
    )
