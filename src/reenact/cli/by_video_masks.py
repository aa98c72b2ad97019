"""The masks of a capture from video: made before, kept from an earlier run, or cut out now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reenact.cli import terminal
from reenact.cli.still_camera import check_still
from reenact.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reenact.cli.by_video_kept import Kept
    from reenact.cli.inputs import Reading
    from reenact.cli.watching import Watching
    from reenact.formats.video import Video
    from reenact.observe.person import Hint
    from reenact.observe.silhouettes import Silhouettes


def masks_of(
    videos: Sequence[Video], names: Sequence[str], watching: Watching, reading: Reading, kept: Kept
) -> tuple[Silhouettes, ...]:
    """Silhouettes of the person in each video, and in words what they are like."""
    hints = watching.hints(len(videos))
    out = []
    for i, video in enumerate(videos):
        if watching.masks:
            found = _made_before(watching.masks[i], video, reading)
            if found.frames > 1:
                check_still(video, float(found.time[0]), float(found.time[-1]))  # masks by the network do not tell
        else:
            plate = watching.plate[i] if watching.plate else None
            found = _cut_out(video, names[i], hints[i], plate, watching.by, reading, kept)
        out.append(found)
    return tuple(out)


def _made_before(path: Path, video: Video, reading: Reading) -> Silhouettes:
    """Masks of `reenact silhouettes`, which must be of this video; the part of them that is asked for."""
    from reenact.formats.video_content import Origin
    from reenact.observe.silhouettes_npz import load_silhouettes

    found = load_silhouettes(path)
    if found.video_size != (video.width, video.height):
        made, wanted = (f"{w} × {h}" for w, h in (found.video_size, (video.width, video.height)))
        raise InputError(f"holds masks of a video of {made} pixels, {video.path.name} has {wanted}", path=path)
    relation = Origin(name=found.name, content=found.content).relation(video.path)
    if relation == "other":
        raise InputError(f"holds masks of {found.name}, not of {video.path.name}", path=path)
    if relation == "stale":
        raise InputError(f"holds masks of another file named {found.name} than this one: cut them out anew", path=path)
    begin = -np.inf if reading.begin is None else reading.begin - 1e-6
    end = np.inf if reading.end is None else reading.end + 1e-6
    inside = np.flatnonzero((found.time >= begin) & (found.time <= end))
    if not len(inside):
        had = f"{found.time[0]:.2f} to {found.time[-1]:.2f} s"
        raise InputError(f"holds masks from {had}, none of what --from and --to ask for", path=path)
    return replace(
        found,
        time=found.time[inside],
        masks=tuple(found.masks[i] for i in inside),
        quality=found.quality[inside],
        doubts=tuple(found.doubts[i] for i in inside),
    )


def _cut_out(
    video: Video, name: str, hint: Hint | None, plate: Path | None, by: str, reading: Reading, kept: Kept
) -> Silhouettes:
    from reenact.cli.by_video_kept import hash_of
    from reenact.formats.take import sha256_of
    from reenact.observe.watch import Asked, silhouettes_of

    about = None if hint is None else (hint.x, hint.y, hint.time)
    behind = None if plate is None else sha256_of(plate)
    depends = hash_of(sha256_of(video.path), reading.begin, reading.end, about, behind, by)
    if (found := kept.masks(name, depends)) is not None:
        terminal.say(f"Masks of an earlier run are used, from {terminal.escape(kept.folder)}.")
        return found
    watched = silhouettes_of
    if by == "network":
        from reenact.observe.network.silhouettes import silhouettes_by_network

        check_still(video, reading.begin, reading.end)
        watched = silhouettes_by_network
    asked = Asked(begin=reading.begin, end=reading.end, hint=hint, plate=plate)
    with kept.timed(f"masks {name}"), terminal.progress(f"watching {video.path.name}") as advance:
        found = watched(video.path, asked, progress=lambda done, what: advance(done, f"1 of 3, watching: {what}"))
    kept.keep_masks(name, depends, found)
    return found
