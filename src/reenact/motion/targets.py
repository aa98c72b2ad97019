"""From a clip and a mapping to aims for a body: points with targets, and orientations once they are calibrated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.body import Body
from reenact.errors import FitError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.clip import Clip, SkeletonClip
from reenact.motion.mapping import Link, Mapping
from reenact.motion.sites import find_part, place_site
from reenact.motion.tree import Indices, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTurns:
    """Orientations as the source has them, each a constant rotation away from its segment's frame."""

    segment: Indices  # (Q,)
    weight: Array  # (Q,)
    frame: Array  # (T, Q, 3, 3) world


def aim_at(clip: Clip, mapping: Mapping, body: Body, tree: Tree) -> tuple[Aims, SourceTurns]:
    """Aims of the mapped points that the body has, without orientations, and the source's orientations."""
    if isinstance(clip, SkeletonClip):
        position, orientation = clip.world()
        names = clip.skeleton.names
    else:
        position, orientation, names = clip.position, None, clip.names
    placed = [(link, place_site(tree, body, link.site)) for link in mapping.links]
    kept = [(link, place) for link, place in placed if place is not None and link.weight > 0]
    if not kept:
        raise FitError(f"clip '{clip.name}': body '{body.name}' has none of the mapped sites")
    links: list[Link] = [link for link, _ in kept]
    target = position[:, [names.index(link.source) for link in links]].copy()
    target[~np.isfinite(target).all(axis=-1)] = np.nan
    aims = Aims(
        sites=tuple(link.site for link in links),
        segment=np.array([place[0] for _, place in kept], dtype=np.int64),
        local=np.array([place[1] for _, place in kept]),
        spread=np.array([place[2] for _, place in kept]),
        weight=np.array([link.weight for link in links]),
        target=target,
        turn_segment=np.empty(0, np.int64),
        turn_weight=np.empty(0),
        turn_target=np.empty((clip.frames, 0, 3, 3)),
    )
    return aims, _source_turns(mapping, tree, names, orientation, clip.frames)


def _source_turns(
    mapping: Mapping, tree: Tree, names: tuple[str, ...], orientation: Array | None, frames: int
) -> SourceTurns:
    turns = [(turn, find_part(tree, turn.part)) for turn in mapping.turns] if orientation is not None else []
    turns = [(turn, segment) for turn, segment in turns if segment >= 0]
    if orientation is None or not turns:
        return SourceTurns(segment=np.empty(0, np.int64), weight=np.empty(0), frame=np.empty((frames, 0, 3, 3)))
    sources = [names.index(turn.source) for turn, _ in turns]
    return SourceTurns(
        segment=np.array([segment for _, segment in turns], dtype=np.int64),
        weight=np.array([turn.weight for turn, _ in turns]),
        frame=rotation.to_matrix(orientation[:, sources]),
    )


def calibrate(source: SourceTurns, frames: Indices, fitted: Array) -> Array:
    """Constant rotations C (Q, 3, 3) such that source · C is the segment's frame, from some fitted frames.

    `fitted` (K, S, 3, 3) are segment frames at the clip's `frames` (K,). The mean rotation is the nearest to the mean
    matrix (orthogonal Procrustes).
    """
    relative = np.einsum("kqji,kqjl->qil", source.frame[frames], fitted[:, source.segment])
    u, _, vt = np.linalg.svd(relative)
    sign = np.sign(np.linalg.det(u @ vt))
    u[:, :, 2] *= sign[:, None]
    return np.asarray(u @ vt)


def with_turns(aims: Aims, source: SourceTurns, constant: Array) -> Aims:
    """Aims with the source's orientations, brought to the segments' frames by the constants (Q, 3, 3)."""
    return aims.with_turns(source.segment, source.weight, np.einsum("tqij,qjk->tqik", source.frame, constant))
