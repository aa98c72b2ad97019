"""`fit`: from any skeleton or marker set to a body that moves like it, on a floor at z = 0."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.body.reshape import with_offsets
from reenact.body.scale import scale_segments
from reenact.errors import FitError
from reenact.geometry import rotation
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.aims import Aims
from reenact.motion.calibration import drop_calibration_frames
from reenact.motion.clip import Clip, SkeletonClip
from reenact.motion.contacts import find_contacts
from reenact.motion.fit_report import FitReport
from reenact.motion.floor import Floor, depths, find_floor, smooth_lift
from reenact.motion.give_way import give_way
from reenact.motion.kinematics import forward
from reenact.motion.mapping import Mapping, map_clip
from reenact.motion.motion import Motion
from reenact.motion.person import meet_person
from reenact.motion.retarget import leg_length, retarget
from reenact.motion.sites import is_joint
from reenact.motion.sweep import sweep
from reenact.motion.targets import aim_at
from reenact.motion.trajectory import smooth_poses
from reenact.motion.tree import Tree, tree_of
from reenact.motion.wild import without_wild

FEWEST_FRAMES: Final = 3  # a motion needs an acceleration
DOUBTFUL: Final = 0.05  # mean distance at which a joint is probably another one [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fitted:
    """A body with poses, in the clip's coordinates."""

    body: Body
    tree: Tree
    poses: Array  # (T, 7 + A)
    sites: tuple[str, ...]  # (N,) what was measured
    distance: Array  # (T, N) between fitted and measured [m]
    joint_names: tuple[str, ...]
    joints: Array  # (T, J, 3)
    scaled: bool = True
    wild: int = 0  # points left out because they were somewhere impossible


@one_thread()
def fit(
    clip: Clip,
    body: Body | None = None,
    *,
    scale: bool = True,
    mapping: Mapping | None = None,
    floor: Literal["auto", "none"] | float = "auto",
    mass: float | None = None,
    smoothness: float = 1.0,
    progress: Progress | None = None,
) -> Motion:
    """Fit a body to a clip.

    `body` defaults to the adult; with `scale` it takes the recorded person's size and, unless `mass` [kg] is given, a
    mass that keeps its body mass index; without, the motion is retargeted to the body as it is. `mapping` overrides
    the names found by `map_clip`. `floor` is found from resting feet ("auto"), taken as given [m], or left alone
    ("none": no shift and no lift). `smoothness` multiplies the price of acceleration.
    """
    begun = time.perf_counter()
    tell = progress or (lambda fraction, what: None)
    clip, notes = _prepare(clip)
    mapping = mapping or map_clip(clip)
    tell(0.0, "estimating the person's size")
    fitted = _fit_poses(clip, body or adult(), mapping, scale, mass, smoothness, tell)
    tell(0.9, "finding the floor")
    ground = _ground(floor, fitted, clip.rate)
    poses, joints = _on_floor(ground, fitted)
    sunk = depths(fitted.body, fitted.tree, poses)
    lift = np.zeros(len(poses))
    if floor != "none":
        poses = give_way(fitted.body, fitted.tree, poses, clip.rate)
        lift = smooth_lift(depths(fitted.body, fitted.tree, poses), clip.rate)
    # Before the lift: where one part sinks in deeply, lifting it out takes the others off the floor they lay on.
    contacts = find_contacts(fitted.body, fitted.tree, poses, clip.rate)
    poses[:, 2] += lift
    joints[:, :, 2] += lift[:, None]
    tell(1.0, "done")
    left = depths(fitted.body, fitted.tree, poses)
    report = _report(fitted, mapping, ground, sunk, left, lift, time.perf_counter() - begun)
    report = replace(report, notes=(*notes, *mapping.notes, *_remarks(fitted, ground, mapping)))
    return Motion(
        name=clip.name, rate=clip.rate, body=fitted.body, qpos=poses, joint_names=fitted.joint_names, joints=joints,
        lift=lift, contacts=contacts, report=report,
    )  # fmt: skip


