"""What `reenact bench sampling` reconstructs: who moves how and where, what is hoped for, and what [L10] published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.estimate.sampling.settings import EFFORTS, Effort, Settings
from reenact.formats.bench_motions import NAMES, bench_motion, bench_reference, find_sample, list_bench_motions
from reenact.formats.read import read_clip
from reenact.formats.take import Source, sha256_of
from reenact.motion.clip import Table
from reenact.motion.edit_line import onto_line
from reenact.motion.edit_time import slow
from reenact.motion.motion import Motion
from reenact.motion.same_angles import with_same_angles
from reenact.motion.table_motion import motion_of_table

Part = Literal["human", "robot", "animal", "worlds", "fast", "unseen"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
SEEDS: Final = 10
UNSEEN_SEEDS: Final = 3  # of recordings the search was not made with: many clips say more than many seeds
QUICK_SEEDS: Final = 2
QUICK: Final = ("human/cartwheel", "human/jump", "animal/trot", "fast/walk")
HUMAN: Final = "human50"
UNSEEN: Final = "unseen_"  # how motions that the search was not made with begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What [L10] says about a motion: Tables 4 and 5, or §4. Its cluster had 80 cores."""

    seconds: float | None = None  # length of its clip
    computing: float | None = None  # wall time of one reconstruction [s]
    says: str = ""  # how it went

    @property
    def s_per_s(self) -> float | None:
        """Wall time per second of motion."""
        return None if self.seconds is None or self.computing is None else self.computing / self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the bench."""

    part: Part
    name: str
    motion: str  # a name in bench_motions.toml, or a sample that holds joint angles of the body
    body: str = HUMAN
    world: str = "flat"
    line: bool = False  # its feet are brought onto a line first
    slow: tuple[float, float, float] | None = None  # from, to [s], factor
    effort: Effort = "normal"
    least: int | None = None  # successes of ten seeds that are hoped for
    fastest: float | None = None  # computing per second of motion that is hoped for [s]
    paper: Paper = Paper()

    @property
    def seeds(self) -> int:
        """Runs, unless said otherwise."""
        return UNSEEN_SEEDS if self.part == "unseen" else SEEDS

    @property
    def key(self) -> str:
        """Unique among all entries; also the folder of its runs."""
        return f"{self.part}/{self.name}"

    @property
    def row(self) -> str:
        """How the names of its figures begin."""
        prefix = {"human": "", "robot": "robot35.", "animal": f"{self.body}."}
        return f"sampling.{prefix.get(self.part, f'{self.part}.')}{self.name}"

    def settings(self, seed: int) -> Settings:
        """How it is searched for."""
        samples, save = EFFORTS[self.effort]
        return Settings(samples=samples, save=save, seed=seed)

    def missing(self, data: Path | None) -> str:
        """Why its motion cannot be had, in words; empty where it can."""
        return "" if self.body not in (HUMAN, "robot35") else bench_motion(self.motion).missing(data)


TABLE_4: Final = {
    "walk": Paper(seconds=5.2, computing=143),
    "run": Paper(seconds=2.0, computing=51),
    "sideways_roll": Paper(seconds=3.0, computing=78, says="succeeds almost every time"),
    "forward_roll": Paper(seconds=3.0, computing=78),
    "backward_roll": Paper(seconds=2.1, computing=57),
    "get_up": Paper(seconds=3.5, computing=93, says="the hardest get-up fails 2 of 3 times"),
    "kip_up": Paper(seconds=6.6, computing=184),
}
TABLE_5: Final = {
    "walk": Paper(seconds=5.2, computing=193),
    "run": Paper(seconds=2.0, computing=80, says="sluggish"),
    "sideways_roll": Paper(seconds=3.0, computing=133, says="over the shoulder"),
    "forward_roll": Paper(seconds=3.0, computing=109),
    "backward_roll": Paper(seconds=2.1, computing=75, says="fails; succeeds with a neck of three axes"),
    "get_up": Paper(seconds=3.5, computing=140),
    "kip_up": Paper(seconds=4.3, computing=165),
    "cartwheel": Paper(seconds=2.1, computing=50),
}
_DIVE: Final = (0.4, 0.9)  # [s] of the dive roll: from the last push to the shoulders on the ground
BESIDE: Final = ("roll_sample", "backward_roll_reversed")  # shown without a goal


@cache
def list_entries() -> tuple[Entry, ...]:
    """All lines in the order of the table."""
    human = [
        Entry(part="human", name=name, motion=name, least=8, fastest=5.0, paper=TABLE_4.get(name, Paper()))
        for name in NAMES
    ]
    human += [Entry(part="human", name=name, motion=name) for name in BESIDE]
    robot = [
        Entry(part="robot", name=name, motion=name, body="robot35", least=6, paper=paper)
        for name, paper in TABLE_5.items()
    ]
    says = Paper(says="a running cheetah")
    animal = Entry(part="animal", name="trot", motion="laikago_walk", body="laikago", least=6, paper=says)
    fast = [Entry(part="fast", name=name, motion=name, effort="fast", fastest=1.0) for name in ("walk", "run")]
    unseen = [
        Entry(part="unseen", name=row.name.removeprefix(UNSEEN), motion=row.name)
        for row in list_bench_motions()
        if row.name.startswith(UNSEEN)
    ]
    return (*human, *robot, animal, *_worlds(), *fast, *unseen)


def _worlds() -> list[Entry]:
    """[L10] §4, Motion Transformation.

    A slowed dive lasts longer by about the time in which a body falls on from 1.5 m/s, its speed when the hands touch
    level ground: 0.2 s for 50 cm, 0.3 s for 100 cm.
    """
    roll, dive = "forward_roll", "dive_roll"
    return [
        _world("walk_pebbles", "walk", "pebbles", "feet adapt to the ground"),
        _world("walk_ice", "walk", "ice", "feet slide, balance is kept"),
        _world("walk_beam_10cm", "walk", "beam", "succeeds", line=True),
        _world("walk_beam_5cm", "walk", "beam_5cm", "succeeds", line=True),
        _world("roll_ramp", roll, "ramp", "no difficulty"),
        _world("roll_raise", roll, "raise", "no difficulty"),
        _world("roll_drop_50cm", roll, "drop_50cm", "no difficulty"),
        _world("dive_drop_50cm_slowed", dive, "drop_50cm", slow=(*_DIVE, 1.5)),
        _world("roll_drop_100cm", roll, "drop_100cm", "lands on the back"),
        _world("dive_drop_100cm_slowed", dive, "drop_100cm", "lands on the hands", slow=(*_DIVE, 2.2)),
        _world("roll_crash_pad", roll, "crash_pad", "lags a little"),
    ]


def _world(name: str, motion: str, world: str, says: str = "", **edits: Any) -> Entry:
    return Entry(part="worlds", name=name, motion=motion, world=world, least=6, paper=Paper(says=says), **edits)


def chosen_entries(*, parts: Sequence[Part] = (), motions: Sequence[str] = (), quick: bool = False) -> list[Entry]:
    """The lines of some parts and of some names; all of them where none are given."""
    entries = [entry for entry in list_entries() if entry.key in QUICK] if quick else list(list_entries())
    entries = [entry for entry in entries if not parts or entry.part in parts]
    unknown = sorted(set(motions) - {entry.name for entry in entries})
    if unknown:
        known = ", ".join(dict.fromkeys(entry.name for entry in entries))
        raise InputError(f"no line '{unknown[0]}' in what was chosen; there are: {known}")
    entries = [entry for entry in entries if not motions or entry.name in motions]
    if not entries:
        raise InputError("none of the quick lines is in the parts chosen")
    return entries


def reference_of(entry: Entry, data: Path | None) -> tuple[Motion, Source]:
    """The motion that a line's body is to follow, before it is put into its world, and the file it comes from."""
    if entry.body not in (HUMAN, "robot35"):
        return _of_table(entry)
    motion, path = _of_human(entry.motion, data), _path(entry.motion, data)
    if entry.slow is not None:
        motion = slow(motion, *entry.slow)
    if entry.line:
        motion = onto_line(motion)
    if entry.body != HUMAN:
        motion = with_same_angles(motion, load_body(entry.body))
    return motion, Source(name=path.name, sha256=sha256_of(path))


@cache
def _of_human(name: str, data: Path | None) -> Motion:
    return bench_reference(bench_motion(name), load_body(HUMAN), data)


def _path(name: str, data: Path | None) -> Path:
    row = bench_motion(name)
    return find_sample(row.source) if row.bundled or data is None else data / row.source


def _of_table(entry: Entry) -> tuple[Motion, Source]:
    path = find_sample(entry.motion)
    table = read_clip(path)
    if not isinstance(table, Table):
        raise InputError(f"holds no joint angles of '{entry.body}'", path=path)
    return motion_of_table(table, load_body(entry.body)), Source(name=path.name, sha256=sha256_of(path))
