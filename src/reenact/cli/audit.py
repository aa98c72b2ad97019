"""`reenact audit`: is a take honest physics?"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.controller_file import FILE, edited_note


def audit(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE")],
    /,
    *,
    as_json: Annotated[bool, tyro.conf.arg(name="json", help_behavior_hint="")] = False,
) -> int:
    """Check a take step by step: from each recorded state and torque, plain MuJoCo must reach the next one.

    Exit code 0: honest, 1: not, 2: cannot be read.

    Example: reenact audit take/

    Args:
        take: A take folder.
        as_json: Print the findings as JSON.
    """
    from reenact.formats.take import changed_files, require_take
    from reenact.physics.audit import audit_take

    require_take(take)
    result = audit_take(take)
    findings = asdict(result)
    if as_json:
        terminal.plain(json.dumps(findings, indent=2))
        return 0 if result.honest else 1
    table = terminal.table("what", "found", numbers=("found",))
    for name, value in findings.items():
        if name not in ("honest", "faults"):
            table.add_row(name, f"{value:.4g}" if isinstance(value, float) else str(value))
    terminal.show(table)
    for fault in result.faults:
        terminal.say(f"[red]fault[/]: {terminal.escape(fault)}")
    if note := edited_note(take / FILE):
        terminal.say(f"[yellow]{terminal.escape(note)}[/]")
    for name in changed_files(take):
        if name != FILE:
            told = "; errors are distances from what it holds now" if name == "reference.npz" else ""
            changed = f"{take / name} is not the one that the take was written with{told}"
            terminal.say(f"[yellow]{terminal.escape(changed)}[/]")
    terminal.say("[green]honest[/]" if result.honest else "[red]not honest[/]")
    return 0 if result.honest else 1
