"""One run on a drawn video: filmed, captured from the film alone, and held against the exact truth."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.body.body import Body
from reenact.body.load import load_body
from reenact.body.toml import dump_body, parse_body
from reenact.estimate.bench.record import source_hash
from reenact.estimate.bench.run import Done
from reenact.estimate.bench.share import stretch
from reenact.estimate.states.bench.search import QUICK_SETTINGS, Piece, found_by_batch, searched
from reenact.estimate.states.settings import Settings
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.measures import aligned_error_cm, error_cm
from reenact.estimate.video.subject import subject_seen
from reenact.estimate.video.variants import SIDED
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.formats.replace_file import replace_file
from reenact.formats.take import Source, Take, sha256_of
from reenact.formats.video import open_video
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.cut import cut_motion
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.resample import resample_poses
from reenact.motion.tree import tree_of
from reenact.observe.between_worlds import between_worlds
from reenact.observe.calibrate import calibrate
from reenact.observe.camera import Camera
from reenact.view.bench_video.lines import QUICK, Drawn, Line, Open
from reenact.view.bench_video.pipeline import Look, evidence_of, pose_models, pose_of_clicks
from reenact.view.synthetic.shoot import Filmed, film, read_filmed
from reenact.world.world import World

BODY: Final = "adult"  # of the person's size
PUSHES: Final = 8  # parts of the practice of a walk that is to be pushed a little afterwards
ROOT: Final = [0]  # joint that root-aligned errors are aligned by


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """A film, what a capture sees of it, and what it is told."""

    filmed: Filmed
    looks: tuple[Look, ...]
    body: Body  # that is captured with
    first: Array  # (7 + A,) rough first pose, in the looks' world


def recorded(line: Line, data: Path | None) -> Motion:
    """The motion that a line films, on the body of the person's size."""
    assert isinstance(line.what, Drawn)
    motion = bench_reference(bench_motion(line.what.motion), load_body(BODY), data, scale=True)
    if line.what.seconds is None:
        return motion
    return cut_motion(motion, 0, min(motion.frames, round(line.what.seconds * motion.rate) + 1))


def shown(line: Line, seed: int, motion: Motion, folder: Path, progress: Progress | None = None) -> Shown:
    """Film a line's motion, or take the film that is there; folder: where films of this motion and seed are kept."""
    what = line.what
    assert isinstance(what, Drawn)
    mark, depends = folder / "film.of", _depends(motion, what.views, seed)
    if not mark.is_file() or mark.read_text(encoding="utf-8") != depends:
        mark.unlink(missing_ok=True)
        film(motion, folder, seed=seed, views=what.views, progress=progress)
        replace_file(mark, depends)
    filmed = read_filmed(folder)  # as its files say it, also when it is new: their last digits differ
    view = what.views[0]
    clicks = filmed.clicks(view)
    if what.camera == "known":
        cameras, body = filmed.cameras, filmed.body
        first = pose_of_clicks(clicks.frames[0].points, body, cameras[0])
    else:
        solved = calibrate(clicks, open_video(filmed.video(view)))
        cameras, body, first = (solved.camera,), solved.body, solved.solved.poses[0]
    looks = tuple(
        Look(video=filmed.video(each), camera=camera, plate=filmed.plate(each), begin=filmed.begin)
        for each, camera in zip(what.views, cameras, strict=True)
    )
    return Shown(filmed=filmed, looks=looks, body=body, first=first)


def _depends(motion: Motion, views: Sequence[str], seed: int) -> str:
    """A hash of all that a film is made from."""
    moved = hashlib.sha256(motion.qpos.tobytes() + dump_body(motion.body).encode()).hexdigest()
    return f"{source_hash('view/synthetic')} {moved} {motion.rate} {','.join(views)} {seed}"


def captured(
    line: Line, seed: int, motion: Motion, films: Path, begun: Path, settings: Settings, *,
    threads: int | None = None, progress: Progress | None = None,
) -> tuple[Done, Evidence]:  # fmt: skip
    """Film, capture and measure; begun: where a search is kept until it is finished."""
    what = line.what
    assert isinstance(what, Drawn)
    clock = time.perf_counter()
    scene = shown(line, seed, motion, films, stretch(progress, 0.0, 0.1))
    drawn = time.perf_counter()
    models = pose_models(scene.body, what.activities)
    seen, seconds = evidence_of(
        scene.looks, scene.body, [scene.first], models, films, variants=SIDED, seed=seed,
        progress=stretch(progress, 0.1, 0.4),
    )  # fmt: skip
    source = Source(name=scene.looks[0].video.name, sha256=sha256_of(scene.looks[0].video))
    piece = Piece(subject=subject_seen(seen, World(), settings, threads=threads), source=source)
    share = stretch(progress, 0.4, 1.0)
    if what.way == "batch":
        done = found_by_batch(piece, settings, progress=share)
    else:
        done = searched(piece, settings, begun, judged=lambda take: against(take, seen, scene)[0], progress=share)
    error, aligned = against(done.take, seen, scene)
    figures: dict[str, Any] = {
        **done.figures,
        "error_cm": error,
        "aligned_cm": aligned,
        "from_track_cm": done.figures["error_cm"],
        **_of_track(seen, scene),
        "film_s": round(drawn - clock, 1),
        "track_s": round(seconds, 1),
    }
    take = seen.judged(done.take)
    known = ("silhouette_mismatch", "track_mismatch", "explains_video", "track_poses")
    figures |= {name: take.info.metrics[name] for name in known}
    return replace(done, take=take, figures=figures), seen


def against(take: Take, seen: Evidence, scene: Shown) -> tuple[float, float]:
    """Mean distance of a take's joint centres from the true ones [cm]: in the world, and with roots aligned."""
    body = parse_body(take.body_toml)
    clock = take.motion["time"]
    rate = 1.0 / float(clock[1] - clock[0])
    poses = np.asarray(take.motion["qpos"][:, : 7 + len(body.axes)], float)
    filmed = scene.filmed
    when = filmed.time - seen.start
    inside = (when >= -1e-6) & (when <= float(clock[-1]) + 0.5 / rate)
    found = resample_poses(poses, rate, np.clip(when[inside], 0.0, float(clock[-1])))
    return _errors(found, body, seen.sightings[0].camera, filmed, inside)


def _of_track(seen: Evidence, scene: Shown) -> dict[str, float]:
    """How far the track is off, before any physics [cm]."""
    filmed, times = scene.filmed, seen.sightings[0].times
    which = np.abs(filmed.time[:, None] - times).argmin(axis=0)
    error, aligned = _errors(seen.track.poses, seen.track.body, seen.sightings[0].camera, filmed, which)
    return {"track_cm": error, "track_aligned_cm": aligned}


def _errors(poses: Array, body: Body, camera: Camera, filmed: Filmed, frames: Any) -> tuple[float, float]:
    """Errors [cm] of poses (T, 7 + A) in a camera's world against the truth in some frames, in the true camera's."""
    found, _ = forward(tree_of(body), between_worlds(poses, camera, filmed.cameras[0]))
    order = [body.segment_names.index(name) for name in filmed.body.segment_names]
    true = filmed.joints[frames]
    return error_cm(found[:, order], true), aligned_error_cm(found[:, order], true, ROOT)


def settings_of(line: Line, seed: int) -> Settings:
    """How a line is searched for; a walk that is to be pushed afterwards is practised under pushes."""
    pushes = PUSHES if isinstance(line.what, Open) and line.what.pushed else 0
    return replace(QUICK_SETTINGS if line.part == QUICK else Settings(), seed=seed, pushes=pushes)
