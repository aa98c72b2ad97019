"""Ranges, servo gains and sampling windows of the adult's joints, from data/joints.toml."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from reenact.body.body import Axis

REFERENCE_MASS = 70.0  # [kg], the body that the gains in the data file are meant for

# Directions on the left side and the middle, so that each motion is positive in the sense of the anatomist.
LEFT_DIRECTIONS: dict[str, dict[str, tuple[float, float, float]]] = {
    "lumbar": {"flexion": (0, 1, 0), "bend": (-1, 0, 0)},
    "thoracic": {"flexion": (0, 1, 0), "bend": (-1, 0, 0), "twist": (0, 0, 1)},
    "neck": {"flexion": (0, 1, 0), "bend": (-1, 0, 0), "twist": (0, 0, 1)},
    "shoulder": {"abduction": (1, 0, 0), "flexion": (0, -1, 0), "twist": (0, 0, -1)},
    "elbow": {"flexion": (0, -1, 0)},
    "wrist": {"flexion": (-1, 0, 0), "deviation": (0, -1, 0)},
    "hip": {"flexion": (0, -1, 0), "abduction": (1, 0, 0), "twist": (0, 0, -1)},
    "knee": {"flexion": (0, 1, 0)},
    "ankle": {"flexion": (0, -1, 0), "inversion": (-1, 0, 0)},
    "toe": {"flexion": (0, 1, 0)},
}


class Motion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One axis of a joint: range [deg] and sampling window [rad]."""

    range: tuple[float, float]
    window: float


class Gains(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Servo gains of a 70 kg body [N·m/rad], [N·m·s/rad]."""

    stiffness: float
    damping: float
    contact_scale: float = 1.0


def joint_axes(kind: str, name: str, *, mass: float, torque_limit: float) -> tuple[Axis, ...]:
    """Axes of a joint of a `kind` in the data file ("hip"), named by `name` ("hip_left"), outermost first.

    `mass` [kg] is the whole body's: the gains grow with it. Right-hand joints mirror the left ones.
    """
    gains = msgspec.convert(_table()[kind]["gains"], Gains)
    axes = []
    for motion, direction in LEFT_DIRECTIONS[kind].items():
        row = msgspec.convert(_table()[kind][motion], Motion)
        vector = np.array(direction, float)
        low, high = np.deg2rad(row.range)
        axes.append(
            Axis(
                name=f"{name}_{motion}",
                direction=vector * (-1.0, 1.0, -1.0) + 0.0 if name.endswith("_right") else vector,
                range=(float(low), float(high)),
                torque_limit=torque_limit,
                stiffness=gains.stiffness * mass / REFERENCE_MASS,
                damping=gains.damping * mass / REFERENCE_MASS,
                window=row.window,
                contact_scale=gains.contact_scale,
            )
        )
    return tuple(axes)


@cache
def _table() -> dict[str, dict[str, object]]:
    text = files("reenact.body").joinpath("data/joints.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, dict[str, object]])
