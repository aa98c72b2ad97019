"""A state machine as text in the terminal: numbers of all states side by side, what changes between them bright."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reenact.cli import terminal

if TYPE_CHECKING:
    from reenact.control.machine.machine import Machine, MachineState

DIFFERENT = 1.0  # [°] from the state before: more is bright
CHANGED = 1e-6  # of a gain or a weight
LABEL, NUMBER = 24, 8  # characters of a row's name and of a number
LEAST_CELL = 16  # characters of a state's column
UNBOUNDED = 1000  # characters, where no terminal sets the width

Row = tuple[str, list[list[float]]]  # a name and, for each state, one number or more


def show_machine(machine: Machine) -> None:
    """Print a machine: states, poses, gains, feedback, reactions, settings."""
    from reenact.control.machine.notation import circled, notation, structure_of

    found, count = structure_of(machine), len(machine.states)
    terminal.say(f"[bold]state machine[/]: {count} state{'s' if count != 1 else ''}, {found.kind}")
    terminal.say(f"[bold]structure[/]: {notation(machine)}")
    for i in found.unreached:
        terminal.say(f"[yellow]nothing leads to state {circled(i + 1)} '{terminal.escape(machine.states[i].name)}'[/]")
    terminal.say()
    _show_states(machine)
    terminal.say()
    terminal.say("[bold]target poses[/] [°], left and right; [bold cyan]bright[/]: over 1° from the state before")
    _show_poses(machine)
    terminal.say("[bold]gains[/] α, the fraction of a difference removed per 1/120 s")
    rows: list[Row] = [(name, [[float(s.gains[i])] for s in machine.states]) for i, name in enumerate(machine.groups)]
    _show_blocks(machine, rows, lambda value: f"{value:.3f}", CHANGED)
    _show_feedback(machine)
    _show_reactions(machine)
    _show_settings(machine)


def _show_states(machine: Machine) -> None:
    from reenact.control.machine.machine import TIME
    from reenact.control.machine.notation import circled

    def named(name: str | None) -> str:
        return "–" if name is None else f"{circled(machine.index(name) + 1)} {name}"

    columns = ["", "state", "until", "seconds", "then"]
    early = any(state.early is not None for state in machine.states)
    table = terminal.table(*columns, *(["early"] if early else []), numbers=("seconds",))
    for i, state in enumerate(machine.states):
        until = "stays" if state.then is None else "time" if state.until == TIME else f"{state.until} contact"
        words = [state.name, until, f"{state.seconds:.3f}", named(state.then)]
        if early:
            words.append(
                "" if state.early is None else f"{state.early[0]} contact{_but(state)}: {named(state.early[1])}"
            )
        table.add_row(circled(i + 1), *(terminal.escape(word) for word in words))
    terminal.show(table)


def _but(state: MachineState) -> str:
    """When an early contact does not count, in words."""
    after = f" after {state.early_after:.2f} s" if state.early_after else ""
    due = f" but at {state.early_due[0]:.2f} … {state.early_due[1]:.2f} s" if state.early_due else ""
    return after + due


def _show_poses(machine: Machine) -> None:
    """A row per axis, its left and right side together; rows that are zero throughout are only named."""
    import numpy as np

    from reenact.control.machine.limbs import side_of, unsided
    from reenact.geometry.rotation import to_euler

    turns = [np.rad2deg(to_euler("zyx", state.root)) for state in machine.states]
    rows: list[Row] = [
        (f"root {name}", [[float(turn[i])] for turn in turns])
        for i, name in enumerate(("turn left", "lean forward", "tilt right"))
    ]
    still = []
    for name in dict.fromkeys(unsided(axis) for axis in machine.axes):
        columns = [i for i, axis in enumerate(machine.axes) if unsided(axis) == name]
        columns.sort(key=lambda i: side_of(machine.axes[i]))
        values = [[float(np.rad2deg(state.pose[i])) for i in columns] for state in machine.states]
        if np.abs(values).max() < 0.05:
            still.append(name.replace("_", " "))
        else:
            rows.append((name.replace("_", " "), values))
    _show_blocks(machine, rows, lambda value: f"{round(value)}", DIFFERENT)
    if still:
        terminal.say(f"0° throughout: {', '.join(still)}")
        terminal.say()


def _show_feedback(machine: Machine) -> None:
    numbers: dict[str, Callable[[Any], Sequence[float]]] = {
        "place ϑ₁": lambda b: [b.place],
        "velocity ϑ₂ [s]": lambda b: [b.velocity],
        "blend ϑ₃": lambda b: [b.blend],
        "nominal place [m]": lambda b: b.nominal_place,
        "nominal velocity [m/s]": lambda b: b.nominal_velocity,
        "ϑ₁, ϑ₂ to the side": lambda b: b.aside,
        "ankle reflex": lambda b: b.ankle,
        "lean reflex": lambda b: b.lean,
        "lean reflex to the side": lambda b: b.lean if b.lean_aside is None else b.lean_aside,
        "greatest d inward": lambda b: [math.inf if b.inward is None else b.inward],
        "level sole": lambda b: [b.sole],
        "hurry [1/m], by way of falling": lambda b: [*b.hurry],
        "cues as a rule [m, rad, rad/s]": lambda b: [*b.usual],
    }
    every: list[Row] = [(name, [list(part(s.balance)) for s in machine.states]) for name, part in numbers.items()]
    rows = [(name, values) for name, values in every if any(v and math.isfinite(v) for value in values for v in value)]
    if not rows:
        terminal.say("[bold]feedback[/]: none, nothing balances it")
        return
    terminal.say("[bold]feedback[/]; pairs: ahead and left, or per place and velocity")
    _show_blocks(machine, rows, _short, CHANGED)


def _show_reactions(machine: Machine) -> None:
    """A block for each way to fall and each cue; joints that do not react to it are left out."""
    import numpy as np

    from reenact.control.machine.cues import CUES, SI
    from reenact.control.machine.falling import WAYS

    none = np.zeros(len(machine.axes))
    for way, name in enumerate(WAYS):
        every = [none if s.reactions is None else s.reactions[way] for s in machine.states]
        says = f"[bold]reactions[/] to falling {name} [° of the target pose per m]"
        _show_changes(machine, np.rad2deg(every), says, 0.5, lambda value: f"{round(value)}")
    for cue, name in enumerate(CUES):
        every = [none if s.answers is None else s.answers[cue] for s in machine.states]
        says = f"[bold]answers[/] to {name} [° of the target pose per unit]"
        unit = float(SI[cue])
        _show_changes(machine, np.rad2deg(every) * unit, says, 0.5 * unit, _short)


def _show_changes(machine: Machine, degrees: Any, says: str, least: float, text: Callable[[float], str]) -> None:
    """Changes (M, A) of the target pose by joint, those of some size."""
    rows: list[Row] = [
        (axis.replace("_", " "), [[float(x)] for x in degrees[:, i]])
        for i, axis in enumerate(machine.axes)
        if abs(degrees[:, i]).max() >= least
    ]
    if rows:
        terminal.say(says)
        _show_blocks(machine, rows, text, DIFFERENT)


def _short(value: float) -> str:
    """At most three digits after the point, none that say nothing, and short enough for its column."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 100.0 else f"{value:.0f}"