def _prepare(clip: Clip) -> tuple[Clip, tuple[str, ...]]:
    """The clip without calibration frames, and what its reader remarked; refuse one that is no motion."""
    notes = clip.notes
    if isinstance(clip, SkeletonClip):
        trimmed = drop_calibration_frames(clip)
        if trimmed.frames < clip.frames:
            notes = (*notes, f"{clip.frames - trimmed.frames} calibration frame(s) at the front left out")
        clip = trimmed
    if clip.frames < FEWEST_FRAMES:
        raise FitError(f"clip '{clip.name}' has {clip.frames} frame(s) of motion, expected at least {FEWEST_FRAMES}")
    return clip, notes


def _fit_poses(
    clip: Clip, body: Body, mapping: Mapping, scale: bool, mass: float | None, smoothness: float, tell: Progress
) -> _Fitted:
    """Size, poses of all frames, and what they were measured against."""
    tree = tree_of(body)
    aims, source = aim_at(clip, mapping, body, tree)
    person = meet_person(tree, body, aims, source, clip.rate)
    tell(0.2, "solving poses")
    poses = sweep(
        person.tree, person.aims, person.samples, person.poses, progress=lambda f, what: tell(0.2 + 0.3 * f, what)
    )
    aims, poses, wild = without_wild(person.tree, person.aims, poses)
    poses = smooth_poses(
        person.tree, aims, poses, clip.rate, smoothness=smoothness, progress=lambda f, what: tell(0.5 + 0.4 * f, what)
    )
    if not scale:
        return _retargeted(body, tree, person.tree, poses, clip.rate, wild)
    sized = _sized(body, person.tree, mass)
    return _measured(sized, person.tree, person.aims, _upright_signs(poses), mapping.skin, wild)


def _sized(body: Body, tree: Tree, mass: float | None) -> Body:
    """The body with the person's joint centres; its mass index stays unless a mass is given."""
    # Hands and head have no joint beyond them that would tell their size: they follow the legs.
    ratio = leg_length(tree) / leg_length(tree_of(body))
    parents = {s.parent for s in body.segments}
    ends = {s.name: ratio for s in body.segments if s.name not in parents and s.part != "foot"}
    sized = with_offsets(scale_segments(body, ends), tree.offset)
    wanted = mass if mass is not None else body.mass * (sized.stature / body.stature) ** 2
    return scale_segments(sized, {}, mass=wanted)


def _measured(body: Body, tree: Tree, aims: Aims, poses: Array, skin: bool, wild: int) -> _Fitted:
    """Distances to what was measured; for skin markers the joint centres are the fitted body's own."""
    position, frame = forward(tree, poses)
    points = position[:, aims.segment] + np.einsum("tnij,nj->tni", frame[:, aims.segment], aims.local)
    distance = np.linalg.norm(points - aims.target, axis=-1)
    which = np.arange(len(aims.sites)) if skin else np.flatnonzero([is_joint(site) for site in aims.sites])
    return _Fitted(
        body=body,
        tree=tree,
        poses=poses,
        sites=tuple(aims.sites[n] for n in which),
        distance=distance[:, which],
        joint_names=tree.names if skin else tuple(tree.names[aims.segment[n]] for n in which),
        joints=position if skin else aims.target[:, which],
        wild=wild,
    )


def _retargeted(body: Body, tree: Tree, person: Tree, poses: Array, rate: float, wild: int) -> _Fitted:
    moved, joints = retarget(person, poses, tree, rate)
    distance = np.linalg.norm(forward(tree, moved)[0] - joints, axis=-1)
    return _Fitted(
        body=body,
        tree=tree,
        poses=_upright_signs(moved),
        sites=tree.joints,
        distance=distance,
        joint_names=tree.names,
        joints=joints,
        scaled=False,
        wild=wild,
    )


def _upright_signs(poses: Array) -> Array:
    """Poses whose root quaternions have unit length and do not flip sign."""
    poses = poses.copy()
    poses[:, 3:7] = rotation.unroll(rotation.normalize(poses[:, 3:7]))
    return poses


