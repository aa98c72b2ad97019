"""Make the bundled pose models from recordings and print what docs/priors.md says about them.

    python tools/make_priors.py ../shared/data

writes src/reenact/priors/data/*.toml and prints two tables. tools/priors.toml says which recordings.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path

from reenact.cli.inputs import Fitting
from reenact.cli.prior import trial_of
from reenact.formats.samples import list_samples
from reenact.formats.take import Source
from reenact.motion.motion import Motion
from reenact.priors.load import BUNDLED, save_model
from reenact.priors.model import PoseModel
from reenact.priors.reconstruction import reconstruction
from reenact.priors.train import train

Trial = tuple[Motion, Source]
SAMPLES = {"walk": "walk", "jump": "jump", "spin_kick": "spinkick", "cartwheel": "cartwheel"}


def trials(clips: Sequence[str], data: Path) -> list[Trial]:
    names = {sample.name for sample in list_samples()}
    return [trial_of(clip if clip in names else str(data / clip), Fitting()) for clip in clips]


def learn(chosen: Sequence[Trial], name: str, **options: bool) -> PoseModel:
    return train([motion for motion, _ in chosen], name, sources=[source for _, source in chosen], **options)


def losses(model: PoseModel, tests: Sequence[Trial]) -> str:
    """Means over the tests that the model was not trained on: degrees of a hinge, cm of a joint centre."""
    found = []
    for motion, source in tests:
        if not any(clip.is_same(source) for clip in model.clips):
            found.append(reconstruction(model, motion))
    angle = sum(loss.angle_deg for loss in found) / len(found)
    joint = sum(loss.joint_cm for loss in found) / len(found)
    return f"{angle:.1f}°, {joint:.1f} cm"


def table(name: str, taught: Sequence[Trial], tests: Sequence[Trial]) -> tuple[str, list[str]]:
    """A row of the models' table, and the rows of the tests' table."""
    model, plain = learn(taught, name), learn(taught, name, weigh=False)
    alone = [learn([trial], name).size for trial in taught]
    row = f"| {name} | {len(taught)} | {model.size}: {losses(model, tests)} | {plain.size}: {losses(plain, tests)} "
    row += f"| {losses(plain.keep(model.size), tests)} | {min(alone)}–{max(alone)} "
    if name in SAMPLES:
        sample = learn(trials([SAMPLES[name]], Path()), name)
        row += f"| {sample.size}: {losses(sample, tests)} |"
    else:
        row += "| – |"
    rows = []
    for motion, source in tests:
        model.require_unseen(source)
        loss, short = reconstruction(model, motion), reconstruction(model.keep(8), motion)
        rows.append(
            f"| {name} | {source.name} | {loss.poses} | {loss.angle_deg:.1f} | {loss.tilt_deg:.1f} "
            f"| {loss.joint_cm:.1f} | {loss.worst_joint_cm:.0f} | {100 * loss.unlikely:.0f} % | {short.joint_cm:.1f} |"
        )
    return row, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of recordings")
    data = parser.parse_args().data
    recipes = tomllib.loads((Path(__file__).parent / "priors.toml").read_text(encoding="utf-8"))
    models, tests = [], []
    for name, recipe in recipes.items():
        taught = trials(recipe["train"], data)
        save_model(BUNDLED / f"{name}.toml", learn(taught, name))
        row, rows = table(name, taught, trials(recipe["test"], data))
        models.append(row)
        tests += rows
    print("| activity | clips | weighted | unweighted | unweighted, as few | one clip alone | the sample alone |")
    print("| --- | --- | --- | --- | --- | --- | --- |", *models, sep="\n", end="\n\n")
    print("| activity | clip | poses | hinges ° | tilt ° | joints cm | worst cm | beyond 4σ | joints cm with 8 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", *tests, sep="\n")


if __name__ == "__main__":
    main()
