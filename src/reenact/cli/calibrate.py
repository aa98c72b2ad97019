"""`reenact calibrate`: the camera of a video and the person's first pose, from joints clicked on a page or before."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.formats.video import Video
    from reenact.observe.calibrate import Calibrated
    from reenact.observe.clicks import ClickedVideo

CAMERA = Path("cam.toml")


def calibrate(
    video: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="VIDEO")],
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="CAM.toml", help_behavior_hint="")] = None,
    height: Annotated[float | None, tyro.conf.arg(metavar="METRES", help_behavior_hint="")] = None,
    sex: Annotated[
        Literal["female", "male", "f", "m"] | None, tyro.conf.arg(metavar="female|male", help_behavior_hint="")
    ] = None,
    mass: Annotated[float | None, tyro.conf.arg(metavar="KG", help_behavior_hint="")] = None,
    at: Annotated[tuple[float, ...], tyro.conf.arg(metavar="SECONDS …", help_behavior_hint="")] = (),
    clicks: Annotated[Path | None, tyro.conf.arg(metavar="CLICKS.json", help_behavior_hint="")] = None,
    focal: Annotated[float | None, tyro.conf.arg(metavar="PIXELS", help_behavior_hint="")] = None,
    tilt: Annotated[float | None, tyro.conf.arg(metavar="DEGREES", help_behavior_hint="")] = None,
    roll: Annotated[float | None, tyro.conf.arg(metavar="DEGREES", help_behavior_hint="")] = None,
    camera_height: Annotated[float | None, tyro.conf.arg(metavar="METRES", help_behavior_hint="")] = None,
    port: int = 8080,
    json: bool = False,
) -> None:
    """Find a video's camera and the person's first pose: click the joints in a few frames, on a page of its own.

    The page shows the solved body over the picture before anything is written. Give the person's height: from one
    picture nobody knows a child nearby from a giant far off. One frame does not tell the focal length, several with the
    person nearer and farther off do. The camera's height above the ground, measured with a tape, tells its tilt.

    Example: reenact calibrate walk.mp4 --height 1.68 --sex f -o cam.toml

    Args:
        video: A video file.
        output: The camera's file, cam.toml unless said; beside it what was clicked (cam.clicks.json) and the poses
            (cam.poses.npz). What was clicked there before is gone on with. With --clicks nothing is written without it.
        height: The person's stature.
        sex: The person's sex, for the proportions.
        mass: The person's mass.
        at: Times of frames to begin with.
        clicks: Solve from joints clicked before and print the result, without a page.
        focal: The camera's focal length, where known.
        tilt: Angle by which the camera looks below the horizon, where known.
        roll: Angle by which the camera is turned clockwise, where known.
        camera_height: The camera's height above the ground, where known.
        port: Port to serve the page on; the next free one where it is taken.
        json: With --clicks, print the result as JSON.
    """
    from reenact.formats.video import open_video

    if output is not None and output.suffix != ".toml":
        raise InputError(f"expected a name that ends in .toml, not '{output.suffix}'", path=output)
    if clicks is not None and at:
        raise InputError("--at chooses frames for the page; --clicks has its own")
    if json and clicks is None:
        raise InputError("--json needs --clicks: the page shows the result itself")
    opened = open_video(video)
    person = {
        "sex": None if sex is None else {"f": "female", "m": "male"}.get(sex, sex),
        "height": height,
        "mass": mass,
    }
    known = {"focal_px": focal, "tilt_deg": tilt, "roll_deg": roll, "height": camera_height}
    if clicks is not None:
        _solve(opened, _with(_read(clicks), person, known), clicks, output, json)
    else:
        target = output or CAMERA
        _serve(opened, _with(_begun(opened, target), person, known), target, at, port)


def _read(path: Path) -> ClickedVideo:
    from reenact.observe.clicks import read_clicks

    return read_clicks(path)


def _begun(video: Video, output: Path) -> ClickedVideo:
    """What was clicked before, where there is something; it must be of this video."""
    from reenact.observe.clicks import ClickedVideo

    earlier, size = _beside(output)[1], (video.width, video.height)
    if not earlier.exists():
        return ClickedVideo(video=video.path.name, size=size, frames=())
    found = _read(earlier)
    if found.video != video.path.name or tuple(found.size) != size:
        wanted = f"{video.path.name}, {size[0]} × {size[1]} pixels"
        got = f"{found.video}, {found.size[0]} × {found.size[1]} pixels"
        raise InputError(f"holds clicks in {got}, not {wanted}: write elsewhere with -o", path=earlier)
    return found


def _with(clicked: ClickedVideo, person: Mapping[str, object], known: Mapping[str, object]) -> ClickedVideo:
    """The same clicks with the numbers given on the command line, which are checked here."""
    import msgspec

    def given(values: Mapping[str, object]) -> dict[str, object]:
        return {key: value for key, value in values.items() if value is not None}

    made = msgspec.structs.replace(
        clicked,
        person=msgspec.structs.replace(clicked.person, **given(person)),
        known=msgspec.structs.replace(clicked.known, **given(known)),
    )
    made.person.body()
    made.known.known()
    return made


def _solve(video: Video, clicked: ClickedVideo, clicks: Path, output: Path | None, as_json: bool) -> None:
    import json

    from reenact.observe.calibrate import calibrate as solve
    from reenact.view.calibrate_page import answer

    with terminal.progress(f"solving {clicks.name}") as advance:
        found = solve(clicked, video, path=clicks, progress=advance)
    written = [] if output is None else _save(found, output)
    if as_json:
        terminal.plain(json.dumps({**answer(found), "saved": written}, indent=1, ensure_ascii=False))
        return
    _say(found)
    if written:
        terminal.say(f"Written: {', '.join(f'[bold]{terminal.escape(shlex.quote(name))}[/]' for name in written)}")


def _serve(video: Video, start: ClickedVideo, output: Path, at: tuple[float, ...], port: int) -> None:
    from reenact.formats.video_frame import frame_at
    from reenact.view.calibrate_server import calibration_page

    times = tuple(frame_at(video, time).time for time in at)

    def save(found: Calibrated) -> list[str]:
        written = _save(found, output)
        _say(found)
        terminal.say(f"Written: {', '.join(terminal.escape(shlex.quote(name)) for name in written)}; Ctrl-C ends.")
        return written

    with calibration_page(video, start, times, str(output), save, port) as address, suppress(KeyboardInterrupt):
        terminal.say(f"Open [bold]{terminal.escape(address)}[/] in a browser; Ctrl-C ends.")
        threading.Event().wait()


def _beside(output: Path) -> tuple[Path, Path, Path]:
    """Files of a camera: itself, clicks, poses."""
    return output, output.with_suffix(".clicks.json"), output.with_suffix(".poses.npz")


def _save(found: Calibrated, output: Path) -> list[str]:
    from reenact.formats.replace_file import replace_file
    from reenact.observe.camera_file import write_cameras
    from reenact.observe.clicks import dump_clicks
    from reenact.observe.first_poses import first_poses_of, save_first_poses

    camera, clicks, poses = _beside(output)
    frames = len(found.clicked.frames)
    notes = [
        f"solved from joints clicked in {frames} frame{'s' * (frames > 1)} of {found.clicked.video}, "
        f"for a person {found.body.stature:.2f} m tall; {found.solved.rms_px:.1f} px rms",
        *(f"warning: {remark}" for remark in found.remarks),
    ]
    replace_file(clicks, dump_clicks(found.clicked))
    save_first_poses(poses, first_poses_of(found))
    write_cameras(camera, [found.camera], notes)
    return [str(path) for path in (camera, clicks, poses)]


def _say(found: Calibrated) -> None:
    from math import degrees

    camera, solved = found.camera, found.solved
    spread = solved.spread
    rows = [
        ("focal length", f"{camera.focal[0]:.0f} px", f"± {100 * spread['focal']:.0f} %"),
        ("tilt, down", f"{degrees(camera.tilt):.1f}°", f"± {degrees(spread['tilt']):.1f}°"),
        ("roll, clockwise", f"{degrees(camera.roll):.1f}°", f"± {degrees(spread['roll']):.1f}°"),
        ("height", f"{camera.height:.2f} m", f"± {spread['height']:.2f} m"),
        ("to the person", f"{camera.depth(solved.poses[0][:3]):.2f} m", ""),
    ]
    table = terminal.table("camera", "", "spread", numbers=("", "spread"))
    for row in rows:
        table.add_row(*row)
    terminal.show(table)
    times = [f"{frame.time:.2f} s" for frame in found.clicked.frames]
    table = terminal.table("joint, px off", *times, numbers=times)
    names = list(dict.fromkeys(name for each in solved.errors for name in each))
    for name in names:
        table.add_row(name, *(f"{each[name]:.1f}" if name in each else "" for each in solved.errors))
    terminal.show(table)
    terminal.say(f"{solved.rms_px:.1f} px rms")
    for remark in found.remarks:
        terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")
