"""The runs of `reenact bench video`: each leaves a take, audited, and a record of how it went beside it.

A run is known by its plan, as in the bench of state machines; films, masks and tracks are kept beside the takes, so
that a bench that was stopped goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from reenact.control.make_take import versions
from reenact.errors import ReenactError
from reenact.estimate.bench.record import code_hash
from reenact.estimate.bench.run import Done, Record, outcome_of
from reenact.estimate.bench.share import stretch
from reenact.estimate.bench.shelf import Shelf
from reenact.estimate.plan import plan_hash
from reenact.estimate.states.bench.worlds import gone_elsewhere
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.settings import Settings as TrackSettings
from reenact.formats.bench_motions import bench_motion
from reenact.formats.take import read_take, sha256_of, write_take
from reenact.measure import Progress
from reenact.motion.motion import Motion
from reenact.observe.network.weights import missing
from reenact.view.bench_video import figure7, open_air, real
from reenact.view.bench_video.elsewhere import places
from reenact.view.bench_video.lines import Drawn, Elsewhere, Line, Network, Open, Real, find_video, video_files
from reenact.view.overlay_movie import render_overlay
from reenact.world.toml import dump_world

OVERLAY: Final = "overlay.mp4"  # in the folder of a take from a real video: the body over it
FILMS: Final = "films"  # folder of drawn videos and their masks
SEEN: Final = ("observe", "view/synthetic")  # code that a run goes through beside that of every search
_SECONDS: Final = {Drawn: 600.0, Real: 600.0, Network: 20.0, Open: 600.0, Elsewhere: 5.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A line that cannot be run."""

    line: Line
    reason: str


