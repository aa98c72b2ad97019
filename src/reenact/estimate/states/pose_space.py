"""Target poses as coefficients of a pose model, [V12] §4.1.2: fewer numbers to search, none that lead to odd poses.

A target pose is g(s) with coefficients s of a model of `priors/`, and a heading of its own, for models know none.
A new state's pose is brought into the model (`brought`), and what the model cannot say of it is lost: `lost` says how
much. From then on the search moves it within the model (`space.py`).

Deviation: the paper projects by U⁻¹(x − b). Between sines and cosines that is not the nearest pose, and a pose g(s)
does not come back as itself, so that a state that is opened again would change before any search. Here s is refined by
Gauss–Newton steps until g(s) is nearest by the model's own weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.priors.load import bundled_models, model_for
from reenact.priors.model import PoseModel
from reenact.priors.root import VANISHED, nearest, turned, up_of

PLAIN: Final = "plain"  # joint angles and root as they are, without any model
EACH: Final = "each"  # all that fit the body are tried, and the best is kept, see `pose_choice.py`
HEADING: Final = 0.06  # [rad] a step of the search
STRIDE: Final = 0.3  # a step of the search in the model's units, in which a hinge of mean lever counts in radians
_RETURN: Final = 0.1  # weight of what lies outside ∓4σ; with none, coefficients grow without end
_STEPS: Final = 30  # of Gauss–Newton at most
_LONGEST: Final = 1.0  # step of a coefficient
_CLOSE: Final = 1e-9  # relative gain at which they end
_SAME: Final = 1e-5  # [rad] a pose that comes as near as this is the model's own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoseSpace:
    """Target poses of a body as k coefficients of a model and a heading."""

    model: PoseModel  # on the body's own hinges and limits
    scale: Array  # (k,) of the coefficients in a search

    @property
    def name(self) -> str:
        """What it is called in settings."""
        return self.model.name

    @property
    def size(self) -> int:
        """Numbers of a pose: k coefficients, then the heading."""
        return self.model.size + 1

    @property
    def scales(self) -> Array:
        """Steps of a search (k + 1,): of the coefficients, then of the heading [rad]."""
        return np.append(self.scale, HEADING)

    def coefficients(self, root: Array, pose: Array) -> Array:
        """The coefficients (k,) of the model's pose nearest to a root orientation (4,) and angles (A,) [rad]."""
        model = self.model
        s = model.project(np.concatenate([np.zeros(3), root / np.linalg.norm(root), pose]))
        return s if model.encoding == "plain" else _refined(model, s, up_of(root), pose)

    def poses(self, s: Array, heading: Array, root: Array) -> tuple[Array, Array, Array]:
        """Roots (n, 4), angles (n, A) [rad] and what the prior charges (n,), from s (n, k) and headings (n,) [rad].

        The root has the model's tilt as near to the orientation `root` (4,) as that allows, turned by the heading.
        """
        angles, tilt = self.model.pose(s)
        return turned(nearest(tilt, root), heading), angles, self.model.penalty(s)

    def brought(self, root: Array, pose: Array) -> tuple[Array, Array]:
        """The model's pose nearest to a root orientation (4,) and angles (A,) [rad]: the same two."""
        roots, angles, _ = self.poses(self.coefficients(root, pose)[None], np.zeros(1), root)
        return roots[0], angles[0]

    def lost(self, root: Array, pose: Array) -> tuple[float, float]:
        """What a pose loses when brought into the model: of the root's tilt, and the mean over hinges [rad]."""
        there, angles = self.brought(root, pose)
        turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(there), root / np.linalg.norm(root)))
        return float(np.linalg.norm(turn)), float(np.abs(angles - pose).mean())


def pose_space_of(name: str, body: Body) -> PoseSpace | None:
    """The space of a name for a body: a bundled activity, a model's file or "identity"; None for "plain".

    A model fits bodies of every size whose hinges have its names, order and directions; any other body is refused.
    """
    if name == PLAIN:
        return None
    if name == EACH:
        raise InputError(f"'{EACH}' is no pose space but a choice among them; there are: {', '.join(pose_spaces())}")
    model = model_for(name, body)
    stride = np.full(model.size, STRIDE)
    return PoseSpace(model=model, scale=np.minimum(stride, model.sigma))


def pose_spaces() -> tuple[str, ...]:
    """Names of all spaces that come with the package, "plain" first."""
    return (PLAIN, "identity", *bundled_models())


def _refined(model: PoseModel, s: Array, up: Array, pose: Array) -> Array:
    """The coefficients of the model's nearest pose, from s on; of a pose that is one of the model's, its own."""
    near = _descended(model, s, up, pose, _RETURN)
    same = _descended(model, near, up, pose, 0.0)
    left = _off(model, same, up, pose, 0.0)[0]
    return same if left @ left < _SAME**2 else near


def _descended(model: PoseModel, s: Array, up: Array, pose: Array, inward: float) -> Array:
    """Coefficients from which no damped Gauss–Newton step leads nearer to a pose."""
    off, slope = _off(model, s, up, pose, inward)
    damping = 1e-3
    for _ in range(_STEPS):
        step = np.linalg.solve(slope.T @ slope + damping * np.eye(model.size), slope.T @ off)
        off_there, slope_there = _off(model, s - step, up, pose, inward)
        gain = off @ off - off_there @ off_there
        if gain <= 0.0 or np.abs(step).max() > _LONGEST:
            damping *= 10.0
            continue
        small = gain < _CLOSE * (off @ off)
        s, off, slope, damping = s - step, off_there, slope_there, 0.1 * damping
        if small or off @ off < _SAME**4:
            break
    return s


def _off(model: PoseModel, s: Array, up: Array, pose: Array, inward: float) -> tuple[Array, Array]:
    """Weighted differences (3 + A + k,) of g(s) from an up (3,) and angles (A,), and their slopes (3 + A + k, k).

    The last k draw coefficients outside ∓4σ inward, for g(s) hardly depends on the length of a long s.
    """
    rows, vector = model.basis / model.weights[:, None], model.vector(s)
    length = max(float(np.linalg.norm(vector[:3])), VANISHED)
    along = vector[:3] / length
    lean = model.weights[:3] * (along - up)
    lean_slope = model.weights[:3, None] * (rows[:3] - np.outer(along, along @ rows[:3])) / length
    sine, cosine = vector[3::2], vector[4::2]
    angles = model.pose(s).angles
    low, high = model.hinges.limits.T
    free = (angles > low) & (angles < high)
    square = np.maximum(sine**2 + cosine**2, VANISHED)
    bend = model.weights[3::2] * (angles - pose)
    turn = (cosine / square)[:, None] * rows[3::2] - (sine / square)[:, None] * rows[4::2]
    bend_slope = np.where(free[:, None], model.weights[3::2, None] * turn, 0.0)
    least, most = model.bounds
    beyond = inward * (s - np.clip(s, least, most))
    return (
        np.concatenate([lean, bend, beyond]),
        np.concatenate([lean_slope, bend_slope, np.diag(inward * (beyond != 0.0))]),
    )
