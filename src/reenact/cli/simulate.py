"""`reenact simulate`: follow a motion with joint torques in a world and see what happens."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.ending import ending_of
from reenact.cli.inputs import Fitting, Reading

if TYPE_CHECKING:
    from reenact.formats.take import Take


def simulate(
    motion: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="TAKE")],
    world: Annotated[str, tyro.conf.arg(metavar="NAME|FILE")] = "flat",
    actuation: Literal["motor", "servo"] = "motor",
    seconds: Annotated[float | None, tyro.conf.arg(metavar="SECONDS", help_behavior_hint="")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    fitting: Fitting = Fitting(),  # noqa: B008  (frozen)
) -> None:
    """Follow a motion by joint torques alone and write what happens as a take; the body may fall: the take says so.

    A clip is fitted first. Nothing but its feet holds the body up: the recorded angles are followed blindly, without
    balance.

    Example: reenact simulate walk --world ice -o take/

    Args:
        motion: A clip file, a bundled sample's name, or a motion fitted before.
        output: The take folder to write; an older take there is replaced.
        world: A bundled world (see `reenact world`) or a TOML file.
        actuation: How joints are driven: motor is a velocity constraint within the torque limit, servo a PD spring.
        seconds: How long to simulate; the motion's length unless said, its last pose held beyond.
    """
    from reenact.cli.inputs import motion_of, source_path
    from reenact.control.follow import check_length, follow
    from reenact.formats.take import Source, refuse_foreign, sha256_of, write_take
    from reenact.physics.audit import audit_recording
    from reenact.view.report import report_html
    from reenact.world.load import load_world

    refuse_foreign(output)  # before the work rather than after it
    if seconds is not None:
        check_length(seconds)
    place, path = load_world(world), source_path(motion)
    fitted = motion_of(motion, reading, fitting)
    with terminal.progress("simulating") as advance:
        advance(0.1, "simulating")
        source = Source(name=path.name, sha256=sha256_of(path))
        take = follow(fitted, place, actuation=actuation, seconds=seconds, source=source)
        advance(0.5, "auditing")
        verdict = audit_recording(take)
        advance(0.8, "writing the take")
        write_take(output, take, report_html=report_html(take, name=output.resolve().name, audit=verdict))
    _summary(take, output)
    terminal.say(
        "Audit: [green]honest[/], moved by joint torques and contacts alone."
        if verdict.honest
        else f"Audit: [red]not honest[/]: {terminal.escape('; '.join(verdict.faults))}"
    )
    folder = terminal.escape(shlex.quote(str(output)))
    terminal.say(f"Open {folder}/report.html in a browser, or run: reenact view {folder}")


def _summary(take: Take, output: Path) -> None:
    info, metrics = take.info, take.info.metrics
    terminal.say(
        f"[bold]{terminal.escape(output)}[/]: {take.seconds:.2f} s of {terminal.escape(info.input.name)} on "
        f"{terminal.escape(info.body)} in {terminal.escape(info.world)}, {ending_of(info)}"
    )
    before = metrics.get("joint_error_before_fall_cm")
    extra = "" if before is None else f" ({before:.1f} cm before the fall)"
    terminal.say(
        f"Joints {metrics['joint_error_cm']:.1f} cm from the recorded ones on average{extra}, "
        f"torque up to {metrics['torque_max_Nm']:.0f} N·m, "
        f"ground force up to {metrics['ground_force_max_weights']:.1f} body weights."
    )