class Bench:
    """Lines and where their runs are kept."""

    def __init__(self, shelf: Shelf, data: Path | None, videos: Path | None, *, threads: int | None = None) -> None:
        """data: the folder of recordings; videos: that of real videos."""
        self.shelf = shelf
        self._data, self._videos, self._threads = data, videos, threads
        self._motions: dict[tuple[str, float | None], Motion] = {}

    def prepare(self, lines: Sequence[Line]) -> tuple[list[Line], list[Refused]]:
        """Lines that can be run, and those that cannot."""
        reasons = {line.key: line.missing(self._data, self._videos) for line in lines}
        ready = [line for line in lines if not reasons[line.key]]
        return ready, [Refused(line=line, reason=reasons[line.key]) for line in lines if reasons[line.key]]

    def run_all(
        self, lines: Sequence[Line], seeds: int | None, progress: Progress | None = None, *, only_kept: bool = False
    ) -> Iterator[Record]:
        """Records of all lines and seeds: first those that are kept, then what is run now, seed by seed.

        only_kept: run nothing.
        """
        pending: list[tuple[Line, int]] = []
        for seed in range(max((seeds_of(line, seeds) for line in lines), default=0)):
            for line in (line for line in lines if seed < seeds_of(line, seeds)):
                if (kept := self.kept(line, seed)) is None:
                    pending.append((line, seed))
                else:
                    yield kept
        if only_kept:
            return
        lengths = [_SECONDS[type(line.what)] for line, _ in pending]
        done, total = 0.0, sum(lengths)
        for (line, seed), length in zip(pending, lengths, strict=True):
            yield self.run(line, seed, stretch(progress, done / total, (done + length) / total))
            done += length

    def kept(self, line: Line, seed: int) -> Record | None:
        """The record of a finished run of the same plan."""
        return self.shelf.find(line.key, seed, self.plan(line, seed), Record)

    def run(self, line: Line, seed: int, progress: Progress | None = None) -> Record:
        """Run, write the take, audit it and keep the record beside it.

        What cannot be run, as where a network is not installed, gets a record that is not kept.
        """
        self.shelf.forget(line.key, seed)
        wall, core = time.perf_counter(), time.process_time()
        try:
            if line.needs is not None and not self._has_take(line.needs, seed):
                self.run(line.needs, seed, progress)
            if isinstance(line.what, Network):
                figures = real.by_network(self._real(line), progress=progress)
                record = self._record(line, seed, status="ok", reason="", success=True, figures=figures)
                self.shelf.keep(line.key, seed, record)
                return record
            done, seen = self._done(line, seed, progress)
        except ReenactError as error:
            return self._record(line, seed, status="stopped", reason=str(error), success=False)
        record = self._written(line, seed, done, seen, (time.perf_counter() - wall, time.process_time() - core))
        self.shelf.keep(line.key, seed, record, tuple(done.files))
        return record

    def _has_take(self, line: Line, seed: int) -> bool:
        return self.shelf.find(line.key, seed, self.plan(line, seed), Record, whole=True) is not None

    def take_folder(self, line: Line, seed: int) -> Path:
        """Where a run's take is kept."""
        return self.shelf.take(line.key, seed)

    def motion(self, line: Line) -> Motion:
        """What a line films."""
        assert isinstance(line.what, Drawn)
        key = line.what.motion, line.what.seconds
        if key not in self._motions:
            self._motions[key] = figure7.recorded(line, self._data)
        return self._motions[key]

    def plan(self, line: Line, seed: int) -> str:
        """Hash of all that a run depends on but the code."""
        what = line.what
        plan: dict[str, Any] = {"kind": type(what).__name__, "seed": seed, "versions": versions()}
        match what:
            case Elsewhere():
                new = places()[what.world]
                plan |= {"of": self.plan(what.of, seed), "world": dump_world(new.world), "extra": new.extra}
            case Drawn():
                motion = bench_motion(what.motion).identity(self._data)
                plan |= {"what": asdict(what), "motion": motion, "body": figure7.BODY}
            case _:
                files = [sha256_of(path) for path in self._files(line)]
                plan |= {"what": asdict(what), "files": files}
                plan |= {"network": not missing()} if isinstance(what, Open) else {}  # the others cannot do without
        if not isinstance(what, Elsewhere | Network):
            plan |= {"search": asdict(figure7.settings_of(line, seed)), "track": asdict(TrackSettings())}
        return plan_hash(plan)

    def _done(self, line: Line, seed: int, progress: Progress | None) -> tuple[Done, Evidence | None]:
        folder = self.take_folder(line, seed)
        begun, settings = folder.with_name(f"{folder.name}-begun"), figure7.settings_of(line, seed)
        match line.what:
            case Drawn() as what:
                name = "-".join([what.motion, *what.views, *(() if what.seconds is None else [f"{what.seconds:g}s"])])
                films = self.shelf.takes / FILMS / name / f"seed-{seed}"
                return figure7.captured(
                    line, seed, self.motion(line), films, begun, settings, threads=self._threads, progress=progress
                )
            case Real():
                keep = self.shelf.takes / FILMS / line.name
                return real.captured(self._real(line), keep, begun, settings, threads=self._threads, progress=progress)
            case Open():
                video, calibration = self._files(line)
                keep = self.shelf.takes / FILMS / video.stem
                return open_air.captured(
                    video, calibration, keep, begun, settings, threads=self._threads, progress=progress
                )
            case Elsewhere() as what:
                source = read_take(self.take_folder(what.of, seed))
                return gone_elsewhere(source, places()[what.world]), None
        raise AssertionError(line.key)

    def _files(self, line: Line) -> list[Path]:
        assert self._videos is not None
        found = [find_video(self._videos, name) for name in video_files(line.what)]
        return [path for path in found if path is not None]

    def _real(self, line: Line) -> real.Scene:
        assert self._data is not None
        return real.scene_of(self._data, self._files(line))

    def _written(self, line: Line, seed: int, done: Done, seen: Evidence | None, spent: tuple[float, float]) -> Record:
        folder = self.take_folder(line, seed)
        if seen is not None:
            joints = sum(each.marks is not None for each in seen.sightings)
            seen_as = {"views_with_joints": joints, "beginnings": len(seen.prices), "track_costs": list(seen.prices)}
            seen_as |= {} if seen.core_seconds is None else {"track_core_s": round(seen.core_seconds, 1)}
            done = replace(done, figures={**done.figures, **seen_as})
        write_take(folder, done.take, observed=None if seen is None else seen.observed(done.take))
        if isinstance(line.what, Real | Open):
            render_overlay(folder, folder / OVERLAY)
        return self._record(line, seed, **outcome_of(folder, done, spent))

    def _record(self, line: Line, seed: int, **outcome: Any) -> Record:
        return Record(
            part=line.part, name=line.name, seed=seed, plan=self.plan(line, seed), code=code_hash(*SEEN),
            versions=versions(), **outcome,
        )  # fmt: skip


def seeds_of(line: Line, seeds: int | None) -> int:
    """How often a line is run."""
    return line.seeds if seeds is None or isinstance(line.what, Network) else seeds
