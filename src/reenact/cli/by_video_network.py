"""What the pose network adds to a capture from video where it is installed: a camera where none is known; joints."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from reenact.cli import terminal
from reenact.errors import InputError, install

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reenact.body.body import Body
    from reenact.cli.by_video_kept import Kept
    from reenact.cli.watching import Watching
    from reenact.estimate.video.sighting import Sighting
    from reenact.formats.video import Video
    from reenact.observe.first_poses import FirstPoses
    from reenact.observe.network.keypoints import Keypoints
    from reenact.observe.silhouettes import Silhouettes

CAMERA = "cam.toml"


def network_lacks() -> str:
    """What the user has to do before the network can be used; empty where it can."""
    import importlib.util

    from reenact.observe.network.weights import missing

    if importlib.util.find_spec("ai_edge_litert") is None:
        return f"{install('network')} and `reenact network fetch`"
    return "`reenact network fetch`" if missing() else ""


def solved_camera(
    video: Video, view: str, masks: Silhouettes, watching: Watching, kept: Kept
) -> Path:  # fmt: skip
    """Solve a video's camera from joints that the network sees; the file, with the poses beside it.

    Whoever the masks are of is looked at. The file stays among what is kept, beside a picture to look at, and is solved
    anew where anything else is asked for.
    """
    from reenact.cli.by_video_kept import hash_of
    from reenact.cli.by_video_picture import spread_out, write_poses
    from reenact.cli.calibrated import save
    from reenact.formats.take import sha256_of
    from reenact.observe.clicks import KnownCamera, PersonSize
    from reenact.observe.network.calibrate import calibrate_by_network

    output = kept.folder / CAMERA
    size = (watching.height, watching.mass, watching.whole_sex)
    depends = hash_of(sha256_of(video.path), masks.time.tolist(), [each.box for each in masks.masks], size)
    name = shlex.quote(str(video.path))
    if kept.holds(CAMERA, depends) and output.is_file():
        terminal.say(f"The camera solved in an earlier run is used, from {terminal.escape(output)}.")
        return output
    terminal.say(
        f"No camera is known for {terminal.escape(name)}: it is solved from joints that the pose network sees, as by "
        f"{terminal.escape(f'`reenact calibrate {name} --by network`')}."
    )
    person = PersonSize(sex=watching.whole_sex or "male", height=watching.height, mass=watching.mass)
    person.body()  # refuses sizes that nobody has before the work
    seen = keypoints_for(video, view, masks, kept)
    found = calibrate_by_network(video, seen, person, KnownCamera())
    save(found, output)
    kept.hold(CAMERA, depends)
    picture, poses = output.with_suffix(".png"), found.solved.poses
    some = spread_out(len(poses))
    write_poses(picture, video, found.camera, found.body, poses[some], [found.clicked.frames[i].time for i in some])
    for remark in found.remarks:
        terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")
    terminal.say(
        f"Joints are met within {found.solved.rms_px:.1f} px in {len(poses)} frames; look at "
        f"{terminal.escape(shlex.quote(str(picture)))}: left is blue, right orange. What is known of the camera is "
        f"given to {terminal.escape(f'`reenact calibrate {name} --by network`')}, once, before this command."
    )
    return output


def keypoints_for(video: Video, view: str, masks: Silhouettes, kept: Kept) -> Keypoints:
    """What the network sees of the person whom masks are of; kept."""
    from reenact.cli.by_video_kept import hash_of
    from reenact.formats.take import sha256_of
    from reenact.observe.network.along import keypoints_along
    from reenact.observe.network.calibrate import SIZE

    boxes = [each.box for each in masks.masks]
    depends = hash_of(sha256_of(video.path), masks.time.tolist(), boxes)
    if (found := kept.keypoints(view, depends)) is not None:
        return found
    with kept.timed(f"joints {view}"), terminal.progress(f"looking at {video.path.name}") as advance:
        found = keypoints_along(
            video.path, masks, long_side=SIZE, progress=lambda done, what: advance(done, f"joints: {what}")
        )
    kept.keep_keypoints(view, depends, found)
    return found


def _say_alone(lacks: str) -> None:
    """That silhouettes alone are followed, and what would help; lacks: what the network needs, empty if not wanted."""
    seen = "joints that the pose network sees"
    helps = f"{seen} do: {lacks}, then this command again" if lacks else f"without --joints no {seen} are followed too"
    terminal.say(
        "Silhouettes alone are followed: they hardly tell arms before the trunk, nor which leg is nearer; "
        f"{terminal.escape(helps)}."
    )


def with_landmarks(
    videos: Sequence[Video], sightings: Sequence[Sighting], masks: Sequence[Silhouettes], body: Body,
    watching: Watching, kept: Kept, poses: FirstPoses | None,
) -> tuple[tuple[Sighting, ...], FirstPoses | None]:  # fmt: skip
    """The sightings with the network's joints, where it is to be used, and first poses where there were none."""
    from reenact.estimate.video.network_marks import watched
    from reenact.observe.first_poses import FirstPoses

    lacks = network_lacks()
    if watching.joints == "no" or (watching.joints == "auto" and lacks):
        _say_alone("" if watching.joints == "no" else lacks)
        return tuple(sightings), poses
    if lacks:
        raise InputError(f"--joints needs the pose network: {lacks}")
    out = []
    for video, seen, each in zip(videos, sightings, masks, strict=True):
        try:
            found = watched(keypoints_for(video, seen.name, each, kept), seen, body)
        except InputError as error:
            if watching.joints == "yes":
                raise InputError(f"--joints yes, but {error}") from None
            terminal.say(f"[yellow]warning[/]: {terminal.escape(error)}; the masks alone are followed")
            out.append(seen)
            continue
        terminal.say(
            f"Joints of {terminal.escape(video.path.name)} by the pose network in {found.frames} of "
            f"{len(seen.times)} frames: they are followed beside the masks (--joints no leaves them out)."
        )
        out.append(replace(seen, marks=found.marks))
        if poses is None and seen is sightings[0]:
            poses = FirstPoses(
                video=video.path.name, body=body, time=found.time, qpos=found.qpos, error_px=found.error_px
            )
    return tuple(out), poses
