"""From videos to what a search begins with, as `reenact capture` goes: masks, first pose, track, motion."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from reenact.body.body import Body
from reenact.body.toml import dump_body
from reenact.errors import ReenactError
from reenact.estimate.bench.record import source_hash
from reenact.estimate.bench.share import stretch
from reenact.estimate.spent import Clock, Spent
from reenact.estimate.video.begin import Beginning, by_search, from_known, known_pose, varied
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.grounded import grounded
from reenact.estimate.video.kept_ends import KeptEnds
from reenact.estimate.video.motion_of import motion_of
from reenact.estimate.video.network_marks import Watched, watched
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.several_beginnings import follow_again
from reenact.estimate.video.sighting import Sighting, choose_frames, mean_times, sighting_of, trimmed
from reenact.estimate.video.track_file import KeptTrack, load_track, save_track
from reenact.estimate.video.usable import usable_span
from reenact.estimate.video.variants import VARIANTS
from reenact.formats.camera.toml import format_camera_toml
from reenact.formats.replace_file import replace_file
from reenact.formats.take import sha256_of
from reenact.formats.video import open_video
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe.between_worlds import between_worlds
from reenact.observe.camera import Camera
from reenact.observe.camera_file import calibration_of
from reenact.observe.camera_guess import all_known
from reenact.observe.camera_solve import Clicks, solve_camera
from reenact.observe.network.along import keypoints_along
from reenact.observe.network.calibrate import SIZE
from reenact.observe.network.keypoint_file import load_keypoints, save_keypoints
from reenact.observe.network.silhouettes import silhouettes_by_network
from reenact.observe.person import Hint
from reenact.observe.silhouettes import Silhouettes
from reenact.observe.silhouettes_npz import load_silhouettes, save_silhouettes
from reenact.observe.watch import Asked, silhouettes_of
from reenact.priors.file import dump_model
from reenact.priors.identity import IDENTITY
from reenact.priors.load import bundled_models, model_for
from reenact.priors.model import PoseModel


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One view of somebody, and how the masks are cut out of it."""

    video: Path
    camera: Camera
    plate: Path | None = None
    begin: float | None = None  # [s]
    end: float | None = None
    hint: Hint | None = None
    by_network: bool = False
    joints: bool = False  # whether those that the pose network sees are followed beside the masks, where it is there

    @property
    def name(self) -> str:
        """Of the view."""
        return self.video.stem

    @property
    def asked(self) -> Asked:
        """Of the masks."""
        return Asked(begin=self.begin, end=self.end, hint=self.hint, plate=self.plate)


def masks_of(look: Look, keep: Path, progress: Progress | None = None) -> tuple[Silhouettes, Spent]:
    """The masks of a view, kept in a folder beside what they depend on, and what they took."""
    path, mark = keep / f"{look.name}-masks.npz", keep / f"{look.name}-masks.of"
    asked = f"{look.begin} {look.end} {look.hint} {look.by_network} {look.plate is not None}"
    depends = f"{sha256_of(look.video)} {asked} {source_hash('observe', 'formats')}"
    took = _took(mark, depends)
    if took is None:
        clock = Clock(Spent())
        cut = silhouettes_by_network if look.by_network else silhouettes_of
        found = cut(look.video, look.asked, progress=progress)
        keep.mkdir(parents=True, exist_ok=True)
        save_silhouettes(path, found)
        took = _mark(mark, depends, clock)
    return load_silhouettes(path), took


def with_joints(
    looks: Sequence[Look], masks: Sequence[Silhouettes], sightings: Sequence[Sighting], body: Body, keep: Path
) -> tuple[tuple[Sighting, ...], Watched | None, list[Spent]]:
    """The sightings with the network's joints in those that ask for it; without where it is not installed.

    Also what it tells of poses in the first view, and what looking took.
    """
    out, first, spent = [], None, list[Spent]()
    for look, found, seen in zip(looks, masks, sightings, strict=True):
        path, mark = keep / f"{look.name}-joints.npz", keep / f"{look.name}-joints.of"
        boxes, code = hash(tuple(each.box for each in found.masks)), source_hash("observe", "formats")
        depends = f"{sha256_of(look.video)} {boxes} {code}"
        try:
            if look.joints and (took := _took(mark, depends)) is None:
                clock = Clock(Spent())
                save_keypoints(path, keypoints_along(look.video, found, long_side=SIZE))
                took = _mark(mark, depends, clock)
            known = watched(load_keypoints(path), seen, body) if look.joints else None
            spent += [took] if look.joints and took is not None else []
        except ReenactError:
            known = None
        first = known if look is looks[0] else first
        out.append(replace(seen, marks=None if known is None else known.marks))
    return tuple(out), first, spent


def _took(mark: Path, depends: str) -> Spent | None:
    """What it took to make what a file marks as made from `depends`; None where it is not there."""
    lines = mark.read_text(encoding="utf-8").splitlines() if mark.is_file() else []
    if len(lines) != 3 or lines[0] != depends:
        return None
    return Spent(wall_seconds=float(lines[1]), core_seconds=float(lines[2]))


def _mark(mark: Path, depends: str, clock: Clock) -> Spent:
    """Mark something as made from `depends`, and say what it took."""
    took = clock.spent()
    replace_file(mark, f"{depends}\n{took.wall_seconds:.1f}\n{took.core_seconds:.1f}\n")
    return took


