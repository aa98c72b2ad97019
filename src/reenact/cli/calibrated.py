"""What `reenact calibrate` found: written to files, and said in a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reenact.cli import terminal

if TYPE_CHECKING:
    from reenact.observe.calibrate import Calibrated

MOST_COLUMNS = 8  # frames of which all distances are shown


def files_of(output: Path) -> tuple[Path, Path, Path]:
    """Files of a camera: itself, clicks, poses."""
    return output, output.with_suffix(".clicks.json"), output.with_suffix(".poses.npz")


def save(found: Calibrated, output: Path) -> list[str]:
    """Write camera, clicks and poses; returns their names."""
    from reenact.formats.replace_file import replace_file
    from reenact.observe.camera_file import write_cameras
    from reenact.observe.clicks import dump_clicks
    from reenact.observe.first_poses import first_poses_of, save_first_poses

    camera, clicks, poses = files_of(output)
    frames = len(found.clicked.frames)
    by_hand = all(frame.spread_px is None for frame in found.clicked.frames)
    source = f"joints {'clicked' if by_hand else 'that the network saw'} in {frames} frame{'s' * (frames > 1)}"
    notes = [
        f"solved from {source} of {found.clicked.video}, "
        f"for a person {found.body.stature:.2f} m tall; {found.solved.rms_px:.1f} px rms",
        *(f"warning: {remark}" for remark in found.remarks),
    ]
    replace_file(clicks, dump_clicks(found.clicked))
    save_first_poses(poses, first_poses_of(found))
    write_cameras(camera, [found.camera], notes, found.clicked.origin)
    return [str(path) for path in (camera, clicks, poses)]


def say(found: Calibrated) -> None:
    """Show the camera, how sure it is, how far the joints are off, and what to think of."""
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
    if len(found.clicked.frames) > MOST_COLUMNS:
        _say_joints(solved.errors)
    else:
        _say_frames(found)
    begin, end = (f"{each(frame.time for frame in found.clicked.frames):.2f}" for each in (min, max))
    terminal.say(f"{solved.rms_px:.1f} px rms in {len(solved.errors)} frames, {begin} to {end} s")
    for remark in found.remarks:
        terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")


def _say_frames(found: Calibrated) -> None:
    errors = found.solved.errors
    times = [f"{frame.time:.2f} s" for frame in found.clicked.frames]
    table = terminal.table("joint, px off", *times, numbers=times)
    for name in dict.fromkeys(name for each in errors for name in each):
        table.add_row(name, *(f"{each[name]:.1f}" if name in each else "" for each in errors))
    terminal.show(table)


def _say_joints(errors: Sequence[Mapping[str, float]]) -> None:
    """Of many frames only the mean and the worst of each joint."""
    table = terminal.table("joint, px off", "rms", "worst", "frames", numbers=("rms", "worst", "frames"))
    for name in dict.fromkeys(name for each in errors for name in each):
        off = [each[name] for each in errors if name in each]
        rms = (sum(value * value for value in off) / len(off)) ** 0.5
        table.add_row(name, f"{rms:.1f}", f"{max(off):.1f}", str(len(off)))
    terminal.show(table)


def tell(found: Calibrated, written: list[str], as_json: bool) -> None:
    """Say what was found and written, or print it as JSON."""
    import json

    from reenact.view.calibrate_page import answer

    if as_json:
        terminal.plain(json.dumps({**answer(found), "saved": written}, indent=1, ensure_ascii=False))
        return
    say(found)
    if written:
        terminal.say(f"Written: {', '.join(f'[bold]{terminal.escape(shlex.quote(name))}[/]' for name in written)}")
