"""Make the pictures of the documentation with the tool itself: python tools/make_figures.py"""

from __future__ import annotations

import tempfile
from pathlib import Path

import reenact
from reenact.view.film import Shot

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    motion = reenact.fit(reenact.read_clip(reenact.find_clip("walk")))
    with tempfile.TemporaryDirectory() as folder:
        take = Path(folder) / "walk"
        reenact.write_take(take, reenact.follow(motion, seconds=1.2))
        reenact.render_take(take, IMAGES / "walk.png", size=(1500, 420), poses=6, shot=Shot(ghost=True))
    print(f"wrote {IMAGES / 'walk.png'}")


if __name__ == "__main__":
    main()
