"""`reenact prior`: models of the poses of an activity: train, look at, test."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import Fitting, Reading
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.formats.take import Source
    from reenact.motion.motion import Motion
    from reenact.priors.model import PoseModel

Clips = Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="CLIP[@FROM-TO]", help_behavior_hint="")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Train:
    """Learn what the poses of an activity have in common, from clips, and write it as TOML.

    Of clips that hold more than the activity name the seconds meant: walk2.bvh@1.2-3.4.

    Example: reenact prior train walk1.bvh walk2.bvh@1.2-3.4 -o walk.toml
    """

    clips: Clips
    """Clip files, samples' names or fitted motions, each with the seconds to use where not all of it is meant."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE.toml")]
    """Where to write the model; the file's name is the activity's, unless --name says otherwise."""
    name: Annotated[str | None, tyro.conf.arg(metavar="ACTIVITY", help_behavior_hint="")] = None
    """What the activity is called."""
    variance: Annotated[float, tyro.conf.arg(metavar="SHARE")] = 0.95
    """Keep as many components as hold this share of the poses' variance."""
    one_sided: bool = False
    """Learn from the clips alone, not also from their mirror images."""
    unweighted: bool = False
    """Let all hinges count the same, as in the paper, instead of by how far they carry the body."""
    fitting: Fitting = field(default_factory=Fitting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Show a model: what it was trained on, its components and what each of them moves most.

    Example: reenact prior show walk
    """

    model: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="NAME|FILE.toml")]
    """A bundled model or a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """Say how much of other clips' poses a model keeps; clips that it was trained on are refused.

    Example: reenact prior test walk walk3.bvh
    """

    model: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="NAME|FILE.toml")]
    """A bundled model or a file."""
    clips: Clips
    """Clips, as for train."""
    fitting: Fitting = field(default_factory=Fitting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """List the models that come with the package.

    Example: reenact prior list
    """


def prior(
    action: Annotated[Train, tyro.conf.subcommand("train", prefix_name=False)]
    | Annotated[Show, tyro.conf.subcommand("show", prefix_name=False)]
    | Annotated[Test, tyro.conf.subcommand("test", prefix_name=False)]
    | Annotated[Listing, tyro.conf.subcommand("list", prefix_name=False)] = Listing(),  # noqa: B008  (frozen)
) -> None:
    """Train a model of an activity's poses from clips, show it, test it on other clips, or list the bundled ones.

    Example: reenact prior train walk1.bvh walk2.bvh -o walk.toml
    """
    match action:
        case Train():
            _train(action)
        case Show():
            from reenact.priors.load import load_model

            show_model(load_model(action.model))
        case Test():
            _test(action)
        case Listing():
            _list()


def trial_of(clip: str, fitting: Fitting) -> tuple[Motion, Source]:
    """The motion behind "walk.bvh@1.2-3.4" and the file it came from."""
    from reenact.cli.inputs import FITTED, fit_now, motion_of, source_path
    from reenact.formats.take import Source, sha256_of

    name, reading = clip, Reading()
    cut = re.fullmatch(r"(.+)@([0-9.]+)-([0-9.]+)", clip)
    if cut and not Path(clip).is_file():
        try:
            name, reading = cut[1], replace(reading, begin=float(cut[2]), end=float(cut[3]))
        except ValueError:
            raise InputError(
                f"'{clip}' does not name seconds, expected CLIP@FROM-TO such as walk.bvh@1.2-3.4"
            ) from None
    path = source_path(name)
    fitted = path.suffix == FITTED
    motion = motion_of(name, reading, fitting) if fitted else fit_now(name, reading, fitting)
    return motion, Source(name=path.name, sha256=sha256_of(path))


def train_model(
    clips: Sequence[str],
    name: str,
    fitting: Fitting,
    *,
    variance: float = 0.95,
    mirror: bool = True,
    weigh: bool = True,
) -> PoseModel:
    """A model of clips, given as for `trial_of`."""
    from reenact.priors.train import train

    trials = [trial_of(clip, fitting) for clip in clips]
    motions, sources = [motion for motion, _ in trials], [source for _, source in trials]
    return train(motions, name, sources=sources, variance=variance, mirror=mirror, weigh=weigh)


def _train(action: Train) -> None:
    if action.output.suffix != ".toml":
        raise InputError("a pose model is kept as .toml", path=action.output)
    if not action.clips:
        raise InputError(
            "no clips to learn from; name some, as in: reenact prior train walk1.bvh walk2.bvh -o walk.toml"
        )
    model = train_model(
        action.clips,
        action.name or action.output.stem,
        action.fitting,
        variance=action.variance,
        mirror=not action.one_sided,
        weigh=not action.unweighted,
    )
    from reenact.priors.load import save_model

    save_model(action.output, model)
    _describe(model)
    path = terminal.escape(shlex.quote(str(action.output)))
    terminal.say(f"Written to [bold]{path}[/]. Next: reenact prior show {path}")


def show_model(model: PoseModel) -> None:
    """What a model is made of."""
    from reenact.priors.components import moves_most

    _describe(model)
    table = terminal.table(
        "component", "σ", "variance %", "moves most, degrees over one σ", numbers=("σ", "variance %")
    )
    for i in range(model.size):
        moved = ", ".join(f"{name} {math.degrees(change):+.1f}" for name, change in moves_most(model, i))
        table.add_row(str(i + 1), f"{model.sigma[i]:.3f}", f"{100 * model.shares[i]:.1f}", terminal.escape(moved))
    terminal.show(table)
    for clip in model.clips:
        digest = clip.source.sha256[:12] or "no file"
        terminal.say(f"trained on {terminal.escape(clip.source.name)} ({clip.poses} poses, {digest})")


def _describe(model: PoseModel) -> None:
    poses = sum(clip.poses for clip in model.clips)
    terminal.say(
        f"[bold]{terminal.escape(model.name)}[/]: {model.size} components keep {model.variance:.1%} of the variance of "
        f"{poses} poses in {len(model.clips)} clips{', mirrored' if model.mirrored else ''}; "
        f"body {terminal.escape(model.body)}, {len(model.hinges.names)} hinges"
    )


def _test(action: Test) -> None:
    from reenact.priors.load import load_model
    from reenact.priors.reconstruction import reconstruction

    if not action.clips:
        raise InputError("no clips to test on; name some, as in: reenact prior test walk walk3.bvh")
    model = load_model(action.model)
    numbers = ("poses", "angles °", "tilt °", "joints cm", "worst cm", "unlikely %")
    table = terminal.table("clip", *numbers, numbers=numbers)
    for clip in action.clips:
        motion, source = trial_of(clip, action.fitting)
        model.require_unseen(source)
        loss = reconstruction(model, motion)
        cells = (loss.angle_deg, loss.tilt_deg, loss.joint_cm, loss.worst_joint_cm, 100 * loss.unlikely)
        table.add_row(terminal.escape(Path(clip).name), str(loss.poses), *(f"{value:.1f}" for value in cells))
    _describe(model)
    terminal.show(table)


def _list() -> None:
    from reenact.priors.load import bundled_models, load_model

    table = terminal.table("name", "components", "clips", "body", numbers=("components", "clips"))
    for name in bundled_models():
        model = load_model(name)
        cells = (str(model.size), str(len(model.clips)), terminal.escape(model.body))
        table.add_row(f"[bold]{name}[/]", *cells)
    table.add_row("[bold]identity[/]", "one per angle", "0", "any")
    terminal.show(table)
