"""Learn the poses of an activity from motions, [V12] Eq. 7.

Deviation: the paper finds components by the variance of sines and cosines, in which a toe counts as much as a hip. Here
each is weighted by the root of its mean lever over the training poses. On recordings that were not trained on, fewer
components then leave smaller errors of the joint centres, for every bundled activity (docs/priors.md). Levers without
the root leave fewer components still, but lose ankles and toes, on which contact hangs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from reenact.body.mirror import mirror_pose
from reenact.errors import InputError
from reenact.formats.take import Source
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.priors.encoding import encode
from reenact.priors.hinges import Hinges, hinges_of, what_differs
from reenact.priors.levers import mean_levers
from reenact.priors.model import PoseModel
from reenact.priors.training_clip import TrainingClip

VARIANCE: Final = 0.95  # share that is kept, [V12] §4.1.2
FEWEST_POSES: Final = 20  # in all clips; fewer say nothing about what an activity's poses have in common
STILL: Final = 1e-9  # variance of poses that do not differ; a hundredth of a degree in one hinge has thirty times that
SHORTEST_LEVER: Final = 0.05  # of the mean lever; a turn of the head moves no joint, but is seen
_LOOKS = 20  # poses of a motion from which levers are taken
_DIGITS = 9  # decimals that are kept, so that a file is short and the same whatever machine trained it


def train(
    motions: Sequence[Motion],
    name: str,
    *,
    sources: Sequence[Source] | None = None,
    variance: float = VARIANCE,
    mirror: bool = True,
    weigh: bool = True,
) -> PoseModel:
    """A model of all poses of some motions, with as few components as keep this share of their variance.

    Each motion counts the same, however long. With `mirror` every pose is also seen in a mirror, so that the model
    prefers no side. Without `weigh` all hinges count the same, as in the paper. `sources` are the files the motions
    came from, for the record; else their names alone stand there. The bodies may be of different sizes, but must have
    the same hinges.
    """
    if not 0.0 < variance <= 1.0:
        raise InputError(f"pose model '{name}': variance to keep is {variance:g}, expected above 0 and up to 1")
    hinges = _shared_hinges(motions, name)
    clips = _clips(motions, sources, name)
    seen = [[m.qpos, mirror_pose(m.body, m.qpos)] if mirror else [m.qpos] for m in motions]
    weights = _weights(motions, seen) if weigh else np.ones(3 + 2 * len(hinges.names))
    poses, shares = _encoded(seen, hinges)
    offset = shares @ poses
    # Rows scaled by the roots of their shares: squared singular values are the variances along the components.
    _, spread, rows = np.linalg.svd(np.sqrt(shares)[:, None] * (poses - offset) * weights, full_matrices=False)
    total = float(np.sum(spread**2))
    if total < STILL:
        raise InputError(f"pose model '{name}': all poses are the same, expected a motion")
    kept = np.cumsum(spread**2) / total
    moving = int(np.sum(spread**2 > STILL * total))  # the rest is rounding
    size = min(moving, 1 + int(np.searchsorted(kept, variance)))
    return PoseModel(
        name=name,
        body=motions[0].body.name,
        hinges=hinges,
        encoding="sine_cosine",
        basis=_rounded(_oriented(rows[:size].T)),
        weights=_rounded(weights),
        offset=_rounded(offset),
        sigma=_rounded(spread[:size]),
        variance=round(min(1.0, float(kept[size - 1])), _DIGITS),
        mirrored=mirror,
        clips=clips,
    )


def _shared_hinges(motions: Sequence[Motion], name: str) -> Hinges:
    if not motions:
        raise InputError(f"pose model '{name}': no motion to learn from")
    first = motions[0]
    hinges = hinges_of(first.body)
    for motion in motions[1:]:
        if different := what_differs(hinges, hinges_of(motion.body)):
            raise InputError(
                f"pose model '{name}': motions of different bodies: '{first.name}' is of '{first.body.name}'; "
                f"'{motion.name}' is of '{motion.body.name}', which has {different}"
            )
    frames = sum(motion.frames for motion in motions)
    if frames < FEWEST_POSES:
        raise InputError(f"pose model '{name}': {frames} poses in all, expected at least {FEWEST_POSES}")
    return hinges


def _clips(motions: Sequence[Motion], sources: Sequence[Source] | None, name: str) -> tuple[TrainingClip, ...]:
    if sources is None:
        sources = [Source(name=motion.name, sha256="") for motion in motions]
    if len(sources) != len(motions):
        raise InputError(f"pose model '{name}': {len(sources)} sources of {len(motions)} motions, expected as many")
    return tuple(TrainingClip(source=s, poses=m.frames) for s, m in zip(sources, motions, strict=True))


def _weights(motions: Sequence[Motion], seen: Sequence[Sequence[Array]]) -> Array:
    """Roots of the mean levers of each feature (D,), the hinges' being 1 on average."""
    levers = []
    for motion, views in zip(motions, seen, strict=True):
        step = max(1, motion.frames // _LOOKS)
        levers += [mean_levers(motion.body, view[::step]) for view in views]
    lever = np.mean(levers, axis=0)
    lever = np.maximum(lever / lever[1:].mean(), SHORTEST_LEVER)
    weight = np.sqrt(lever) / np.sqrt(lever[1:]).mean()
    return np.concatenate([np.repeat(weight[:1], 3), np.repeat(weight[1:], 2)])


def _encoded(seen: Sequence[Sequence[Array]], hinges: Hinges) -> tuple[Array, Array]:
    """Encoded poses (N, D) and their shares (N,), which add up to 1 and to the same for every motion."""
    views = [(qpos, len(motion)) for motion in seen for qpos in motion]
    shares = [np.full(len(qpos), 1.0 / (len(seen) * count * len(qpos))) for qpos, count in views]
    return np.concatenate([encode(qpos, "sine_cosine", hinges) for qpos, _ in views]), np.concatenate(shares)


def _oriented(basis: Array) -> Array:
    """Columns with a sign of their own, whatever the solver chose: the first of the greatest entries is positive.

    In a mirrored model left and right are of the same size but for rounding, so that the first counts.
    """
    sizes = np.abs(basis)
    first = np.argmax(sizes > 0.999 * sizes.max(axis=0), axis=0)
    return np.asarray(basis * np.sign(basis[first, np.arange(basis.shape[1])]))


def _rounded(values: Array) -> Array:
    return np.round(values, _DIGITS) + 0.0
