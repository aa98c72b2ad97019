"""Open-loop following of a motion: at each step the reference's next pose and velocity are what the joints aim at.

Nothing here looks at balance; the body stays up only as far as the recorded angles keep it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion, velocities
from reenact.motion.resample import resample
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control, share_per_step
from reenact.physics.model import Actuation, Model

ALPHA = 0.2  # of the motor: the stiff end of what [V12] allows
KIND = "track"

# The table: frame count; then A each of gain, gain under load, first segment whose load counts, one after the last;
# then per frame A angles and A velocities.
_FRAMES, _HEAD = 0, 1


@control
def _follow(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges = int(sense[part.HINGES])
    frame = min(int(sense[part.STEP]) + 1, int(table[_FRAMES]) - 1)
    pose = _HEAD + 4 * hinges + 2 * hinges * frame
    load = part.loads(sense)
    for i in range(hinges):
        gain = table[_HEAD + i]
        for segment in range(int(table[_HEAD + 2 * hinges + i]), int(table[_HEAD + 3 * hinges + i])):
            if sense[load + segment] > 0.0:
                gain = table[_HEAD + hinges + i]
        target[ANGLE * hinges + i] = table[pose + i] + params[i]
        target[RATE * hinges + i] = table[pose + hinges + i]
        target[GAIN * hinges + i] = gain
        target[STRENGTH * hinges + i] = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """Follow hinge angles given at every step from time 0; the last pose is held beyond the end.

    A batch may shift each candidate's target angles by its own params, (n, A) [rad].
    """

    actuation: Actuation
    timestep: float  # [s]
    axes: tuple[str, ...]  # (A,) names of the hinges
    angles: Array  # (K, A) [rad]
    velocities: Array  # (K, A) [rad/s]
    alpha: float = ALPHA  # of the motor: fraction of the difference removed per 1/120 s

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        shape = (len(self.angles), len(self.axes))
        if len(self.angles) < 1 or self.angles.shape != shape or self.velocities.shape != shape:
            got = f"{self.angles.shape} and {self.velocities.shape}"
            raise InputError(f"a track of {len(self.axes)} axes needs angles and velocities (K, A), got {got}")
        if not (np.isfinite(self.angles).all() and np.isfinite(self.velocities).all()):
            raise InputError("a track holds values that are not finite")
        if not 0.0 < self.alpha <= 1.0:
            raise InputError(f"a track's alpha is {self.alpha!r}, expected above 0 and at most 1")

    def compile(self, model: Model) -> Program:
        """The program for this model, which must step and be driven as the track was made for."""
        self._check(model)
        hinges = len(self.axes)
        velocities = self.velocities.copy()
        if len(velocities) > 1:
            velocities[-1] = 0.0  # the pose that is held
        gain = loaded = np.ones(hinges)
        if self.actuation == "motor":
            # wanted velocity: a·(q_d − q)/h + (1 − a)·v_d, so that a body on the reference stays on it
            velocities *= 1.0 - share_per_step(self.alpha, model.timestep)
            gain = loaded = np.full(hinges, self.alpha)
        else:
            loaded = np.array([axis.contact_scale for axis in model.body.axes])  # [L10] Table 2
        frames = np.concatenate([self.angles, velocities], axis=1)
        head = np.array([float(len(self.angles))])
        table = np.concatenate([head, gain, loaded, *_limbs(model), frames.ravel()])
        return Program(function=_follow, table=table, params=np.zeros(hinges))

    def _check(self, model: Model) -> None:
        if model.actuation != self.actuation:
            raise InputError(
                f"this track drives a '{self.actuation}' body, the model's actuation is '{model.actuation}'"
            )
        if abs(model.timestep - self.timestep) > 1e-12:
            raise InputError(f"this track has steps of {self.timestep!r} s, the model of {model.timestep!r} s")
        names = tuple(axis.name for axis in model.body.axes)
        if names != self.axes:
            missing = sorted(set(names) ^ set(self.axes))
            raise InputError(f"this track's axes are not the model's; they differ in {', '.join(missing) or 'order'}")

    def to_json(self) -> dict[str, Any]:
        """A readable description: one line of numbers per step, to the last digit."""
        return {
            "kind": KIND,
            "actuation": self.actuation,
            "timestep": self.timestep,
            "alpha": self.alpha,
            "axes": list(self.axes),
            "angles_rad": [row_text(row) for row in self.angles],
            "velocities_rad_s": [row_text(row) for row in self.velocities],
        }

    @staticmethod
    def from_json(description: dict[str, Any]) -> Track:
        """The controller behind a description."""
        try:
            axes = tuple(str(name) for name in description["axes"])
            return Track(
                actuation=description["actuation"],
                timestep=float(description["timestep"]),
                alpha=float(description["alpha"]),
                axes=axes,
                angles=rows_from_text(description["angles_rad"], len(axes), "angles_rad"),
                velocities=rows_from_text(description["velocities_rad_s"], len(axes), "velocities_rad_s"),
            )
        except KeyError as error:
            raise InputError(f"a track lacks '{error.args[0]}'; it holds {', '.join(description)}") from None
        except (TypeError, ValueError) as error:
            raise InputError(f"a track cannot be read: {error}") from None


def track_of(motion: Motion, model: Model, *, alpha: float = ALPHA) -> Track:
    """The track that follows a motion on a model of the same body, resampled to the model's steps."""
    rate = 1.0 / model.timestep
    even = motion if abs(motion.rate - rate) < 1e-9 * rate else resample(motion, rate)
    return Track(
        actuation=model.actuation,
        timestep=model.timestep,
        axes=tuple(axis.name for axis in model.body.axes),
        angles=even.qpos[:, 7:].copy(),
        velocities=velocities(even.qpos, rate)[:, 6:],
        alpha=alpha,
    )


def row_text(row: Array) -> str:
    """Numbers as one line of text that reads back to the same bits."""
    return " ".join(repr(float(value)) for value in row)


def rows_from_text(lines: Sequence[str], width: int, name: str) -> Array:
    """Lines of `width` numbers as an array (K, width)."""
    try:
        rows = [[float(word) for word in line.split()] for line in lines]
    except (ValueError, AttributeError) as error:
        raise InputError(f"'{name}' must be lines of numbers: {error}") from None
    for number, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"'{name}' row {number} has {len(row)} numbers, expected {width}")
    return np.array(rows, float).reshape(len(rows), width)


def _limbs(model: Model) -> tuple[Array, Array]:
    """Of each hinge the first segment of the limb it carries, and the one after the last."""
    names = model.body.segment_names
    parent = [-1 if s.parent is None else names.index(s.parent) for s in model.body.segments]
    last = list(range(1, len(names) + 1))
    for i in reversed(range(1, len(names))):  # segments stand depth first: a limb is a range
        last[parent[i]] = max(last[parent[i]], last[i])
    owner = [i for i, segment in enumerate(model.body.segments) for _ in segment.axes]
    return np.array(owner, float), np.array([last[i] for i in owner], float)