def _show_settings(machine: Machine) -> None:
    words = {
        "balance law": machine.law,
        "root held by": f"the {machine.root_by}",
        "standing hip's share of that": f"{machine.share:g}",
        "heading": "left free" if machine.level else "held",
        "contact counts after": f"{100 * machine.dwell:.0f} % of a state's seconds",
        "goes on without contact after": f"{machine.patience:g} s",
    }
    terminal.say("[bold]settings[/]: " + "; ".join(f"{name} {value}" for name, value in words.items()))


def _show_blocks(machine: Machine, rows: Sequence[Row], text: Callable[[float], str], least: float) -> None:
    """Numbers of every state side by side, in as many blocks as the terminal's width asks for.

    What differs by more than `least` from the state before is bright. Where nothing differs, one column is for all.
    """
    from reenact.control.machine.notation import circled

    heads = [f"{circled(i + 1)} {state.name}" for i, state in enumerate(machine.states)]
    before = _before(machine)
    if len(heads) > 1 and all(numbers == values[0] for _, values in rows for numbers in values):
        heads, rows, before = ["all states"], [(name, values[:1]) for name, values in rows], {}
    cell = max(LEAST_CELL, 1 + NUMBER * max(len(values[0]) for _, values in rows))
    room = max(1, (_width() - LABEL) // cell)
    for first in range(0, len(heads), room):
        shown = range(first, min(first + room, len(heads)))
        terminal.say(" " * LABEL + "".join(terminal.escape(f"{_cut(heads[i], cell - 1):>{cell}}") for i in shown))
        for name, values in rows:
            line = terminal.escape(f"{_cut(name, LABEL - 1):{LABEL}}")
            terminal.say(line + "".join(_numbers(values, i, before.get(i), text, least, cell) for i in shown))
        terminal.say()


def _numbers(
    values: list[list[float]], state: int, before: int | None, text: Callable[[float], str], least: float, cell: int
) -> str:
    words = []
    for k, value in enumerate(values[state]):
        word = f"{text(value):>{NUMBER}}"
        changed = before is not None and abs(value - values[before][k]) > least
        words.append(f"[bold cyan]{word}[/]" if changed else word)
    return " " * (cell - NUMBER * len(words)) + "".join(words)


def _before(machine: Machine) -> dict[int, int]:
    """Of each state the one that leads to it; the first of a cycle after a prefix comes after the prefix."""
    from reenact.control.machine.notation import structure_of

    found = structure_of(machine)
    before = {there: here for here, there in pairwise(found.order)}
    if found.back is not None:
        before.setdefault(found.back, found.order[-1])
    return before


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else UNBOUNDED
