"""`reenact body`: who can move, as a table or as a file to edit."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.body.body import Body, Segment


def body(
    name: tyro.conf.Positional[str] = "adult",
    /,
    *,
    sex: Annotated[Literal["female", "male"] | None, tyro.conf.arg(metavar="female|male")] = None,
    height: Annotated[float | None, tyro.conf.arg(metavar="METRES")] = None,
    mass: Annotated[float | None, tyro.conf.arg(metavar="KG")] = None,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE.toml")] = None,
) -> None:
    """Show a body's segments and joints, or write it as a TOML file that you can edit and give to --body.

    Example: reenact body adult --sex female --height 1.62 -o me.toml

    Args:
        name: adult, human50, robot35, laikago or a TOML file.
        sex: Anthropometrics of the adult.
        height: Stature of the adult.
        mass: Mass of the adult.
        output: Where to write the body; without it, it is shown.
    """
    chosen = _choose(name, sex, height, mass)
    if output is None:
        _show(chosen)
        return
    from reenact.body.toml import dump_body
    from reenact.formats.replace_file import replace_file

    replace_file(output, dump_body(chosen))
    path = terminal.escape(shlex.quote(str(output)))
    terminal.say(f"Written to [bold]{path}[/]. Next: reenact fit walk --body {path} -o walk.npz")


def _choose(name: str, sex: Literal["female", "male"] | None, height: float | None, mass: float | None) -> Body:
    if (sex, height, mass) == (None, None, None):
        from reenact.body.load import load_body

        return load_body(name)
    if name != "adult":
        raise InputError(f"--sex, --height and --mass belong to the body 'adult', not to '{name}'")
    from reenact.body.adult import adult

    return adult(sex=sex or "male", height=height, mass=mass)


def _show(chosen: Body) -> None:
    terminal.say(
        f"[bold]{terminal.escape(chosen.name)}[/]: {chosen.stature:.3f} m, {chosen.mass:.1f} kg, "
        f"{len(chosen.segments)} segments, {chosen.dofs} degrees of freedom"
    )
    table = terminal.table("segment", "kg", "joint", "axes: range in degrees, torque limit", numbers=("kg",))
    for segment in chosen.segments:
        cells = (segment.name, f"{segment.mass:.3f}", segment.joint, _axes(segment))
        table.add_row(*map(terminal.escape, cells))
    terminal.show(table)


def _axes(segment: Segment) -> str:
    return "\n".join(
        f"{axis.name.removeprefix(segment.joint + '_')} "
        f"{math.degrees(axis.range[0]):.0f} … {math.degrees(axis.range[1]):.0f}, {axis.torque_limit:.0f} N·m"
        for axis in segment.axes
    )