def sighted(looks: Sequence[Look], found: Sequence[Silhouettes]) -> tuple[tuple[Sighting, ...], float]:
    """What was seen at even times by all views, and how many a second."""
    choice = choose_frames([each.time for each in found], *usable_span(found))
    sightings = [
        sighting_of(masks, frames, choice.moments, look.camera, look.video, look.name)
        for masks, frames, look in zip(found, choice.frames, looks, strict=True)
    ]
    return trimmed(sightings), choice.rate


def evidence_of(
    looks: Sequence[Look], body: Body, firsts: Sequence[Array], models: Sequence[PoseModel], keep: Path, *,
    variants: Sequence[str] = VARIANTS, seed: int = 0, progress: Progress | None = None,
) -> tuple[Evidence, float]:  # fmt: skip
    """Masks, a track from first poses (7 + A,), or some that the network tells or are searched for, and its motion.

    Also what masks, joints and track took [s]; all are kept. variants: images of the first poses that are tried.
    """
    tell, count = progress or (lambda fraction, what: None), len(looks)
    parts = [stretch(tell, 0.4 * i / count, 0.4 * (i + 1) / count) for i in range(count)]
    found, cut = zip(*(masks_of(look, keep, part) for look, part in zip(looks, parts, strict=True)), strict=True)
    sightings, rate = sighted(looks, found)
    sightings, told, looked = with_joints(looks, found, sightings, body, keep)
    best, took = _followed(body, sightings, rate, firsts, told, models, variants, keep, seed, stretch(tell, 0.4, 1.0))
    track, sightings = grounded(best.track, sightings)
    seen = Evidence(
        videos=tuple(open_video(look.video) for look in looks),
        silhouettes=tuple(found),
        sightings=sightings,
        track=track,
        motion=motion_of(track, looks[0].name, mean_times(sightings)),
        model=best.model,
        prices=best.prices,
        core_seconds=sum(each.core_seconds for each in (*cut, *looked, took)),
    )
    return seen, sum(each.wall_seconds for each in (*cut, *looked, took))


def _followed(
    body: Body, sightings: Sequence[Sighting], rate: float, firsts: Sequence[Array], told: Watched | None,
    models: Sequence[PoseModel], variants: Sequence[str], keep: Path, seed: int, progress: Progress | None,
) -> tuple[KeptTrack, Spent]:  # fmt: skip
    """The track, found or kept, and what it took."""
    total = hashlib.sha256(dump_body(body).encode() + b"".join(np.asarray(each).tobytes() for each in firsts))
    for each in sightings:
        total.update(each.masks.tobytes() + each.times.tobytes() + each.quality.tobytes())
        total.update(format_camera_toml([calibration_of(each.camera)]).encode())
        total.update(b"" if each.marks is None else b"".join(array.tobytes() for array in each.marks.arrays))
    for model in models:
        total.update(dump_model(model).encode())
    code = source_hash("geometry", "body", "estimate/video", "priors", "observe", "motion")
    named = f"{','.join(model.name for model in models)} {','.join(variants)}"
    depends = f"{total.hexdigest()} {named} {seed} {asdict(Settings())} {code}"
    path = keep / f"track-{total.hexdigest()[:16]}-{seed}.npz"
    mark = path.with_suffix(".of")
    took = _took(mark, depends)
    if took is None:
        clock = Clock(Spent())
        if not firsts:
            firsts = _begun(body, sightings, rate, told, models, stretch(progress, 0.0, 0.2)).firsts
        starts = [varied(each, seed) for each in firsts]
        seen = [each.seen for each in sightings]
        ends = KeptEnds(path=lambda number: path.with_name(f"{path.stem}-{number}.npz"), depends=depends)
        found = follow_again(
            body, seen, rate, starts, models, seed=seed, variants=variants, ends=ends,
            progress=stretch(progress, 0.2, 1.0),
        )  # fmt: skip
        best = KeptTrack(
            depends=depends, track=found.end.track, model=found.model.name, variant=found.end.variant,
            first=found.end.first, frame=0, first_mismatch=0.0, words="", prices=found.prices, doubts=found.doubts,
        )  # fmt: skip
        save_track(path, best)
        took = _mark(mark, depends, clock)
    return load_track(path), took


def _begun(
    body: Body, sightings: Sequence[Sighting], rate: float, told: Watched | None, models: Sequence[PoseModel],
    progress: Progress | None,
) -> Beginning:  # fmt: skip
    """A first pose that the network tells of, or else one that is searched for by the first mask."""
    known = None if told is None else known_pose(body, sightings, told.time, told.qpos)
    if told is None or known is None:
        return by_search(body, sightings, rate, models, progress=progress)
    model = models[0] if len(models) == 1 else model_for(IDENTITY, body)
    return from_known(body, sightings, rate, told.qpos[known[0]], known[1], model, progress=progress)


def pose_models(body: Body, names: Sequence[str] = ()) -> list[PoseModel]:
    """The models of these names, all unless said."""
    return [model_for(name, body) for name in names or (*bundled_models(), IDENTITY)]


def pose_of_clicks(clicks: Clicks, body: Body, camera: Camera) -> Array:
    """The pose (7 + A,) in the world of a known camera that shows a body's points where they were clicked."""
    solved = solve_camera([clicks], body, camera.size, known=all_known(camera))
    return np.asarray(between_worlds(solved.poses[:1], solved.camera, camera)[0])
