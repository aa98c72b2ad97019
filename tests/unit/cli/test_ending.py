"""What the commands say of how a take ended."""

from __future__ import annotations

import io

from rich.console import Console

from reenact.cli.ending import ending_of
from reenact.formats.take import Source, Status, TakeInfo


def info(status: Status, reason: str = "", success: bool | None = None) -> TakeInfo:
    return TakeInfo(
        input=Source(name="walk.bvh", sha256="0" * 64), method="sampling", seed=0, body="adult", world="flat",
        versions={}, wall_seconds=1.0, core_seconds=1.0, status=status, reason=reason,
        metrics={} if success is None else {"success": success},
    )  # fmt: skip


def printed(markup: str) -> str:
    out = io.StringIO()
    Console(file=out, highlight=False, width=200).print(markup)
    return out.getvalue().strip()


def test_a_motion_is_done_or_not_done_and_why() -> None:
    assert ending_of(info("ok", success=True)) == "[green]done[/]"
    assert ending_of(info("ok", "stepped off: the foot", success=False)) == "[red]not done[/]: stepped off: the foot"
    assert ending_of(info("fell", "the pelvis sank", success=False)) == "[red]not done[/]: the pelvis sank"


def test_where_nobody_judged_the_motion_the_simulation_is_told() -> None:
    assert ending_of(info("ok")) == "[green]did not fall[/]"
    assert ending_of(info("fell", "the pelvis sank")) == "[red]fell[/]: the pelvis sank"
    assert ending_of(info("stopped", "the search ended")) == "[yellow]stopped[/]: the search ended"


def test_a_reason_cannot_become_markup() -> None:
    assert printed(ending_of(info("fell", "the [red]toe[/] sank", success=False))).endswith("the [red]toe[/] sank")


def test_the_take_itself_says_whether_it_was_done() -> None:
    assert info("ok", success=True).done is True
    assert info("ok", "stepped off", success=False).done is False
    assert info("fell", "sank", success=True).done is False
    assert info("ok").done is None
