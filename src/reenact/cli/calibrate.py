"""`reenact calibrate`: a video's camera and the person's first pose, from joints clicked or seen by the network."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.calibrated import files_of, save, say, tell
from reenact.cli.still_camera import check_still
from reenact.errors import InputError, ReenactError

if TYPE_CHECKING:
    from reenact.formats.video import Video
    from reenact.observe.calibrate import Calibrated, Span
    from reenact.observe.clicks import ClickedVideo
    from reenact.observe.lens import Lens
    from reenact.observe.watch import Asked

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
    by: Literal["page", "network"] = "page",
    begin: Annotated[float | None, tyro.conf.arg(name="from", metavar="SECONDS", help_behavior_hint="")] = None,
    end: Annotated[float | None, tyro.conf.arg(name="to", metavar="SECONDS", help_behavior_hint="")] = None,
    person: Annotated[str | None, tyro.conf.arg(metavar="X,Y[,SECONDS]", help_behavior_hint="")] = None,
    focal: Annotated[float | None, tyro.conf.arg(metavar="PIXELS", help_behavior_hint="")] = None,
    lens: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None,
    tilt: Annotated[float | None, tyro.conf.arg(metavar="DEGREES", help_behavior_hint="")] = None,
    roll: Annotated[float | None, tyro.conf.arg(metavar="DEGREES", help_behavior_hint="")] = None,
    camera_height: Annotated[float | None, tyro.conf.arg(metavar="METRES", help_behavior_hint="")] = None,
    port: int = 8080,
    json: bool = False,
) -> None:
    """Find a video's camera and the person's first pose: click the joints in a few frames, or let a network see them.

    The camera must stand still. The page shows the solved body over the picture before anything is written; --by
    network needs no clicks but the extra `network` and `reenact network fetch`, and writes a picture to look at. Give
    the person's height: from one picture nobody knows a child nearby from a giant far off. One frame does not tell the
    focal length, several with the person nearer and farther off do. The camera's height above the ground, measured with
    a tape, tells its tilt.

    Example: reenact calibrate walk.mp4 --height 1.68 --sex f -o cam.toml

    Args:
        video: A video file.
        output: The camera's file, cam.toml unless said; beside it what was clicked (cam.clicks.json), the poses
            (cam.poses.npz), and by the network a picture of them (cam.png). What was clicked there before is gone on
            with. With --clicks nothing is written without it.
        height: The person's stature.
        sex: The person's sex, for the proportions.
        mass: The person's mass.
        at: Times of frames to begin with.
        clicks: Solve from joints clicked before and print the result, without a page.
        by: Where the joints come from: clicks on the page, or the pose network, in up to 32 frames.
        begin: Use the video from this time on, as where the camera stands still after it alone.
        end: Use the video up to this time.
        person: By the network: a point on the person meant, as shares of the picture's width and height, and when.
        focal: The camera's focal length, where known.
        lens: A calibration of the lens alone, as OpenCV writes it (YAML), or any file with cameras: focal length,
            optical axis and distortion are taken from it, where the camera stands is solved.
        tilt: Angle by which the camera looks below the horizon, where known.
        roll: Angle by which the camera is turned clockwise, where known.
        camera_height: The camera's height above the ground, where known.
        port: Port to serve the page on; the next free one where it is taken.
        json: With --clicks or --by network, print the result as JSON.
    """
    from reenact.formats.video import open_video
    from reenact.formats.writable import refuse_unwritable

    if output is not None and output.suffix != ".toml":
        raise InputError(f"expected a name that ends in .toml, not '{output.suffix}'", path=output)
    if clicks is not None and at:
        raise InputError("--at chooses frames for the page; --clicks has its own")
    if json and clicks is None and by == "page":
        raise InputError("--json needs --clicks or --by network: the page shows the result itself")
    if by == "network" and (clicks is not None or at):
        raise InputError(f"--by network finds the joints itself; leave out {'--at' if at else '--clicks'}")
    if by == "page" and person is not None:
        raise InputError("--person is for --by network; on the page, click the joints of whoever is meant")
    if lens is not None and focal is not None:
        raise InputError("--lens tells the focal length; leave out --focal, or --lens")
    if output is not None or clicks is None:
        refuse_unwritable(output or CAMERA)
    opened = open_video(video)
    span = begin or 0.0, float("inf") if end is None else end
    size = {
        "sex": None if sex is None else {"f": "female", "m": "male"}.get(sex, sex),
        "height": height,
        "mass": mass,
    }
    known = {
        "focal_px": focal,
        "tilt_deg": tilt,
        "roll_deg": roll,
        "height": camera_height,
        "lens": None if lens is None else _lens(opened, lens),
    }
    if by == "network":
        asked = _asked(begin, end, person)
        _look(opened, _with(_blank(opened), size, known), asked, output or CAMERA, json)
    elif clicks is not None:
        _solve(opened, _with(_read(clicks), size, known), span, clicks, output, json)
    else:
        target = output or CAMERA
        _serve(opened, _with(_begun(opened, target), size, known), span, target, at, port)


def _asked(begin: float | None, end: float | None, person: str | None) -> Asked:
    from reenact.cli.silhouettes import hint_of
    from reenact.observe.network.calibrate import SIZE
    from reenact.observe.watch import Asked

    return Asked(begin=begin, end=end, hint=hint_of(person), long_side=SIZE)


def _lens(video: Video, path: Path) -> Lens:
    from reenact.observe.lens import read_lens

    return read_lens(path, video.path.stem, (video.width, video.height))


def _blank(video: Video) -> ClickedVideo:
    from reenact.formats.video_content import content_of
    from reenact.observe.clicks import ClickedVideo

    content = content_of(video.path)
    return ClickedVideo(video=video.path.name, content=content, size=(video.width, video.height), frames=())


def _read(path: Path) -> ClickedVideo:
    from reenact.observe.clicks import read_clicks

    return read_clicks(path)


def _begun(video: Video, output: Path) -> ClickedVideo:
    """What was clicked before, where there is something; it must be of this video."""
    import msgspec

    earlier, size, blank = files_of(output)[1], (video.width, video.height), _blank(video)
    if not earlier.exists():
        return blank
    found = _read(earlier)
    relation = found.origin.relation(video.path)
    if relation == "stale":
        cause = f"is of another file named {video.path.name} than this one"
        raise InputError(f"{cause}: write elsewhere with -o, or take it away", path=earlier)
    if relation == "other" or tuple(found.size) != size:
        wanted = f"{video.path.name}, {size[0]} × {size[1]} pixels"
        got = f"{found.video}, {found.size[0]} × {found.size[1]} pixels"
        raise InputError(f"holds clicks in {got}, not {wanted}: write elsewhere with -o", path=earlier)
    return msgspec.structs.replace(found, video=blank.video, content=blank.content)


def _with(clicked: ClickedVideo, size: Mapping[str, object], known: Mapping[str, object]) -> ClickedVideo:
    """The same clicks with the numbers given on the command line, which are checked here."""
    import msgspec

    def given(values: Mapping[str, object]) -> dict[str, object]:
        return {key: value for key, value in values.items() if value is not None}

    if known.get("focal_px") is not None and known.get("lens") is None and clicked.known.lens is not None:
        known = {**known, "lens": msgspec.structs.replace(clicked.known.lens, focal_px=known["focal_px"])}
    made = msgspec.structs.replace(
        clicked,
        person=msgspec.structs.replace(clicked.person, **given(size)),
        known=msgspec.structs.replace(clicked.known, **given(known)),
    )
    made.person.body()
    made.known.known()
    return made


def _look(video: Video, start: ClickedVideo, asked: Asked, output: Path, as_json: bool) -> None:
    """Solve from what the network sees."""
    from reenact.cli.by_video_picture import spread_out, write_poses
    from reenact.errors import MissingExtraError
    from reenact.observe.network.calibrate import calibrate_by_network
    from reenact.observe.network.look import keypoints_of
    from reenact.observe.network.weights import WeightsError

    if any(frame.spread_px is None for frame in _begun(video, output).frames):
        raise InputError("holds joints clicked by hand: write elsewhere with -o", path=files_of(output)[1])
    check_still(video, asked.begin, asked.end)
    with terminal.progress(f"looking at {video.path.name}") as advance:
        try:
            seen = keypoints_of(video.path, asked, progress=lambda done, what: advance(0.9 * done, what))
        except (MissingExtraError, WeightsError) as error:
            raise ReenactError(f"{error}; or leave out --by network and click the joints on a page") from None
        found = calibrate_by_network(
            video, seen, start.person, start.known, progress=lambda done, what: advance(0.9 + 0.1 * done, what)
        )
        written = save(found, output)
        picture, solved = output.with_suffix(".png"), found.solved
        some = spread_out(len(solved.poses))
        times = [found.clicked.frames[i].time for i in some]
        write_poses(picture, video, found.camera, found.body, solved.poses[some], times)
    tell(found, [*written, str(picture)], as_json)
    if not as_json:
        terminal.say(f"Look at [bold]{terminal.escape(shlex.quote(str(picture)))}[/]: left is blue, right orange.")


def _solve(
    video: Video, clicked: ClickedVideo, span: Span, clicks: Path, output: Path | None, as_json: bool
) -> None:  # fmt: skip
    from reenact.observe.calibrate import calibrate as solve

    check_still(video, *span)
    with terminal.progress(f"solving {clicks.name}") as advance:
        found = solve(clicked, video, span=span, path=clicks, progress=advance)
    tell(found, [] if output is None else save(found, output), as_json)


def _serve(video: Video, start: ClickedVideo, span: Span, output: Path, at: tuple[float, ...], port: int) -> None:
    from reenact.formats.video_frame import frame_at
    from reenact.view.calibrate_server import calibration_page

    check_still(video, *span)
    times = tuple(frame_at(video, time).time for time in at)

    def saved(found: Calibrated) -> list[str]:
        written = save(found, output)
        say(found)
        terminal.say(f"Written: {', '.join(terminal.escape(shlex.quote(name)) for name in written)}; Ctrl-C ends.")
        return written

    with calibration_page(video, start, times, str(output), saved, port, span) as address, suppress(KeyboardInterrupt):
        terminal.say(f"Open [bold]{terminal.escape(address)}[/] in a browser; Ctrl-C ends.")
        threading.Event().wait()
