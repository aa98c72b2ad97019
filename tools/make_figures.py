"""Make the pictures of the documentation with the tool itself: python tools/make_figures.py"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        take = Path(folder) / "cartwheel"
        _reenact("capture", "cartwheel", "--method", "sampling", "-o", str(take))
        _reenact("render", str(take), "-o", str(IMAGES / "cartwheel.png"), "--size", "1500", "420", "--ghost")


def _reenact(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "reenact", *words], check=True)


if __name__ == "__main__":
    main()
