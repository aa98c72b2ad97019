"""`reenact silhouettes`: what the tool sees of a person in a video, before any long run."""

from __future__ import annotations

import json as json_text
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.observe.person import Hint
    from reenact.observe.silhouettes import Silhouettes

MASKS, MOVIE, SUMMARY, TABLE = "masks.npz", "overlay.mp4", "summary.json", "frames.csv"
NAMES = (MASKS, MOVIE, SUMMARY, TABLE)


def silhouettes(
    video: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="VIDEO")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")],
    begin: Annotated[float | None, tyro.conf.arg(name="from", metavar="SECONDS", help_behavior_hint="")] = None,
    end: Annotated[float | None, tyro.conf.arg(name="to", metavar="SECONDS", help_behavior_hint="")] = None,
    person: Annotated[str | None, tyro.conf.arg(metavar="X,Y[,SECONDS]", help_behavior_hint="")] = None,
    plate: Annotated[Path | None, tyro.conf.arg(metavar="PICTURE|VIDEO", help_behavior_hint="")] = None,
    by: Literal["background", "network"] = "background",
    size: Annotated[int, tyro.conf.arg(metavar="PIXELS")] = 1920,
    json: bool = False,
) -> None:
    """Cut out a person from a video: masks, how far each can be trusted, and a movie of them over the video.

    The camera must stand still. What does not move is learned as the background; the largest thing that moves is taken
    for the person. Look at overlay.mp4 before a long run; warnings say what to film differently. By the network the
    camera may move, but nothing can be captured from such masks.

    Example: reenact silhouettes walk.mp4 -o masks/

    Args:
        video: A video file.
        output: Folder for masks.npz, overlay.mp4, summary.json and frames.csv.
        begin: Use the video from this time on.
        end: Use the video up to this time.
        person: A point on the person meant, as shares 0 to 1 of the picture's width and height from its top left
            corner, and when: 0.4,0.6,2.5. Without a time, whoever is there at any time.
        plate: A picture or video of the empty scene from the same place, where the background cannot be learned.
        by: What tells the person from the rest: the learned background, or a pose network where the extra `network`
            is installed and `reenact network fetch` was run.
        size: Work at this many pixels of the longer side at most.
        json: Print the summary as JSON.
    """
    from reenact.formats.writable import refuse_unwritable
    from reenact.observe.silhouettes_npz import dump_silhouettes
    from reenact.observe.watch import Asked, silhouettes_of

    watched = silhouettes_of
    if by == "network":
        from reenact.observe.network.silhouettes import silhouettes_by_network

        if plate is not None:
            raise InputError("--plate shows the background, which --by network does not learn; leave one of them out")
        watched = silhouettes_by_network
    if output.exists() and not output.is_dir():
        raise InputError("is a file, expected a folder to write to", path=output)
    refuse_unwritable(output)
    asked = Asked(begin=begin, end=end, hint=hint_of(person), plate=plate, long_side=size)
    from reenact.formats.replace_folder import replace_folder
    from reenact.formats.video_write import MovieWriter
    from reenact.view.overlay import drawn_over

    with tempfile.TemporaryDirectory() as folder, terminal.progress(f"watching {video.name}") as advance:
        movie = Path(folder) / MOVIE
        with MovieWriter(movie) as writer:
            found = watched(
                video,
                asked,
                watch=lambda frame, mask: writer.add(frame.time, drawn_over(frame.image, mask)),
                progress=advance,
            )
        files = {
            MASKS: dump_silhouettes(found),
            MOVIE: movie.read_bytes(),
            SUMMARY: json_text.dumps(_summary(found), indent=1, ensure_ascii=False).encode() + b"\n",
            TABLE: _table(found).encode(),
        }
        replace_folder(output, files, ours=NAMES)
    if json:
        terminal.plain(json_text.dumps(_summary(found), indent=1, ensure_ascii=False))
    else:
        _say(found, output)


def hint_of(text: str | None) -> Hint | None:
    """Who is meant by --person, None where it is not said."""
    from reenact.observe.person import Hint

    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise InputError(f"--person {text}: expected x,y or x,y,seconds, e.g. 0.4,0.6 or 0.4,0.6,2.5")
    return Hint(x=numbers[0], y=numbers[1], time=numbers[2] if len(numbers) == 3 else None)


def _summary(found: Silhouettes) -> dict[str, object]:
    run = found.trusted()
    seen = [not mask.empty for mask in found.masks]
    return {
        "format": "reenact-silhouettes-summary",
        "version": 1,
        "video": found.name,
        "video_size": list(found.video_size),
        "mask_size": list(found.size),
        "frames": found.frames,
        "from_s": float(found.time[0]),
        "to_s": float(found.time[-1]),
        "frames_with_person": sum(seen),
        "mean_quality": float(found.quality[seen].mean()) if any(seen) else 0.0,
        "trusted_s": None if run is None else [float(found.time[run[0]]), float(found.time[run[1]])],
        "warnings": list(found.remarks),
        "quality": [round(float(each), 3) for each in found.quality],
        "time_s": [round(float(each), 6) for each in found.time],
    }


def _table(found: Silhouettes) -> str:
    lines = ["time_s,quality,area_px,left,top,right,bottom,doubts"]
    for time, quality, mask, doubts in zip(found.time, found.quality, found.masks, found.doubts, strict=True):
        box = ",".join(map(str, mask.box))
        lines.append(f"{time:.6f},{quality:.3f},{mask.area},{box},{' '.join(doubts)}")
    return "\n".join(lines) + "\n"


def _say(found: Silhouettes, output: Path) -> None:
    summary = _summary(found)
    terminal.say(
        f"[bold]{terminal.escape(found.name)}[/]: the person is seen in {summary['frames_with_person']} of "
        f"{found.frames} frames, mean quality {summary['mean_quality']:.2f}"
    )
    run = found.trusted()
    if run is None:
        terminal.say("[red]no mask can be trusted[/]")
    else:
        begin, end = found.time[run[0]], found.time[run[1]]
        terminal.say(f"[green]trusted[/] from {begin:.2f} to {end:.2f} s: --from {begin:.2f} --to {end:.2f}")
    for remark in found.remarks:
        terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")
    folder = terminal.escape(shlex.quote(str(output)))
    terminal.say(f"Written to [bold]{folder}[/]. Look at {MOVIE} there before a long run.")
