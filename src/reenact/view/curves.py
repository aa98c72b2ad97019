"""Curves over time to plot: every joint's angle and torque beside its reference, ground force, centre of mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.view.colours import side_of
from reenact.view.pieces import character_bodies
from reenact.view.poses import interpolated
from reenact.view.recording import Arrays, Recording

Array = NDArray[np.float64]
Style = Literal["take", "reference", "target", "left", "right", "total"]

PLOT_RATE = 120.0  # greatest rate of plotted samples [1/s]
MAX_SAMPLES = 7200


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line of a plot; NaN where there is nothing."""

    label: str
    style: Style
    values: Array  # (P,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Curves of one quantity."""

    title: str
    unit: str
    curves: tuple[Curve, ...]
    bound: float | None = None  # values stay within ± this


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Plots shown together under one name, e.g. a joint's angle and torque."""

    name: str
    plots: tuple[Plot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """All groups over one time axis."""

    time: Array  # (P,) [s]
    groups: tuple[Group, ...]

    def group(self, name: str) -> Group:
        """A group by its name."""
        return next(g for g in self.groups if g.name == name)


def curves_of(take: Recording) -> Curves:
    """Curves of a take at its recorded rate, or at means over blocks of steps where that is above `PLOT_RATE`."""
    recorded = np.asarray(take.motion["time"], float)
    block = _block(recorded)
    time = recorded[::block]
    groups = [
        *_joint_groups(take, time, block),
        *_ground_force(take, block, len(time)),
        *_centre_of_mass(take, time),
    ]
    return Curves(time=time, groups=tuple(groups))


def readable(name: str) -> str:
    """ "hip_left_flexion" as "Hip left flexion"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _block(recorded: Array) -> int:
    """Steps per plotted sample."""
    seconds = max(float(recorded[-1] - recorded[0]), 1e-9)
    rate = min(PLOT_RATE, MAX_SAMPLES / seconds)
    return max(1, round((len(recorded) - 1) / seconds / rate))


def _joint_groups(take: Recording, time: Array, block: int) -> list[Group]:
    model, motion, reference = take.model, take.motion, take.reference
    torque = motion.get("joint_torque", motion.get("torque"))
    bounds = take.torque_bounds()
    groups = []
    for joint in _hinges(model):
        q, v = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        angle = [Curve(label="take", style="take", values=np.degrees(motion["qpos"][::block, q]))]
        if "qpos" in reference and q < reference["qpos"].shape[1]:
            values = _reference_angle(reference, q, time)
            angle.append(Curve(label="reference", style="reference", values=values))
        if "target" in motion and 0 <= q - 7 < motion["target"].shape[1]:
            aims = motion["target"][np.minimum(np.arange(len(time)) * block, len(motion["target"]) - 1), q - 7]
            angle.append(Curve(label="target", style="target", values=np.degrees(np.asarray(aims, float))))
        plots = [Plot(title="Angle", unit="°", curves=tuple(angle))]
        if torque is not None and len(torque):
            values = _steps_to_samples(np.asarray(torque[:, v], float), block, len(time))
            curve = Curve(label="take", style="take", values=values)
            bound = bounds.get(model.joint(joint).name)
            plots.append(Plot(title="Torque", unit="N·m", curves=(curve,), bound=bound))
        groups.append(Group(name=readable(model.joint(joint).name), plots=tuple(plots)))
    return groups


def _hinges(model: mujoco.MjModel) -> list[int]:
    """Named hinges of the character."""
    own = set(character_bodies(model))
    hinge = int(mujoco.mjtJoint.mjJNT_HINGE)
    return [
        j
        for j in range(model.njnt)
        if int(model.jnt_type[j]) == hinge and int(model.jnt_bodyid[j]) in own and model.joint(j).name
    ]


def _reference_angle(reference: Arrays, column: int, time: Array) -> Array:
    """Reference angle [°] at `time`, NaN outside the reference."""
    instants = np.asarray(reference["time"], float)
    values = np.degrees(interpolated(instants, np.asarray(reference["qpos"][:, column], float), time))
    inside = (time >= instants[0] - 1e-6) & (time <= instants[-1] + 1e-6)
    return np.where(inside, values, np.nan)


def _steps_to_samples(values: Array, block: int, samples: int) -> Array:
    """Means (P,) over the blocks of steps that lead to each sample; the first sample repeats the second."""
    count = min(len(values) // block, samples - 1) if samples > 1 else 0
    means = values[: count * block].reshape(count, block).mean(axis=1)
    padded = np.full(samples, np.nan)
    padded[1 : 1 + count] = means
    if count:
        padded[0] = means[0]
    return padded


def _ground_force(take: Recording, block: int, samples: int) -> list[Group]:
    """Upward contact force on the feet and on the whole body [N]."""
    motion, model = take.motion, take.model
    if "contact_step" not in motion or len(motion["contact_step"]) == 0:
        return []
    names = [model.body(i).name for i in character_bodies(model)]
    step, upward = motion["contact_step"].astype(int), np.asarray(motion["contact_force"], float)[:, 2]
    segment = motion["contact_segment"].astype(int)
    steps = len(motion["time"]) - 1
    curves = []
    for label, style in (("left foot", "left"), ("right foot", "right"), ("whole body", "total")):
        chosen = [i for i, n in enumerate(names) if style == "total" or (_is_foot(n) and side_of(n) == style)]
        mask = np.isin(segment, chosen)
        values = np.bincount(step[mask], upward[mask], minlength=steps)[:steps].astype(float)
        sampled = _steps_to_samples(values, block, samples)
        curves.append(Curve(label=label, style=style, values=sampled))  # type: ignore[arg-type]
    return [Group(name="Ground force", plots=(Plot(title="Vertical force", unit="N", curves=tuple(curves)),))]


def _is_foot(name: str) -> bool:
    return "foot" in name.lower() or "toe" in name.lower()


def _centre_of_mass(take: Recording, time: Array) -> list[Group]:
    """Height [m] and speed [m/s] of the centre of mass."""
    motion = take.motion
    if "com" not in motion or len(motion["com"]) < 2:
        return []
    recorded = np.asarray(motion["time"], float)
    com = np.asarray(motion["com"], float)
    at = recorded[len(recorded) - len(com) :]
    speed = np.linalg.norm(np.gradient(com, at, axis=0), axis=-1)
    height = Curve(label="take", style="take", values=interpolated(at, com[:, 2], time))
    fast = Curve(label="take", style="take", values=interpolated(at, speed, time))
    plots = (
        Plot(title="Height", unit="m", curves=(height,)),
        Plot(title="Speed", unit="m/s", curves=(fast,)),
    )
    return [Group(name="Centre of mass", plots=plots)]
