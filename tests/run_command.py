"""A command run in the process of its test."""

from __future__ import annotations

import pytest

from reenact.cli.main import main


def run(*arguments: object) -> int:
    """Run `reenact ARGUMENTS`; its exit code."""
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code
