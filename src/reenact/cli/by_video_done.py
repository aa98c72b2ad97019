"""Whether a capture from video is finished: known from what was asked for, without watching the video again.

What a search depends on is known only once masks and track are found, which takes a while. So what was asked for, in
words and files, is kept as a hash beside the take; --resume of the same finds it and has nothing to do.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reenact.cli import terminal
from reenact.cli.ending import ending_of
from reenact.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reenact.cli.inputs import Reading
    from reenact.cli.watching import Watching

ASKED = "asked.json"  # in the take's folder: what was asked for, and the take that came of it


def asked_hash(videos: Sequence[Path], watching: Watching, reading: Reading, *rest: Any) -> str:
    """Of options and of the content of all files that they name, cameras that lie beside the video among them."""
    from pathlib import Path

    from reenact.cli.by_video_camera import CAMERA
    from reenact.cli.by_video_kept import hash_of
    from reenact.cli.by_video_network import network_lacks
    from reenact.cli.silhouettes import MASKS
    from reenact.formats.take import sha256_of

    cameras = watching.camera or (videos[0].with_suffix(".toml"), videos[0].parent / CAMERA, Path(CAMERA))
    files = [*videos, *watching.plate, *(folder / MASKS for folder in watching.masks), *watching.masks]
    files += [camera.with_suffix(each) for camera in cameras for each in (camera.suffix, ".poses.npz", ".clicks.json")]
    files += [Path(each) for each in (watching.activity, *rest) if isinstance(each, str)]
    content = [sha256_of(path) if path.is_file() else "" for path in files]
    return hash_of(content, repr(watching), repr(reading), [repr(each) for each in rest], network_lacks())


def done_before(asked: str, folders: Sequence[Path], *, strict: bool) -> int | None:
    """The exit code where all takes are there, finished, of what is asked for; None otherwise."""
    from reenact.formats.take import read_take

    if not all(_marked(asked, folder) for folder in folders):
        return None
    try:
        takes = [read_take(folder) for folder in folders]
    except InputError:
        return None
    for folder, take in zip(folders, takes, strict=True):
        terminal.say(f"[bold]{terminal.escape(folder)}[/] is finished, and kept: {ending_of(take.info)}")
    return int(strict and not all(take.info.done for take in takes))


def mark_done(asked: str, folders: Sequence[Path]) -> None:
    """Note beside takes that are finished what they were asked for."""
    from reenact.formats.replace_file import replace_file

    for folder in folders:
        replace_file(folder / ASKED, json.dumps({"asked": asked, "take": _take(folder)}, indent=1) + "\n")


def _marked(asked: str, folder: Path) -> bool:
    try:
        content = json.loads((folder / ASKED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(content == {"asked": asked, "take": _take(folder)})


def _take(folder: Path) -> str:
    """Hash of a take's head, which holds the hashes of its files."""
    from reenact.formats.take import sha256_of

    head = folder / "take.json"
    return sha256_of(head) if head.is_file() else ""
