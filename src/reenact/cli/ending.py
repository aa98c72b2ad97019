"""How a take ended, as the commands say it: "done", "not done: stepped off …", "fell: …"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reenact.cli import terminal

if TYPE_CHECKING:
    from reenact.formats.take import TakeInfo

COLOURS = {"good": "green", "bad": "red", "unsure": "yellow"}


def ending_of(info: TakeInfo) -> str:
    """The verdict of a take's report in rich's markup: whether the motion was done, where that was judged."""
    from reenact.view.facts import verdict_of

    verdict = verdict_of({"status": info.status, "reason": info.reason, "metrics": info.metrics})
    reason = terminal.escape(f": {verdict.reason}") if verdict.reason else ""
    return f"[{COLOURS[verdict.tone]}]{terminal.escape(verdict.word.lower())}[/]{reason}"
