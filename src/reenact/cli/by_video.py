"""`reenact capture VIDEO`: from videos to motions on a body, which a search then goes on with as with any other."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reenact.cli import earlier, terminal
from reenact.cli.asked import Asked, as_strong_as_people, check_numbers, folders_of
from reenact.cli.by_video_kept import Kept
from reenact.cli.by_video_say import say_camera, say_floor, say_masks
from reenact.cli.by_video_track import Scene, models_of, tracks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reenact.body.body import Body
    from reenact.cli.by_video_camera import Calibration
    from reenact.cli.inputs import Reading
    from reenact.cli.watching import Watching
    from reenact.estimate.video.evidence import Evidence
    from reenact.estimate.video.settings import Settings
    from reenact.estimate.video.sighting import Sighting
    from reenact.estimate.video.track_file import KeptTrack
    from reenact.formats.take import Source
    from reenact.formats.video import Video
    from reenact.observe.camera_file import Up
    from reenact.observe.first_poses import FirstPoses
    from reenact.observe.silhouettes import Silhouettes


def asked_of_video(
    paths: Sequence[Path], watching: Watching, reading: Reading, *, output: Path | None, world: str, body: str | None,
    human: bool, seed: int, variations: int, resume: bool, smooth: float | None, threads: int | None,
    budget: float | None,
) -> list[Asked] | None:  # fmt: skip
    """One capture for each seed, masks and tracks found; None where Ctrl-C ended that and something is kept.

    What cannot work is refused before the masks are cut out, as far as that can be known by then.
    """
    from reenact.cli.by_video_camera import calibration_of, cameras_at_hand
    from reenact.formats.video import open_video
    from reenact.geometry.one_thread import one_thread
    from reenact.world.load import load_world

    watching.check(len(paths), reading)
    check_numbers(seed, threads)
    place = load_world(world)
    chosen, folders = _chosen(paths, output), folders_for(paths, output, variations)
    videos = [open_video(path) for path in paths]
    files = cameras_at_hand(videos, watching)
    up: Up = "z" if reading.up == "guess" else reading.up
    calibration = None if files is None else calibration_of(videos, files, watching, up)
    kept, seeds = Kept(chosen), tuple(seed + i for i in range(variations))
    try:
        with one_thread():
            scene, found = _scene(videos, watching, reading, calibration, body, kept, budget)
            tracks = tracks_of(replace(scene, threads=threads), seeds, kept)
    except KeyboardInterrupt:
        if not kept.any:
            raise
        folder = shlex.quote(str(kept.folder))
        earlier.note(f"stopped; masks and tracks found so far are kept in {folder}: the same command goes on with them")
        return None
    evidence = [
        _evidence(videos, found, scene.sightings, each, _spent(kept, scene, seed, cut=not watching.masks))
        for each, seed in zip(tracks, seeds, strict=True)
    ]
    say_floor(tracks[0])
    return [
        Asked(
            motion=as_strong_as_people(one.motion) if human else one.motion,
            world=place,
            source=_source(videos),
            seeds=(own,),
            folders=(folder,),
            resume=resume,
            smooth=smooth,
            threads=threads,
            seen=one,
        )
        for one, own, folder in zip(evidence, seeds, folders, strict=True)
    ]


def folders_for(paths: Sequence[Path], output: Path | None, variations: int) -> list[Path]:
    """Where the takes go; places that cannot hold one are refused."""
    return folders_of(_chosen(paths, output), variations)


def _chosen(paths: Sequence[Path], output: Path | None) -> Path:
    return output or Path(f"{paths[0].stem}-take")


def finish(paths: Sequence[Path], output: Path | None, parts: Sequence[Asked]) -> None:
    """Compare several takes, and clear away what was kept of masks and tracks: the takes hold them."""
    chosen = _chosen(paths, output)
    seen = [part.seen for part in parts if part.seen is not None]
    if len(seen) == len(parts) > 1:
        from reenact.cli.by_video_say import say_disagreement

        say_disagreement(chosen, [folder for part in parts for folder in part.folders], seen)
    Kept(chosen).remove()


def _scene(
    videos: Sequence[Video], watching: Watching, reading: Reading, calibration: Calibration | None, named: str | None,
    kept: Kept, budget: float | None,
) -> tuple[Scene, tuple[Silhouettes, ...]]:  # fmt: skip
    """Masks at even times, and all else that tracks are found from; told of before they are."""
    from reenact.cli.by_video_camera import body_of, calibration_of, tells_height
    from reenact.cli.by_video_masks import masks_of
    from reenact.cli.by_video_network import solved_camera, with_landmarks
    from reenact.estimate.video.several_beginnings import beginnings_for
    from reenact.estimate.video.sighting import choose_frames, sighting_of, trimmed
    from reenact.estimate.video.usable import usable_span
    from reenact.formats.observed import view_name

    names: list[str] = []
    for video in videos:
        names.append(view_name(video.path.stem, names))
    body, _ = body_of(watching, named, *((None,) if calibration is None else (calibration.poses, calibration.person)))
    models_of(watching.activity, body)  # a name that means nothing, or a model of another body: before the work
    found = masks_of(videos, names, watching, reading, kept)
    span = usable_span(found)
    if calibration is None:
        file = solved_camera(videos[0], names[0], found[0], watching, kept)
        calibration = calibration_of(videos, (file,), watching, "z")
    body, remarks = body_of(watching, named, calibration.poses, calibration.person)
    choice = choose_frames([each.time for each in found], *span)
    parts = zip(found, choice.frames, calibration.cameras, videos, names, strict=True)
    sightings = trimmed([sighting_of(a, b, choice.moments, c, video.path, name) for a, b, c, video, name in parts])
    say_masks(found, span, len(sightings[0].times), choice.words)
    say_camera(calibration)
    terminal.say(f"Person: {body.stature:.2f} m, {body.mass:.0f} kg")
    for remark in remarks:
        terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")
    poses = _fitting(calibration.poses, body)
    sightings, poses = with_landmarks(videos, sightings, found, body, watching, kept, poses)
    scene = Scene(
        body=body, video=videos[0], sightings=sightings, rate=choice.rate, poses=poses, sided=calibration.sided,
        activity=watching.activity, settings=track_settings(), beginnings=beginnings_for(budget),
        unsized=tells_height(watching, named, calibration.poses),
        weighed=named is not None or watching.mass is not None,
    )  # fmt: skip
    return scene, found


def _fitting(poses: FirstPoses | None, body: Body) -> FirstPoses | None:
    """First poses where they are of a body with the same hinges."""
    if poses is None or [axis.name for axis in poses.body.axes] != [axis.name for axis in body.axes]:
        return None
    return poses


def track_settings() -> Settings:
    """The usual settings of a track."""
    from reenact.estimate.video.settings import Settings

    return Settings()


def _spent(kept: Kept, scene: Scene, seed: int, *, cut: bool) -> float:
    """Processor time of masks, where they were cut out, of joints and of a track [s]."""
    names = [each.name for each in scene.sightings]
    joints = [f"joints {each.name}" for each in scene.sightings if each.marks is not None]
    return kept.spent([*(f"masks {name}" for name in names if cut), *joints, f"track {seed}"])


def _evidence(
    videos: Sequence[Video], found: tuple[Silhouettes, ...], sightings: Sequence[Sighting], kept: KeptTrack,
    spent: float,
) -> Evidence:  # fmt: skip
    """A track as a motion, set on the ground with the cameras."""
    from reenact.estimate.video.evidence import Evidence
    from reenact.estimate.video.grounded import grounded
    from reenact.estimate.video.motion_of import motion_of
    from reenact.estimate.video.sighting import mean_times

    track, lowered = grounded(kept.track, sightings)
    motion = motion_of(track, videos[0].path.stem, mean_times(lowered))
    return Evidence(
        videos=tuple(videos), silhouettes=found, sightings=lowered, track=track, motion=motion, model=kept.model,
        prices=kept.prices, core_seconds=spent,
    )  # fmt: skip


def _source(videos: Sequence[Video]) -> Source:
    """The videos for the record."""
    import hashlib

    from reenact.formats.take import Source, sha256_of

    hashes = [sha256_of(video.path) for video in videos]
    whole = hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
    return Source(name=" + ".join(video.path.name for video in videos), sha256=whole)
