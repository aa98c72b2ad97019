"""`reenact audit`: is a take honest physics?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal


def audit(
    take: tyro.conf.Positional[Path],
    /,
    *,
    as_json: Annotated[bool, tyro.conf.arg(name="json")] = False,
) -> int:
    """Check a take step by step: from each recorded state and torque, plain MuJoCo must reach the next one.

    Exit code 0: honest, 1: not, 2: cannot be read.

    Example: reenact audit take/

    Args:
        take: A take folder.
        as_json: Print the findings as JSON.
    """
