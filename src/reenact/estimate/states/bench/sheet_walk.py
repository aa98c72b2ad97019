"""Tables of machines that go on: walking, pushes, people beside the walker, new worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from reenact.control.pushing.directions import PAPER
from reenact.estimate.bench.sheet import Sheet, filled
from reenact.estimate.states.bench.lines import LONG_WALK, Elsewhere, Hard, Pushed
from reenact.estimate.states.bench.rows import audit_row, refusals
from reenact.estimate.states.bench.summary import Summary
from reenact.estimate.states.bench.worlds import PAPER as TOLD
from reenact.estimate.states.bench.worlds import new_worlds
from reenact.estimate.states.new_worlds import NewWorld
from reenact.measure import Row

WALKING: Final = ("ground", "seconds upright of 60", "stays up", "by seed s", "audit", "first fall")
PUSHED: Final = (
    "torque limits", "body kg", "pushed from", "greatest force N", "by seed N", "one run N", "random trials passed",
    "audit", "[V12] N", "",
)  # fmt: skip
PEOPLE: Final = ("impulse N·s/kg", "people", "their detour cm", "stays up", "its detour cm")
WORLDS: Final = ("world", "change", "did it and ends standing", "ends standing", "audit", "first failure", "[V12] §6")


def walking(summaries: Sequence[Summary]) -> Sheet:
    """How long the walk stays up."""
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        values = ", ".join(f"{value:.0f}" for value in one.values("seconds_upright"))
        stays = f"{one.successes} of {len(one.records)}" if one.records else ""
        known = (one.line.name, one.text("seconds_upright"), stays, values, one.audit if one.records else "")
        cells.append(filled(known, WALKING, one.why))
        rows += _walking_rows(one)
    return Sheet(
        title="Walking on for 60 s", columns=WALKING, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries)
    )


def _walking_rows(one: Summary) -> Iterator[Row]:
    flat = one.line.name == "flat"
    name = "states.walk" if flat else f"states.walk.{one.line.name}"
    yield from refusals(one, f"{name}.seconds_upright")
    values = one.values("seconds_upright")
    if not values:
        return
    least = min(values)
    enough = least >= LONG_WALK - 1e-6 and one.successes == len(one.records)
    yield Row(
        name=f"{name}.seconds_upright",
        value=least,
        unit=f"s of {LONG_WALK:g}, the least of {len(values)} seeds: {', '.join(f'{value:.1f}' for value in values)}",
        goal=f"≥ {LONG_WALK:g} with every seed" if flat else "",
        holds=enough if flat else None,
        peer="[V12] §6.1: mostly stable, stumbles after 7 to 10 cycles and recovers" if flat else "",
    )
    yield audit_row(one, name)


def pushes(summaries: Sequence[Summary]) -> Sheet:
    """Greatest forces."""
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        what = one.line.what
        assert isinstance(what, Pushed)
        theirs = PAPER[what.torque][what.direction]
        drawn = sum(one.values("drawn_passed")), sum(one.values("drawn"))
        mass = one.median("mass_kg") or what.mass
        known: tuple[str, ...] = (f"{100 * what.torque:g} %", f"{mass:.0f}" if mass else "", what.direction)
        if one.records:
            each = ", ".join(f"{value:.0f}" for value in one.values("newtons"))
            passed = f"{drawn[0]:.0f} of {drawn[1]:.0f}" if drawn[1] else ""
            known = (*known, one.text("newtons", 0), each, one.text("middle_phase_N", 0), passed)
            known = (*known, one.audit, f"{theirs:g}")
        cells.append(filled(known, PUSHED, one.why))
        rows += _push_rows(one, theirs)
    return Sheet(
        title="Pushes: 0.4 s on the torso every 4 s, still walking after 40 s, at eight phases of the gait",
        columns=PUSHED, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries),
        plots=("push_average", "push_full", "push_limited"),
    )  # fmt: skip


def _push_rows(one: Summary, theirs: float) -> Iterator[Row]:
    name = f"states.push.{one.line.name}"
    yield from refusals(one, f"{name}_N")
    newtons = one.median("newtons")
    if newtons is None:
        return
    yield Row(
        name=f"{name}_N",
        value=newtons,
        unit=one.spread("newtons", "N"),
        goal=f"≥ {theirs:g}",
        holds=newtons >= theirs,
        peer=f"[V12] §6.1: {theirs:g}",
    )
    middle = one.median("middle_phase_N")
    if middle is not None:
        unit = f"{one.spread('middle_phase_N', 'N')}, in one run, at the middle of the phases"
        yield Row(
            name=f"{name}_one_run_N", value=middle, unit=unit, goal=f"≥ {theirs:g}", holds=middle >= theirs,
            peer=f"[V12] §6.1: {theirs:g}",
        )  # fmt: skip
    yield audit_row(one, name)


def people(summaries: Sequence[Summary]) -> list[Sheet]:
    """The walker beside people, at equal impulse per mass; of the middle seed."""
    sheets = []
    for one in summaries:
        shown = one.shown
        bins: list[dict[str, Any]] = [] if shown is None else list(shown.figures.get("bins", []))
        cells = [_people_cells(each) for each in bins] or [filled(("",), PEOPLE, one.why or "not run")]
        seed = "" if shown is None else f", seed {shown.seed}"
        sheets.append(
            Sheet(
                title=f"Against people: detours after the same shoves{seed}",
                columns=PEOPLE,
                cells=tuple(cells),
                rows=tuple(_people_rows(one, bins)),
                drawn=(one,),
                plots=("people",),
            )
        )
    return sheets


def _people_cells(each: dict[str, Any]) -> tuple[str, ...]:
    detour = "–" if each["walker_cm"] is None else f"{each['walker_cm']:.1f}"
    stays = f"{each['upright']} of {each['people']}"
    return f"{each['low']:.1f}–{each['high']:.1f}", str(each["people"]), f"{each['people_cm']:.1f}", stays, detour


def _people_rows(one: Summary, bins: Sequence[dict[str, Any]]) -> Iterator[Row]:
    name = "states.people"
    yield from refusals(one, f"{name}.upright_share")
    shares = [(r.figure("upright") or 0.0) / r.figures["trials"] for r in one.records if "trials" in r.figures]
    if not shares:
        return
    middle = sorted(shares)[(len(shares) - 1) // 2]
    each = ", ".join(f"{share:.2f}" for share in shares)
    yield Row(name=f"{name}.upright_share", value=middle, unit=f"of the shoves, by seed {each}", peer="people: all")
    detour, theirs = one.median("detour_cm"), one.median("people_detour_cm")
    if detour is not None and theirs is not None:
        unit = one.spread("detour_cm", "cm, median where it stays up")
        yield Row(name=f"{name}.detour_cm", value=detour, unit=unit, peer=f"people: {theirs:.1f}")
    for each_bin in bins:
        if each_bin["walker_cm"] is not None:
            label = f"{each_bin['low']:.1f}_to_{each_bin['high']:.1f}"
            peer = f"{each_bin['people']} people: {each_bin['people_cm']:.1f}"
            yield Row(name=f"{name}.{label}.detour_cm", value=each_bin["walker_cm"], unit="cm, median", peer=peer)
    yield audit_row(one, name)


def _world_of(one: Summary) -> NewWorld:
    assert isinstance(one.line.what, Elsewhere)
    return new_worlds()[one.line.what.world]


def worlds(summaries: Sequence[Summary]) -> Sheet:
    """Machines in new worlds."""
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        what = one.line.what
        assert isinstance(what, Elsewhere)
        new = new_worlds()[what.world]
        told = "" if new.change else TOLD.get(new.name, "")
        known: tuple[str, ...] = ("", "", "")
        if one.records:
            stands = sum(one.values("stands"))
            known = (f"{one.successes} of {len(one.records)}", f"{stands:.0f} of {len(one.records)}", one.audit)
        change = "fitted again there" if what.again else new.change
        if isinstance(what.of.what, Hard):
            change = ", ".join(filter(None, (change, "practised under disturbances")))
        cells.append((new.name, change, *known, one.why, told))
        name = f"states.worlds.{one.line.name}"
        rows += refusals(one, f"{name}.standing")
        if one.records:
            why = f"; {one.why}" if one.why else ""
            unit = f"of {len(one.records)} seeds did the motion and end standing{why}"
            peer = f"[V12] §6: {told}" if told else ""
            rows.append(Row(name=f"{name}.standing", value=one.successes, unit=unit, peer=peer))
            rows.append(audit_row(one, name))
    return Sheet(
        title="New worlds, [V12] §6",
        columns=WORLDS,
        cells=tuple(cells),
        rows=tuple(rows),
        drawn=tuple(one for one in summaries if not _world_of(one).change),
    )
