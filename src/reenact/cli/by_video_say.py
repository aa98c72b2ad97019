"""What a capture from video says: of masks, camera and ground before the search, of the takes after it."""

from __future__ import annotations

import json
import shlex
from math import degrees, isfinite
from typing import TYPE_CHECKING

import numpy as np

from reenact.cli import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reenact.cli.by_video_camera import Calibration
    from reenact.estimate.video.evidence import Evidence
    from reenact.estimate.video.explain import Explained
    from reenact.estimate.video.track_file import KeptTrack
    from reenact.observe.silhouettes import Silhouettes

MOST_JOINTS = 6  # told of where takes disagree


def say_masks(found: Sequence[Silhouettes], span: tuple[float, float], count: int, words: str) -> None:
    """Which part of the videos is used, how good its masks are, and which frames stand for even times."""
    from reenact.estimate.video.usable import doubted_frames

    for each in found:
        doubted = doubted_frames(each, span)
        inside = (each.time >= span[0] - 1e-6) & (each.time <= span[1] + 1e-6)
        doubt = f", {doubted} of them doubted and left out" if doubted else ""
        terminal.say(
            f"[bold]{terminal.escape(each.name)}[/]: {each.time[-1] - each.time[0]:.2f} s watched, "
            f"{span[1] - span[0]:.2f} s used from {span[0]:.2f} to {span[1]:.2f} s, where masks can be trusted: "
            f"{np.count_nonzero(inside)} frames of mean quality {each.quality[inside].mean():.2f}{doubt}"
        )
        for remark in each.remarks:
            terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")
    terminal.say(f"Followed at {count} moments: {words}")


def say_camera(calibration: Calibration) -> None:
    """Where the cameras stand."""
    for camera, file in zip(calibration.cameras, calibration.files, strict=True):
        terminal.say(
            f"Camera '{terminal.escape(camera.name)}' of {terminal.escape(file)}: {camera.height:.2f} m above the "
            f"ground, looks {degrees(camera.tilt):.1f}° down, focal length {camera.focal[0]:.0f} px of "
            f"{camera.size[0]} × {camera.size[1]}"
        )


def say_beginnings(kept: KeptTrack) -> None:
    """From how many beginnings a doubtful track was followed, and what each cost."""
    if len(kept.prices) < 2:
        return
    costs = ", ".join(f"{price:.0f}" for price in kept.prices)
    chosen = kept.prices.index(min(kept.prices)) + 1
    why = terminal.escape(" and ".join(kept.doubts))
    terminal.say(
        f"Followed from {len(kept.prices)} beginnings, because {why}: the tracks cost {costs}; number {chosen}, the "
        "cheapest, is used."
    )


def say_floor(kept: KeptTrack) -> None:
    """What the feet of a track tell of the ground."""
    from reenact.estimate.video.grounded import FAR, ground_under
    from reenact.estimate.video.motion_of import ASKEW

    ground = ground_under(kept.track)
    off = f"{100.0 * abs(ground.height):.1f} cm {'above' if ground.height > 0 else 'below'} the camera's ground"
    if not ground.told:
        terminal.say("[yellow]warning[/]: no foot comes to rest in the track: the ground is the camera's")
    elif abs(ground.height) >= FAR:
        terminal.say(f"[yellow]warning[/]: the feet rest {off}: are its height and tilt right, or --ground?")
    elif ground.moves:
        level = "" if ground.turned == 0.0 else f", {degrees(ground.turned):.1f}° askew"
        terminal.say(f"The feet rest {off}{level}: the ground is put there.")
    if ground.told and ground.tilt > ASKEW and not (ground.moves and ground.turned):
        terminal.say(
            f"[yellow]warning[/]: the floor slopes by {degrees(ground.tilt):.1f}° under the track: the camera's tilt "
            "or roll may be off"
        )


def say_explained(found: Explained, output: Path, start: float) -> None:
    """How well a simulation explains the video, that it does not where it does not, and how to see it.

    start: time in the video at which the take begins [s].
    """
    name = shlex.quote(str(output))
    movie = shlex.quote(f"{output.absolute().name}.mp4")
    terminal.say(f"See it over the video with: {terminal.escape(f'reenact render {name} --overlay -o {movie}')}")
    if not isfinite(found.mean):
        return
    terminal.say(
        f"Silhouettes of the simulated body differ from the masks by {found.mean:.2f}, those of the track by "
        f"{found.track_mean:.2f} (0 the same, 2 nothing in common)."
    )
    if not found.by_physics:
        begin, end = found.worst()
        terminal.say(
            f"[yellow]Physics does not explain the video[/]: the simulated body is far behind the track, most from "
            f"{start + begin:.2f} to {start + end:.2f} s of the video. Check the track, the camera's tilt and the "
            "person's height, or search longer."
        )


def say_disagreement(output: Path, folders: Sequence[Path], seen: Sequence[Evidence]) -> None:
    """Where takes of the same video disagree, in a table and a file beside them; seen: what each was made from."""
    from reenact.body.toml import parse_body
    from reenact.estimate.video.disagreement import disagreement
    from reenact.estimate.video.evidence import sight_axes
    from reenact.formats.replace_file import replace_file
    from reenact.formats.take import read_take
    from reenact.observe.between_worlds import between_worlds

    takes = [read_take(folder) for folder in folders]
    width = seen[0].track.poses.shape[1]
    cameras = [
        own.sightings_at(take.reference["qpos"][0])[0].camera for take, own in zip(takes, seen, strict=True)
    ]  # each take has its own ground
    captures = [
        (
            parse_body(take.body_toml),
            between_worlds(np.asarray(take.motion["qpos"][:, :width], float), camera, cameras[0]),
            1.0 / float(take.motion["time"][1] - take.motion["time"][0]),
        )
        for take, camera in zip(takes, cameras, strict=True)
    ]
    found = disagreement(captures, sight_axes([each.camera for each in seen[0].sightings]))
    path = output.absolute().with_name(f"{output.absolute().name}-disagreement.json")
    replace_file(path, json.dumps(found.to_json()) + "\n")
    across, up, deep = found.along_cm
    terminal.say(
        f"{found.captures} takes disagree by {found.spread_cm.mean():.1f} cm on average: {across:.1f} cm across the "
        f"picture, {up:.1f} up, {deep:.1f} along the line of sight. Most uncertain:"
    )
    table = terminal.table("joint of", "mean cm", "most cm", "at s", numbers=("mean cm", "most cm", "at s"))
    for name, mean, most, time in found.by_joint()[:MOST_JOINTS]:
        table.add_row(name, f"{mean:.1f}", f"{most:.1f}", f"{time:.2f}")
    terminal.show(table)
    terminal.say(
        f"By joint and time in {terminal.escape(shlex.quote(str(path)))}; where takes agree, all may be wrong alike."
    )
