"""Where several captures of one video disagree: what the video does not tell, by joint and by time.

One view hides depth, and the search is random. What other seeds find differently was not settled by what was seen;
where they agree they may still all be wrong alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.resample import resample_poses
from reenact.motion.tree import tree_of

RATE: Final = 30.0  # moments per second at which captures are compared
FORMAT: Final = "reenact-disagreement"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement:
    """Root mean square distance of joint centres from their mean over the captures."""

    joints: tuple[str, ...]  # (J,) segments whose origins they are
    time: Array  # (T,) [s]
    spread_cm: Array  # (T, J)
    along_cm: Array  # (3,) of it along the axes asked for: e.g. across, up, and along the line of sight
    captures: int

    def by_joint(self) -> list[tuple[str, float, float, float]]:
        """Name, mean [cm], greatest [cm] and when [s], the most uncertain first."""
        mean, worst = self.spread_cm.mean(axis=0), self.spread_cm.argmax(axis=0)
        rows = [
            (name, float(mean[j]), float(self.spread_cm[worst[j], j]), float(self.time[worst[j]]))
            for j, name in enumerate(self.joints)
        ]
        return sorted(rows, key=lambda row: -row[1])

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "format": FORMAT,
            "version": 1,
            "captures": self.captures,
            "mean_cm": round(float(self.spread_cm.mean()), 3),
            "across_up_depth_cm": [round(float(v), 3) for v in self.along_cm],
            "joints": list(self.joints),
            "time_s": [round(float(t), 4) for t in self.time],
            "spread_cm": [[round(float(v), 2) for v in row] for row in self.spread_cm],
        }


def disagreement(
    captures: Sequence[tuple[Body, Array, float]], axes: Array | None = None, joints: Sequence[str] | None = None
) -> Disagreement:
    """Compare captures, each a body with poses (N, 7 + A) and their rate [Hz], as long as all of them last.

    axes: unit vectors (3, 3) as rows along which the spread is told apart; the world's unless said. joints: segments to
    compare, all unless said.
    """
    if len(captures) < 2:
        raise InputError(f"{len(captures)} capture, expected two or more to compare")
    names = tuple(joints or captures[0][0].segment_names)
    last = min((len(qpos) - 1) / rate for _, qpos, rate in captures)
    time = np.arange(int(last * RATE + 1e-6) + 1) / RATE
    places = np.stack([_places(body, qpos, rate, time, names) for body, qpos, rate in captures])  # (C, T, J, 3)
    off = places - places.mean(axis=0)
    frame = np.eye(3) if axes is None else np.asarray(axes, float)
    return Disagreement(
        joints=names,
        time=time,
        spread_cm=100.0 * np.sqrt((off**2).sum(axis=-1).mean(axis=0)),
        along_cm=100.0 * np.sqrt(((off @ frame.T) ** 2).mean(axis=(0, 1, 2))),
        captures=len(captures),
    )


def _places(body: Body, qpos: Array, rate: float, time: Array, names: Sequence[str]) -> Array:
    tree = tree_of(body)
    position, _ = forward(tree, resample_poses(qpos, rate, np.minimum(time, (len(qpos) - 1) / rate)))
    return np.asarray(position[:, [tree.names.index(name) for name in names]])
