"""Make the bundled clips from the DeepMimic motions inside the package pybullet 3.2.7.

    pip download pybullet==3.2.7 --no-deps
    python tools/make_samples.py pybullet-3.2.7-*.whl

writes src/reenact/samples/*.bvh and index.toml, where the motions written by hand stand too. pybullet is not a
dependency: only its data files are read.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from make_laikago import walk

from reenact.formats.bvh_write import format_bvh
from reenact.formats.csv_table import write_csv
from reenact.formats.deepmimic import read_deepmimic
from reenact.formats.keyframes_toml import read_keyframes
from reenact.formats.samples import FOLDER
from reenact.geometry.rotation import conjugate, from_rotvec, multiply, to_rotvec, unroll
from reenact.motion.clip import SkeletonClip, Table

INSIDE = "pybullet_data/data/motions/humanoid3d_{}.txt"
SOURCE = "DeepMimic (X. B. Peng et al. 2018), from the package pybullet 3.2.7"
LICENCE = "MIT"
SPREAD = 6  # frames on each side of a seam


@dataclass(frozen=True)
class Recipe:
    name: str
    shows: str
    cycles: int = 1
    inside: str = ""  # its name in the package, where it differs


RECIPES = (
    Recipe("walk", "walking straight ahead, one recorded cycle joined three times, seams smoothed", cycles=3),
    Recipe("run", "running straight ahead, one recorded cycle joined four times, seams smoothed", cycles=4),
    Recipe("jump", "a standing jump forward"),
    Recipe("roll", "a forward roll on the ground, from standing to standing"),
    Recipe("cartwheel", "a cartwheel"),
    Recipe("spinkick", "a spinning kick"),
    Recipe("getup_faceup", "getting up from lying on the back"),
    Recipe("crawl", "crawling on forearms and knees"),
    Recipe("dance", "hopping and swinging the arms in a dance", inside="dance_b"),
)
WRITTEN = ("sideways_roll", "kip_up")  # by hand, as keyframes


def repeat(clip: SkeletonClip, cycles: int) -> SkeletonClip:
    """Cycles joined end to end, each moved on along the ground.

    The recorded cycle is one step and its mirror image, with a jump of up to 34° between the halves and again where the
    cycle closes: both are spread over the frames around them.
    """
    if cycles == 1:
        return clip
    step = clip.translation[-1, 0] - clip.translation[0, 0]
    step = np.array([step[0], step[1], 0.0])
    period = clip.frames - 1
    count = cycles * period + 1
    frame = np.arange(count + SPREAD)  # a little more, so that the last seam is whole
    translation = clip.translation[frame % period].copy()
    translation[:, 0] += (frame // period)[:, None] * step
    turns = clip.rotation[frame % period].copy()
    for seam in range(period // 2 - 1, count, period // 2):
        spread_jump(translation, turns, seam)
    return replace(clip, translation=translation[:count], rotation=unroll(turns[:count]))


def spread_jump(translation: np.ndarray, turns: np.ndarray, seam: int) -> None:
    """Take out what the step after frame `seam` has too much, half from each side, fading over SPREAD frames."""

    def step(a: int, b: int) -> np.ndarray:
        return to_rotvec(multiply(conjugate(turns[a]), turns[b]))

    expected = (step(seam - 1, seam) + step(seam + 1, seam + 2)) / 2
    jump = to_rotvec(multiply(conjugate(multiply(turns[seam], from_rotvec(expected))), turns[seam + 1]))
    usual = (translation[seam] - translation[seam - 1] + translation[seam + 2] - translation[seam + 1]) / 2
    slip = translation[seam + 1] - translation[seam] - usual
    for away in range(SPREAD):
        part = 1 - away / SPREAD
        weight = 0.5 * part * part * (3 - 2 * part)
        for at, sign in ((seam - away, 1.0), (seam + 1 + away, -1.0)):
            if 0 <= at < len(turns):
                turns[at] = multiply(turns[at], from_rotvec(sign * weight * jump))
                translation[at] += sign * weight * slip


def index_entry(file: Path, clip: SkeletonClip | Table, shows: str, source: str, licence: str) -> str:
    return "\n".join(
        [
            f"[{file.stem}]",
            f'file = "{file.name}"',
            f"seconds = {clip.duration:.3f}",
            f'shows = "{shows}"',
            f'source = "{source}"',
            f'licence = "{licence}"',
            "",
        ]
    )


def written_entry(name: str) -> str:
    file = FOLDER / f"{name}.toml"
    shows = tomllib.loads(file.read_text(encoding="utf-8"))["about"]
    return index_entry(file, read_keyframes(file), shows, "written by hand for Reenact, not recorded", "Apache-2.0")


def laikago_entry(wheel: Path) -> str:
    file, table = FOLDER / "laikago_walk.csv", walk(wheel)
    write_csv(file, table)
    shows = "a quadruped robot trotting; joint angles of the body laikago"
    return index_entry(file, table, shows, "Laikago (E. Coumans), from the package pybullet 3.2.7", "Zlib")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="the downloaded pybullet 3.2.7 wheel")
    wheel = parser.parse_args().wheel
    FOLDER.mkdir(exist_ok=True)
    entries = ["# The bundled clips; made by tools/make_samples.py.\n"]
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(wheel) as archive:
        for recipe in RECIPES:
            text = Path(scratch) / f"{recipe.name}.txt"
            text.write_bytes(archive.read(INSIDE.format(recipe.inside or recipe.name)))
            clip = repeat(read_deepmimic(text), recipe.cycles)
            file = FOLDER / f"{recipe.name}.bvh"
            file.write_text(format_bvh(clip), newline="\n")
            entries.append(index_entry(file, clip, recipe.shows, SOURCE, LICENCE))
    entries += [written_entry(name) for name in WRITTEN]
    entries.append(laikago_entry(wheel))
    (FOLDER / "index.toml").write_text("\n".join(entries), newline="\n")


if __name__ == "__main__":
    main()
