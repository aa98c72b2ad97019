"""The example of docs/python.md does what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from reenact.formats.take import read_take


def test_the_example_captures_a_motion(repo: Path, spaced: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (repo / "docs" / "python.md").read_text(), flags=re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=spaced, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "100% sweep" in done.stdout
    assert re.search(r"^(done|not done: .+)\njoints \d+\.\d cm off$", done.stdout, flags=re.MULTILINE)
    assert read_take(spaced / "jump_take").info.seed == 1
    assert (spaced / "jump_take" / "report.html").is_file()
