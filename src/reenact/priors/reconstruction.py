"""How well a model can say a motion's poses: what is lost by going to coefficients and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.geometry import rotation
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of
from reenact.priors.model import PoseModel
from reenact.priors.root import up_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconstruction:
    """Loss over a motion; the root's place stays, its heading as near as the tilt allows."""

    poses: int
    angle_deg: float  # mean over poses and hinges
    tilt_deg: float  # mean angle between the root's up and the reconstructed one
    joint_cm: float  # mean distance of joint centres
    worst_joint_cm: float  # of any joint in any pose
    unlikely: float  # share of poses with a coefficient outside ∓4σ


def reconstruction(model: PoseModel, motion: Motion) -> Reconstruction:
    """Put a motion through a model and measure what changed, on the motion's own body."""
    model = model.on(motion.body)
    qpos = model.reconstruct(motion.qpos)
    tree = tree_of(motion.body)
    apart = np.linalg.norm(forward(tree, qpos)[0] - forward(tree, motion.qpos)[0], axis=-1)
    turn = rotation.to_rotvec(rotation.between(up_of(qpos[:, 3:7]), up_of(motion.qpos[:, 3:7])))
    return Reconstruction(
        poses=motion.frames,
        angle_deg=float(np.rad2deg(np.abs(qpos[:, 7:] - motion.qpos[:, 7:]).mean())),
        tilt_deg=float(np.rad2deg(np.linalg.norm(turn, axis=-1).mean())),
        joint_cm=float(100.0 * apart.mean()),
        worst_joint_cm=float(100.0 * apart.max()),
        unlikely=float(np.mean(model.penalty(model.project(motion.qpos)) > 0.0)),
    )
