"""What `reenact bench video` runs: its lines, what each asks for, and what [V12] published beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from reenact.errors import InputError
from reenact.formats.bench_motions import FIGURE_6, bench_motion
from reenact.view.bench_video.elsewhere import places

Part = Literal["figure7", "real", "open", "worlds"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
SEEDS: Final = 3
QUICK: Final = "quick"
BATCH: Final = "_batch"  # how the names of parts end that hold the batch runs of another
QUICK_SECONDS: Final = 1.2  # of the bundled walk
REFERENCE: Final = "pose2sim_demo_truth"  # folder of recordings with the real video's reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure7:
    """A row of [V12] Figure 7; frames at 120 Hz."""

    frames: int
    batch: float  # [cm], the best of 15 runs
    incremental: float
    refined: float


FIGURE_7_PAPER: Final = {
    "fast_walk": Figure7(frames=207, batch=6.7, incremental=4.2, refined=4.2),
    "jump": Figure7(frames=241, batch=9.5, incremental=6.8, refined=6.8),
    "twist_jump": Figure7(frames=226, batch=11.9, incremental=9.6, refined=9.6),
    "back_handspring": Figure7(frames=154, batch=33.3, incremental=17.6, refined=17.5),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A recorded motion is filmed and captured from its video."""

    motion: str  # a row of bench_motions.toml
    views: tuple[str, ...] = ("side",)
    camera: Literal["known", "clicked"] = "known"
    way: Literal["whole", "batch"] = "whole"  # Algorithms 3 and 4, or 2 alone
    seconds: float | None = None  # of the motion's beginning, all unless said
    activities: tuple[str, ...] = ()  # pose models to be tried, all unless said


@dataclass(frozen=True, slots=True, kw_only=True)
class Real:
    """A real video is captured and held against points triangulated from four views."""

    videos: tuple[str, ...] = ("cam01",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The pose network's landmarks in space of the same video, measured by the same code."""

    video: str = "cam01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A real video without a reference: the woman who walks."""

    pushed: bool = False  # whether her walk is practised under pushes, to be pushed and put on slopes


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A machine captured from video runs in a new world."""

    of: Line
    world: str


What = Drawn | Real | Network | Open | Elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the bench: so many runs, alike but for their seeds."""

    part: str  # a Part, QUICK, or one with BATCH at its end
    name: str
    what: What
    paper: str = ""  # the name of its row in FIGURE_7_PAPER

    @property
    def key(self) -> str:
        """Unique among all lines; also the folder of its runs."""
        return f"{self.part}/{self.name}"

    @property
    def seeds(self) -> int:
        """Runs, unless said otherwise."""
        return 1 if self.part == QUICK or isinstance(self.what, Network) else SEEDS

    @property
    def needs(self) -> Line | None:
        """The line whose takes it starts from."""
        return self.what.of if isinstance(self.what, Elsewhere) else None

    def missing(self, data: Path | None, videos: Path | None) -> str:
        """Why it cannot be run, in words; empty where it can."""
        if self.needs is not None:
            return self.needs.missing(data, videos)
        if isinstance(self.what, Drawn):
            return bench_motion(self.what.motion).missing(data)
        for name in video_files(self.what):
            if videos is None:
                return f"needs {name}: --videos says where it is"
            if find_video(videos, name) is None:
                return f"needs {name}, which is not in {videos}"
        if isinstance(self.what, Real | Network) and (data is None or not (data / REFERENCE).is_dir()):
            return f"needs the triangulated points ({REFERENCE}) among the recordings"
        return ""


def video_files(what: What) -> tuple[str, ...]:
    """The files that a line on real video needs."""
    match what:
        case Real(videos=names):
            return tuple(f"{name}.mp4" for name in names)
        case Network(video=name):
            return (f"{name}.mp4",)
        case Open():
            return ("demo.mp4", "Calib_demo.toml")
    return ()


def find_video(folder: Path, name: str) -> Path | None:
    """A file in a folder, or in one as the packages that it comes with have it."""
    for place in (folder, folder / "Pose2Sim" / "Demo_SinglePerson" / "videos", folder / "Sports2D" / "Demo"):
        if (place / name).is_file():
            return place / name
    return None


@cache
def list_lines() -> tuple[Line, ...]:
    """All lines, in the order of the tables."""
    names = tuple(FIGURE_7_PAPER)
    single = [Line(part="figure7", name=n, what=Drawn(motion=FIGURE_6[n]), paper=n) for n in names]
    more = [
        *(_drawn(n, "two_views", Drawn(motion=FIGURE_6[n], views=("side", "oblique"))) for n in names[2:]),
        *(_drawn(n, "clicked_camera", Drawn(motion=FIGURE_6[n], camera="clicked")) for n in names[:2]),
    ]
    batch = [Line(part=f"figure7{BATCH}", name=n, what=Drawn(motion=FIGURE_6[n], way="batch"), paper=n) for n in names]
    real = [
        Line(part="real", name="cam01", what=Real()),
        Line(part="real", name="cam01_cam03", what=Real(videos=("cam01", "cam03"))),
        Line(part="real", name="network", what=Network()),
    ]
    sources = {FIGURE_6[line.paper]: line for line in single}
    woman = Line(part="open", name="woman", what=Open())
    practised = Line(part="open", name="woman_practised", what=Open(pushed=True))
    worlds = [
        Line(part="worlds", name=name, what=Elsewhere(of=sources.get(new.motion, practised), world=name))
        for name, new in places().items()
    ]
    return (*single, *more, *batch, *real, woman, practised, *worlds)


def _drawn(name: str, variant: str, what: Drawn) -> Line:
    return Line(part="figure7", name=f"{name}.{variant}", what=what, paper=name)


def _of_her(line: Line, parts: Sequence[str]) -> bool:
    """Whether a line pushes the woman of the part "open" or puts her on a slope, where that part is asked for."""
    return "open" in parts and isinstance(line.what, Elsewhere) and isinstance(line.what.of.what, Open)


@cache
def list_quick() -> tuple[Line, ...]:
    """One drawn video of the bundled walk, with a small budget."""
    what = Drawn(motion="walk", seconds=QUICK_SECONDS, activities=("walk",))
    return (Line(part=QUICK, name="walk", what=what, paper="fast_walk"),)


def chosen_lines(*, parts: Sequence[str] = (), motions: Sequence[str] = (), quick: bool = False) -> list[Line]:
    """The lines of some parts and of some names, with those they need; all of them where none are given."""
    for part in parts:
        if part not in PARTS:
            raise InputError(f"bench video has no part '{part}'; there are: {', '.join(PARTS)}")
    if quick and any(part != "figure7" for part in parts):
        raise InputError("the quick version has the part figure7 only")
    every = list(list_quick() if quick else list_lines())
    wanted = [line for line in every if line.part in (QUICK, *(parts or PARTS)) or _of_her(line, parts)]
    unknown = sorted(set(motions) - {line.name for line in wanted})
    if unknown:
        raise InputError(f"no line '{unknown[0]}' in what was chosen; there are: {', '.join(x.name for x in wanted)}")
    wanted = [line for line in wanted if not motions or line.name in motions]
    helping = {line.needs.key for line in wanted if line.needs is not None}
    helping |= {f"figure7{BATCH}/{line.name}" for line in wanted if line.part == "figure7"}
    return [line for line in every if line in wanted or line.key in helping]
