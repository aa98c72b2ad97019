"""Does a simulation end with the body standing on its feet? What [V12] §6 shows of machines in new worlds, judged.

The simulation goes on after the motion's end T for a while; by then the controller holds its last state. From T on
nothing but the feet, and what is fixed under them, may bear the body. Over the last second it must stand: trunk
upright, pelvis high, feet bearing, and not toppling. Thresholds:

- TILT: a trunk within 45° of the vertical. Who counterbalances 13 kg in a hand or stands on a slope leans by 20 to 30°;
  who falls passes 45° within half a second and never comes back.
- HIGH: a pelvis at 70 % of its height in the rest pose, above the lowest point of the body. Knees bent by 60° leave
  88 %, by 90° 73 %; level thighs leave 54 %, kneeling 51 %. The lowest point stands for the ground below, which on a
  trampoline moves.
- LOAD: 2 % of the weight is a brush, as for falls (`fall.py`).
- BORNE: feet bear half of the weight on average; it is all of it but for what a swinging trampoline or a slope takes.
- TOPPLING: over the last second the centre of mass moves by less than 15 cm over the ground as seen from the feet. A
  body that topples doubles its distance from where it could be held every 0.2 s: who moves less has hardly left it.
  People who stand sway by 2 cm, and a trampoline shakes whoever stands on it. Seen from the feet: a skier may glide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.body.mjcf import bare_model
from reenact.control.bearing import ground_load
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.tree import tree_of
from reenact.physics.trace import Trace

HELD: Final = 1.0  # [s] at the end over which it must stand
TILT: Final = np.deg2rad(45.0)
HIGH: Final = 0.7  # of the pelvis's height in the rest pose
LOAD: Final = 0.02  # of body weight
BORNE: Final = 0.5  # of body weight
TOPPLING: Final = 0.15  # [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Whether a simulation ends standing, and the figures behind it, all over the last second."""

    stands: bool
    reason: str  # in words where it does not stand
    tilt_deg: float  # greatest tilt of the trunk
    height: float  # least height of the pelvis, as a share of the rest pose's
    sway: float  # [m] of the centre of mass over the ground as seen from the feet
    glide: float  # [m/s] mean speed of the centre of mass over the ground


def ends_standing(trace: Trace, after: float, *, moving: bool = False) -> Standing:
    """Whether the body ends on its feet, from the motion's end `after` [s] on; at least a second must follow it.

    moving: a body that walks on is not held to rest on its feet.
    """
    timestep, last = trace.model.timestep, round(HELD / trace.model.timestep)
    if trace.status == "diverged":
        return _fallen(trace.reason)
    if trace.time[-1] < after + HELD - 0.5 * timestep:
        raise InputError(f"the simulation ends at {trace.time[-1]:.2f} s, expected {HELD:g} s more than {after:.2f} s")
    if hit := _borne_otherwise(trace, after):
        return _fallen(hit)
    tilt, height, feet = _posture(trace, trace.steps - last)
    com = trace.com[trace.steps - last :, :2]
    drift = com - feet
    sway = float(np.linalg.norm(drift - drift[0], axis=-1).max())
    borne = float(ground_load(trace)[-last:][:, feet_of(trace)].sum(axis=1).mean()) / _weight(trace)
    reason = ""
    if tilt.max() > TILT:
        reason = f"the trunk leans by {np.rad2deg(tilt.max()):.0f}°"
    elif height.min() < HIGH:
        reason = f"the pelvis is at {100.0 * height.min():.0f} % of its standing height"
    elif borne < BORNE:
        reason = f"the feet bear {100.0 * borne:.0f} % of the weight"
    elif not moving and sway > TOPPLING:
        reason = f"it topples: the centre of mass moves {100.0 * sway:.0f} cm from the feet in the last second"
    return Standing(
        stands=not reason,
        reason=reason,
        tilt_deg=float(np.rad2deg(tilt.max())),
        height=float(height.min()),
        sway=sway,
        glide=float(np.linalg.norm(com[-1] - com[0])) / HELD,
    )


def feet_of(trace: Trace) -> NDArray[np.int64]:
    """Segments that are feet or toes."""
    return np.array([i for i, s in enumerate(trace.model.body.segments) if s.part == "foot"], np.int64)


def _fallen(reason: str) -> Standing:
    return Standing(stands=False, reason=reason, tilt_deg=np.nan, height=np.nan, sway=np.nan, glide=np.nan)


def _weight(trace: Trace) -> float:
    return trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity))


def _borne_otherwise(trace: Trace, after: float) -> str:
    """In words what else than the feet bears from a time on; empty where nothing does."""
    load = ground_load(trace) > LOAD * _weight(trace)
    load[:, feet_of(trace)] = False
    load[trace.time[:-1] < after] = False
    if not load.any():
        return ""
    step = int(np.argmax(load.any(axis=1)))
    name = trace.model.body.segment_names[int(np.argmax(load[step]))].replace("_", " ")
    return f"the {name} bore weight at {trace.time[step]:.2f} s"


def _posture(trace: Trace, first: int) -> tuple[Array, Array, Array]:
    """From a step on: tilt of the trunk (n,) [rad], height of the pelvis (n,), feet on the ground (n, 2) [m].

    The trunk is the line from the root up to the head; without a head, the root's z axis.
    """
    model, data, body = trace.model, mujoco.MjData(trace.model.mj), trace.model.body
    root = int(model.segment_body[0])
    head = next((int(model.segment_body[i]) for i, s in enumerate(body.segments) if s.part == "head"), None)
    feet = model.segment_body[feet_of(trace)] if len(feet_of(trace)) else model.segment_body[:1]
    states = trace.qpos[first:]
    up, middle = np.empty((len(states), 3)), np.empty((len(states), 2))
    for k, qpos in enumerate(states):
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model.mj, data)
        up[k] = data.xmat[root].reshape(3, 3)[:, 2] if head is None else data.xpos[head] - data.xpos[root]
        middle[k] = data.xpos[feet, :2].mean(axis=0)
    poses = states[:, : 7 + model.hinges]
    lowest = lowest_by_segment(body, tree_of(body), poses, 1.0 / model.timestep).height.min(axis=1)
    height = (poses[:, 2] - lowest) / float(bare_model(body).qpos0[2])
    return np.arccos(np.clip(up[:, 2] / np.linalg.norm(up, axis=-1), -1.0, 1.0)), height, middle