def _ground(floor: str | float, fitted: _Fitted, rate: float) -> Floor:
    if floor == "none":
        return Floor(height=0.0, tilt=0.0, level=rotation.IDENTITY, resting=0)
    if isinstance(floor, str) and floor != "auto":
        raise FitError(f"floor is {floor!r}, expected 'auto', 'none' or a height in metres")
    found = find_floor(fitted.body, fitted.tree, fitted.poses, rate)
    return found if isinstance(floor, str) else replace(found, height=float(floor), level=rotation.IDENTITY)


def _on_floor(ground: Floor, fitted: _Fitted) -> tuple[Array, Array]:
    """Poses and joints turned and shifted so that the floor is z = 0."""
    poses = fitted.poses.copy()
    poses[:, :3] = rotation.rotate(ground.level, poses[:, :3])
    poses[:, 3:7] = rotation.multiply(ground.level, poses[:, 3:7])
    joints = rotation.rotate(ground.level, fitted.joints)
    poses[:, 2] -= ground.height
    joints[:, :, 2] -= ground.height
    return poses, joints


def _report(
    fitted: _Fitted, mapping: Mapping, ground: Floor, sunk: Array, left: Array, lift: Array, seconds: float
) -> FitReport:
    lower, upper = fitted.tree.limits
    beyond = np.maximum(lower - fitted.poses[:, 7:], fitted.poses[:, 7:] - upper)
    seen = fitted.distance[np.isfinite(fitted.distance)] * 100.0
    by_site: dict[str, list[float]] = {}
    for site, column in zip(fitted.sites, fitted.distance.T, strict=True):
        if np.isfinite(column).any():
            by_site.setdefault(site, []).append(float(np.nanmean(column)) * 100.0)
    return FitReport(
        measured="markers" if mapping.skin else "joint centres",
        error_cm=float(seen.mean()),
        median_error_cm=float(np.median(seen)),
        greatest_error_cm=float(seen.max()),
        joint_error_cm=MappingProxyType({site: float(np.mean(values)) for site, values in by_site.items()}),
        limit_violations=int((beyond > 1e-9).sum()),
        greatest_violation_deg=float(np.rad2deg(max(beyond.max(initial=0.0), 0.0))),
        penetration_before_mm=float(sunk.max()) * 1e3,
        penetration_after_mm=float(left.max()) * 1e3,
        greatest_lift_mm=float(lift.max()) * 1e3,
        floor_height=ground.height,
        floor_tilt_deg=float(np.rad2deg(ground.tilt)),
        stature=fitted.body.stature,
        mass=fitted.body.mass,
        scaled=fitted.scaled,
        frames=len(fitted.poses),
        frames_per_second=len(fitted.poses) / max(seconds, 1e-9),
        mapping=MappingProxyType({link.site: link.source for link in mapping.links}),
    )


def _remarks(fitted: _Fitted, ground: Floor, mapping: Mapping) -> tuple[str, ...]:
    remarks = []
    if mapping.skin:
        remarks.append("joint centres are the fitted body's: the markers lie on the skin")
    if fitted.wild:
        remarks.append(f"{fitted.wild} point(s) seen far from the body in single frames were left out")
    if ground.resting == 0:
        remarks.append("no foot comes to rest: the floor's height is a guess")
    if ground.tilt > np.deg2rad(0.3):
        kept = ground.level[0] == 1.0
        what = "kept as a slope" if kept else "the clip was turned to make it level"
        remarks.append(f"the floor slopes by {np.rad2deg(ground.tilt):.1f}°: {what}")
    mean = np.nanmean(fitted.distance, axis=0) if np.isfinite(fitted.distance).any() else np.zeros(0)
    for site, value in zip(fitted.sites, mean, strict=True):
        if value > DOUBTFUL and fitted.scaled:
            remarks.append(f"'{site}' is {value * 100:.1f} cm off on average: is it mapped to the right joint?")
    return tuple(remarks)
