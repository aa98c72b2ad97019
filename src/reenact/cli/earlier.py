"""What earlier runs left where a capture is to go: finished takes are kept, unfinished searches not lost unasked."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.estimate.kept import Kept
    from reenact.formats.take import Take


def note(text: str) -> None:
    """Tell something beside the results."""
    print(f"reenact: {text}", file=sys.stderr)


def finished(output: Path, plan: dict[str, Any], method: str, smooth: float | None) -> Take | None:
    """The take that is there, if a search of the same plan made it, with the same copy for the eye."""
    from reenact.estimate.plan import made_by
    from reenact.formats.take import SMOOTHED_HZ, is_take, read_take

    if not is_take(output):
        return None
    try:
        take = read_take(output)
    except InputError:
        return None  # damaged: it is made again
    alike = take.info.metrics.get(SMOOTHED_HZ) == smooth
    return take if alike and made_by(take, plan, method) else None


def whole(output: Path) -> bool:
    """Whether a take is there that was made to its end: what a stopped search found does not take its place."""
    from reenact.formats.take import is_take, read_take

    if not is_take(output):
        return False
    try:
        return read_take(output).info.status != "stopped"
    except InputError:
        return False


def refuse_to_lose(checkpoint: Kept) -> None:
    """Refuse to begin anew beside a search that could be gone on with."""
    try:
        left = checkpoint.left()
    except InputError:
        return
    if left is not None and not left.hindrance:
        raise InputError(
            f"holds an unfinished search with the same settings, {_work(left.spent.wall_seconds)}: --resume goes on "
            "with it to the same result; remove the folder to begin anew",
            path=checkpoint.folder,
        )


def tidy(checkpoint: Kept) -> None:
    """Clear away the search of a take that is finished, where a kill came between the two."""
    from reenact.cli.live import PAGE

    with suppress(InputError):
        left = checkpoint.left()
        if left is not None and not left.hindrance:
            (checkpoint.folder / PAGE).unlink(missing_ok=True)
            checkpoint.remove()


def clear_for(checkpoint: Kept, *, resume: bool) -> None:
    """Make ready for a search; what is thrown away is told."""
    if resume:
        if checkpoint.left() is None:
            note(f"nothing to resume in {checkpoint.folder}; beginning")
        return
    try:
        left = checkpoint.left()
    except InputError:
        note(f"an unfinished search in {checkpoint.folder} that cannot be read is thrown away")
    else:
        if left is not None:
            work = _work(left.spent.wall_seconds)
            note(f"an unfinished search in {checkpoint.folder}, {work} with other settings, is thrown away")
    checkpoint.remove()


def _work(seconds: float) -> str:
    return f"{seconds:.0f} s of work" if seconds < 120.0 else f"{seconds / 60.0:.0f} min of work"
