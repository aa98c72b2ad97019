"""What `reenact bench states` runs: its lines, what each asks for, and what [V12] published beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from reenact.control.pushing.directions import PAPER as PUSHES
from reenact.errors import InputError
from reenact.estimate.states.bench.methods import QUESTIONS, Way
from reenact.estimate.states.bench.worlds import WALKED, new_worlds
from reenact.formats.bench_motions import (
    FIGURE_6,
    FIGURE_6_BUNDLED,
    HELD,
    bench_motion,
    list_bench_motions,
)

Part = Literal["figure6", "time", "walking", "push", "people", "worlds", "held", "methods"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
SEEDS: Final = 3
FEW_SEEDS: Final = 1  # of the quick version, and of error against time, which takes half an hour for each
QUICK: Final = "quick"  # where the runs of the quick version are kept
BATCH: Final = "_batch"  # how the names of parts end that hold the batch runs of another
GAIT: Final = "gait"
HARD: Final = "hard"  # the part of motions practised under disturbances, which serve others
HARDENED: Final = ".hardened"  # how the names of lines end that send those to new worlds
ADAPTED: Final = ".adapted"  # how the names of lines end whose machine is fitted again in a new world
WALK: Final = "fast_walk"  # the motion that walks on
BUDGETS: Final = (30, 60, 120, 300, 900)  # [s]
TIMED: Final = ("fast_walk", "jump")
COMPARED: Final = ("fast_walk", "jump")
LONG_WALK: Final = 60.0  # [s]
AVERAGE: Final = 80.4  # [kg] of our generic adult: [V12] has one body for everybody, "an average person"
# Pushed walks: the name of their lines, times the torque limits, and the mass, the performer's where none.
PUSHED: Final = (("full", 1.0, None), ("average", 1.0, AVERAGE), ("limited", 0.75, None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure6:
    """A row of [V12] Figure 6; its eight cores took 3 h for 200 frames, §5.1."""

    frames: int
    batch: float | None  # [cm]
    incremental: float
    refined: float
    states: int
    structure: str


FIGURE_6_PAPER: Final = {
    "fast_walk": Figure6(
        frames=207, batch=3.9, incremental=2.3, refined=2.4, states=5, structure="⊕→①—R→②—T→③—L→④—T→⑤—R→②"
    ),
    "jump": Figure6(frames=241, batch=7.4, incremental=4.6, refined=4.3, states=5, structure="⊕→①—T→②—T→③—T→④—T→⑤"),
    "twist_jump": Figure6(
        frames=226, batch=7.0, incremental=4.4, refined=4.4, states=6, structure="⊕→①—T→②—T→③—T→④—T→⑤—T→⑥"
    ),
    "spin_kick": Figure6(frames=131, batch=10.6, incremental=9.4, refined=9.2, states=4, structure="⊕→①—T→②—T→③—T→④"),
    "cartwheel": Figure6(
        frames=175, batch=21.5, incremental=11.8, refined=11.8, states=7, structure="⊕→①—T→②—T→③—R→④—T→⑤—L→⑥—T→⑦"
    ),
    "back_handspring": Figure6(
        frames=775, batch=None, incremental=6.3, refined=6.3, states=20, structure="⊕→①—T→②—T→…—T→⑳"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A state machine is searched for."""

    motion: str  # a row of bench_motions.toml
    way: Literal["whole", "batch"] = "whole"  # Algorithms 3 and 4, or 2 alone
    budget: float | None = None  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A chain is grown in one of two ways that are compared."""

    motion: str
    way: Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Gait:
    """A walk is practised until it bears pushes."""

    motion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hard:
    """A motion that ends standing is practised under disturbances."""

    motion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A trained walk goes through a world until it falls; world: one of WALKED."""

    of: Line
    world: str
    seconds: float = LONG_WALK


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A machine found on the flat runs in a new world, one of `new_worlds`."""

    of: Line
    world: str
    again: bool = False  # fitted again there before, as by `reenact adapt`


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """The greatest force from one side that a trained walk withstands."""

    of: Line
    direction: str
    torque: float
    mass: float | None = None  # [kg] that the walker gets, its own where None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoved:
    """A trained walk gets the shoves that people got."""

    of: Line


What = Search | Compared | Gait | Hard | Walk | Elsewhere | Pushed | Shoved


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the bench: so many runs, alike but for their seeds."""

    part: str  # a Part, QUICK, or one that only serves others: with BATCH at its end, GAIT or HARD
    name: str
    what: What
    paper: str = ""  # the name of its row in FIGURE_6_PAPER

    @property
    def key(self) -> str:
        """Unique among all lines; also the folder of its runs."""
        return f"{self.part}/{self.name}"

    @property
    def seeds(self) -> int:
        """Runs, unless said otherwise."""
        return FEW_SEEDS if self.part in ("time", QUICK, f"{QUICK}{BATCH}") else SEEDS

    @property
    def needs(self) -> Line | None:
        """The line whose takes it starts from."""
        return None if isinstance(self.what, Search | Compared | Gait | Hard) else self.what.of

    @property
    def motion(self) -> str:
        """The row of bench_motions.toml behind it."""
        return self.what.motion if isinstance(self.what, Search | Compared | Gait | Hard) else self.what.of.motion

    def missing(self, data: Path | None) -> str:
        """Why it cannot be run, in words; empty where it can."""
        reason = bench_motion(self.motion).missing(data)
        if not reason and isinstance(self.what, Shoved) and people_table(data) is None:
            return "needs the table of people pushed while walking (snu_pushed_walking_stats)"
        return reason


