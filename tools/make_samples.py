"""Make the bundled clips from the DeepMimic motions inside the package pybullet 3.2.7.

    pip download pybullet==3.2.7 --no-deps
    python tools/make_samples.py pybullet-3.2.7-*.whl

writes src/reenact/samples/*.bvh and index.toml. pybullet is not a dependency: only its data files are read.
"""

from __future__ import annotations

import argparse
import tempfile
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from reenact.formats.bvh_write import format_bvh
from reenact.formats.deepmimic import read_deepmimic
from reenact.formats.samples import FOLDER
from reenact.motion.clip import SkeletonClip

INSIDE = "pybullet_data/data/motions/humanoid3d_{}.txt"
SOURCE = "DeepMimic (X. B. Peng et al. 2018), from the package pybullet 3.2.7"
LICENCE = "MIT"


@dataclass(frozen=True)
class Recipe:
    name: str
    shows: str
    cycles: int = 1


RECIPES = (
    Recipe("walk", "walking straight ahead, one recorded cycle joined three times", cycles=3),
    Recipe("run", "running straight ahead, one recorded cycle joined four times", cycles=4),
    Recipe("jump", "a standing jump forward"),
    Recipe("roll", "a forward roll on the ground, from standing to standing"),
    Recipe("cartwheel", "a cartwheel"),
    Recipe("spinkick", "a spinning kick"),
    Recipe("getup_faceup", "getting up from lying on the back"),
)


def repeat(clip: SkeletonClip, cycles: int) -> SkeletonClip:
    """Cycles joined end to end: the last frame of one is the first of the next, moved on along the ground."""
    step = clip.translation[-1, 0] - clip.translation[0, 0]
    step = np.array([step[0], step[1], 0.0])
    translation, rotation = [clip.translation], [clip.rotation]
    for cycle in range(1, cycles):
        moved = clip.translation[1:].copy()
        moved[:, 0] += cycle * step
        translation.append(moved)
        rotation.append(clip.rotation[1:])
    return replace(clip, translation=np.concatenate(translation), rotation=np.concatenate(rotation))


def index_entry(recipe: Recipe, clip: SkeletonClip) -> str:
    return "\n".join(
        [
            f"[{recipe.name}]",
            f'file = "{recipe.name}.bvh"',
            f"seconds = {clip.duration:.3f}",
            f'shows = "{recipe.shows}"',
            f'source = "{SOURCE}"',
            f'licence = "{LICENCE}"',
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="the downloaded pybullet 3.2.7 wheel")
    wheel = parser.parse_args().wheel
    FOLDER.mkdir(exist_ok=True)
    entries = ["# The bundled clips; made by tools/make_samples.py.\n"]
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(wheel) as archive:
        for recipe in RECIPES:
            text = Path(scratch) / f"{recipe.name}.txt"
            text.write_bytes(archive.read(INSIDE.format(recipe.name)))
            clip = repeat(read_deepmimic(text), recipe.cycles)
            (FOLDER / f"{recipe.name}.bvh").write_text(format_bvh(clip), newline="\n")
            entries.append(index_entry(recipe, clip))
    (FOLDER / "index.toml").write_text("\n".join(entries), newline="\n")


if __name__ == "__main__":
    main()