def people_table(data: Path | None) -> Path | None:
    """The table of people pushed while walking, where it is."""
    found = sorted((data / "snu_pushed_walking_stats").glob("*.csv")) if data is not None else []
    return found[0] if found else None


@cache
def list_lines() -> tuple[Line, ...]:
    """All lines, in the order of the tables; those that serve others come before them."""
    figure6 = [Line(part="figure6", name=name, what=Search(motion=row), paper=name) for name, row in FIGURE_6.items()]
    batch = _batch_of(figure6)
    timed = [
        Line(part="time", name=f"{name}_{budget}s", what=Search(motion=FIGURE_6[name], budget=budget), paper=name)
        for name in TIMED
        for budget in BUDGETS
    ]
    gait = Line(part=GAIT, name=WALK, what=Gait(motion=FIGURE_6[WALK]))
    walking = [Line(part="walking", name=world, what=Walk(of=gait, world=world)) for world in WALKED]
    pushed = [
        Line(part="push", name=f"{label}.{side}", what=Pushed(of=gait, direction=side, torque=torque, mass=mass))
        for label, torque, mass in PUSHED
        for side in PUSHES[torque]
    ]
    people = Line(part="people", name="people", what=Shoved(of=gait))
    sources = {line.motion: line for line in figure6}
    worlds = [
        Line(part="worlds", name=name, what=Elsewhere(of=gait if new.moving else sources[new.motion], world=name))
        for name, new in new_worlds().items()
    ]
    worlds += [
        Line(part="worlds", name=f"{name}{ADAPTED}", what=Elsewhere(of=sources[new.motion], world=name, again=True))
        for name, new in new_worlds().items()
        if not new.change and not new.world.things
    ]
    still = {name: new for name, new in new_worlds().items() if not new.moving}
    hard = {
        motion: Line(part=HARD, name=sources[motion].name, what=Hard(motion=motion))
        for motion in dict.fromkeys(new.motion for new in still.values())
    }
    worlds += [
        Line(part="worlds", name=f"{name}{HARDENED}", what=Elsewhere(of=hard[new.motion], world=name))
        for name, new in still.items()
    ]
    held = [
        Line(part="held", name=row.name.removeprefix(HELD), what=Search(motion=row.name))
        for row in list_bench_motions()
        if row.name.startswith(HELD)
    ]
    return (*figure6, *batch, *timed, gait, *hard.values(), *walking, *pushed, people, *worlds, *held, *_methods())


def _methods() -> list[Line]:
    return [method_line(table, answer, name) for table, own in QUESTIONS.items() for answer in own for name in COMPARED]


def method_line(question: str, answer: str, name: str) -> Line:
    """The line of one answer to a question on one motion."""
    number = list(QUESTIONS[question]).index(answer)
    label = f"{question}.{'usual' if number == 0 else 'other'}.{name}"
    return Line(part="methods", name=label, what=Compared(motion=FIGURE_6[name], way=QUESTIONS[question][answer]))


def _batch_of(lines: Sequence[Line]) -> list[Line]:
    """The batch runs beside lines of Figure 6."""
    return [
        Line(part=f"{line.part}{BATCH}", name=line.name, what=Search(motion=line.motion, way="batch")) for line in lines
    ]


@cache
def list_quick() -> tuple[Line, ...]:
    """The quick version of Figure 6: bundled samples and a small budget."""
    lines = [Line(part=QUICK, name=name, what=Search(motion=row), paper=name) for name, row in FIGURE_6_BUNDLED.items()]
    return (*lines, *_batch_of(lines))


def chosen_lines(*, parts: Sequence[str] = (), motions: Sequence[str] = (), quick: bool = False) -> list[Line]:
    """The lines of some parts and of some names, with those they need; all of them where none are given."""
    for part in parts:
        if part not in PARTS:
            raise InputError(f"bench states has no part '{part}'; there are: {', '.join(PARTS)}")
    if quick and any(part != "figure6" for part in parts):
        raise InputError("the quick version has the part figure6 only")
    every = list(list_quick() if quick else list_lines())
    wanted = [line for line in every if line.part in (QUICK, *(parts or PARTS))]
    unknown = sorted(set(motions) - {line.name for line in wanted})
    if unknown:
        raise InputError(
            f"no line '{unknown[0]}' in what was chosen; there are: {', '.join(dict.fromkeys(x.name for x in wanted))}"
        )
    wanted = [line for line in wanted if not motions or line.name in motions]
    helping = {line.needs.key for line in wanted if line.needs is not None}
    helping |= {f"{line.part}{BATCH}/{line.name}" for line in wanted if line.part in ("figure6", QUICK)}
    return [line for line in every if line in wanted or line.key in helping]
