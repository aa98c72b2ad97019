"""The runs of `reenact bench states`: each leaves a take, audited, and a record of how it went beside it.

A run is known by its plan, all that it depends on but the code, and a run that starts from another's take by that one's
plan too. So a bench that was stopped goes on where it was and runs again only what has changed.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from reenact.body.load import load_body
from reenact.control.make_take import versions
from reenact.errors import InputError, ReenactError
from reenact.estimate.bench.record import code_hash
from reenact.estimate.bench.run import Done, Record, outcome_of
from reenact.estimate.bench.share import stretch
from reenact.estimate.bench.shelf import Shelf
from reenact.estimate.plan import PROCESSOR, plan_hash
from reenact.estimate.states.bench.lines import (
    BATCH,
    GAIT,
    QUICK,
    Compared,
    Elsewhere,
    Gait,
    Hard,
    Line,
    Pushed,
    Search,
    Shoved,
    Walk,
    people_table,
)
from reenact.estimate.states.bench.methods import SIMULATIONS
from reenact.estimate.states.bench.pushes import pushed, shoved
from reenact.estimate.states.bench.search import QUICK_SETTINGS, Piece, adapted, compared, found_by_batch, searched
from reenact.estimate.states.bench.walks import walked
from reenact.estimate.states.bench.worlds import WALKED, gone_elsewhere, new_worlds
from reenact.estimate.states.capture import plan_of, subject_of
from reenact.estimate.states.settings import Settings
from reenact.estimate.walking.again import SETTINGS as AGAIN
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.formats.take import HASHED, Source, Take, read_take, sha256_of, write_take
from reenact.measure import Progress
from reenact.world.toml import dump_world
from reenact.world.world import World

BODY: Final = "adult"  # of the person's size
PUSHES: Final = 16  # parts of a walk's practice under pushes
HARD_PARTS: Final = 4  # the same of other motions, under disturbances
_SECONDS: Final = {
    Search: 300.0,
    Compared: 60.0,
    Gait: 1200.0,
    Hard: 600.0,
    Walk: 10.0,
    Elsewhere: 5.0,
    Pushed: 120.0,
    Shoved: 120.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A line that cannot be run."""

    line: Line
    reason: str
    skipped: bool  # its recording is not here; otherwise something is wrong with it


class Bench:
    """Lines and where their runs are kept."""

    def __init__(
        self, shelf: Shelf, data: Path | None, *, walkers: Sequence[Path] = (), threads: int | None = None
    ) -> None:
        """data: the folder of recordings; walkers: takes of trained walks, one for each seed, instead of training."""
        self.shelf = shelf
        self._data, self._threads = data, threads
        self._walkers = [read_take(path) for path in walkers]
        self._pieces: dict[str, Piece] = {}

    def prepare(self, lines: Sequence[Line], progress: Progress | None = None) -> tuple[list[Line], list[Refused]]:
        """Fit every line's reference; those that can be run, and those that cannot."""
        ready, refused = [], []
        for line in lines:
            if progress is not None:
                progress(0.0, f"preparing {line.key}")
            if reason := line.missing(self._data):
                refused.append(Refused(line=line, reason=reason, skipped=True))
                continue
            try:
                self.piece(line)
                self.plan(line, 0)
            except ReenactError as error:
                refused.append(Refused(line=line, reason=str(error), skipped=False))
            else:
                ready.append(line)
        return ready, refused

    def run_all(
        self, lines: Sequence[Line], seeds: int | None, progress: Progress | None = None, *, only_kept: bool = False
    ) -> Iterator[Record]:
        """Records of all lines and seeds 0 … seeds−1: first those that are kept, then what is run now, seed by seed.

        seeds: as many as each line asks for, where not given; only_kept: run nothing.
        After each seed every line has been run as often, so that a bench that is stopped has seen them all.
        """
        pending: list[tuple[Line, int]] = []
        for seed in range(max((self.seeds_of(line, seeds) for line in lines), default=0)):
            for line in (line for line in lines if seed < self.seeds_of(line, seeds)):
                if (kept := self.kept(line, seed)) is None:
                    pending.append((line, seed))
                else:
                    yield kept
        if only_kept:
            return
        lengths = [_about(line) for line, _ in pending]
        done, total = 0.0, sum(lengths)
        for (line, seed), length in zip(pending, lengths, strict=True):
            yield self.run(line, seed, stretch(progress, done / total, (done + length) / total))
            done += length

    def seeds_of(self, line: Line, seeds: int | None) -> int:
        """How often a line is run: at most once for each walker where it needs one and they are given."""
        asked = line.seeds if seeds is None else seeds
        walks = GAIT in (line.part, "" if line.needs is None else line.needs.part)
        return min(asked, len(self._walkers)) if walks and self._walkers else asked

    def kept(self, line: Line, seed: int) -> Record | None:
        """The record of a finished run of the same plan."""
        return self.shelf.find(line.key, seed, self.plan(line, seed), Record)

    def run(self, line: Line, seed: int, progress: Progress | None = None) -> Record:
        """Run, write the take, audit it and keep the record beside it; what it starts from is made where it is not.

        What cannot be run, as where there is nothing to start from, gets a record that is not kept.
        """
        self.shelf.forget(line.key, seed)
        try:
            if line.needs is not None:
                self._make_sure(line.needs, seed, progress)
            wall, core = time.perf_counter(), time.process_time()
            done = self._done(line, seed, progress)
        except InputError as error:
            return self._record(line, seed, status="stopped", reason=str(error), success=False)
        spent = time.perf_counter() - wall, time.process_time() - core
        record = self._written(line, seed, done, spent)
        own = ("take.json", *HASHED) if isinstance(line.what, Gait) else ()  # a walk is for others to push, too
        self.shelf.keep(line.key, seed, record, (*done.files, *own))
        return record

    def _make_sure(self, line: Line, seed: int, progress: Progress | None) -> None:
        """Have a line's take of this seed."""
        record = self.shelf.find(line.key, seed, self.plan(line, seed), Record, whole=True)
        record = record or self.run(line, seed, progress)
        if record.honest is None:
            raise InputError(f"there is no take of {line.key}: {record.reason}")

    def take_folder(self, line: Line, seed: int) -> Path:
        """Where a run's take is kept."""
        return self.shelf.take(line.key, seed)

    def piece(self, line: Line) -> Piece:
        """A line's motion on its body on the flat."""
        if line.motion not in self._pieces:
            row = bench_motion(line.motion)
            motion = bench_reference(row, load_body(BODY), self._data, scale=True)
            path = row.path(self._data)
            subject = subject_of(motion, World(), threads=self._threads)
            source = Source(name=path.name, sha256=sha256_of(path))
            self._pieces[line.motion] = Piece(subject=subject, source=source)
        return self._pieces[line.motion]

    def settings(self, line: Line, seed: int) -> Settings:
        """How a line is searched for."""
        usual = QUICK_SETTINGS if line.part in (QUICK, f"{QUICK}{BATCH}") else Settings()
        match line.what:
            case Search(budget=float() | int() as budget):  # which is the chain's alone
                return replace(usual, seed=seed, budget=budget, walk=False)
            case Gait():
                return replace(usual, seed=seed, pushes=PUSHES)
            case Hard():
                return replace(usual, seed=seed, pushes=HARD_PARTS)
        return replace(usual, seed=seed)

    def plan(self, line: Line, seed: int) -> str:
        """Hash of all that a run depends on but the code."""
        what, plan = line.what, {"kind": type(line.what).__name__, "seed": seed}
        if line.needs is not None:
            plan["of"] = self.plan(line.needs, seed)
        if isinstance(what, Gait) and self._walkers:
            plan["take"] = _hash(json.dumps(self._walkers[seed].controller, sort_keys=True))
        elif isinstance(what, Search | Compared | Gait | Hard):
            subject = self.piece(line).subject
            plan |= plan_of(subject, self.settings(line, seed))
            plan.pop(PROCESSOR)  # whose last digits may differ, as those of seeds do
            plan |= {"motion": bench_motion(line.motion).identity(self._data), "body": BODY}
        plan["versions"] = {name: version for name, version in versions().items() if name != "python"}
        match what:
            case Search():
                plan["way"] = what.way
            case Compared():
                plan |= {"way": asdict(what.way), "simulations": SIMULATIONS}
            case Walk():
                plan |= {"world": dump_world(WALKED[what.world](seed)), "seconds": what.seconds}
            case Elsewhere():
                new = new_worlds()[what.world]
                plan |= {"world": dump_world(new.world), "extra": new.extra, "moving": new.moving}
                plan |= {"again": asdict(replace(AGAIN, seed=seed))} if what.again else {}
            case Pushed():
                plan |= {"direction": what.direction, "torque": what.torque}
                plan |= {} if what.mass is None else {"mass": what.mass}
            case Shoved():
                table = people_table(self._data)
                plan["table"] = "" if table is None else sha256_of(table)
        return plan_hash(plan)

    def _done(self, line: Line, seed: int, progress: Progress | None) -> Done:
        match line.what:
            case Search() as what:
                piece, settings = self.piece(line), self.settings(line, seed)
                if what.way == "batch":
                    return found_by_batch(piece, settings, progress=progress)
                return searched(piece, settings, self._begun(line, seed), progress=progress)
            case Compared() as what:
                settings = self.settings(line, seed)
                return compared(self.piece(line), settings, what.way, line.motion, progress=progress)
            case Gait():
                if self._walkers:
                    return _given(self._walkers[seed])
                return searched(self.piece(line), self.settings(line, seed), self._begun(line, seed), progress=progress)
            case Walk() as what:
                return walked(self._source(line, seed), WALKED[what.world](seed), what.seconds)
            case Hard():
                return searched(self.piece(line), self.settings(line, seed), self._begun(line, seed), progress=progress)
            case Elsewhere() as what:
                new, take = new_worlds()[what.world], self._source(line, seed)
                if what.again:
                    settings = replace(AGAIN, seed=seed)
                    begun = self._begun(line, seed)
                    take = adapted(take, new.world, settings, begun, threads=self._threads, progress=progress)
                return gone_elsewhere(take, new)
            case Pushed() as what:
                name = str(self.shelf.published(what.of.key, seed))
                source = self._source(line, seed)
                return pushed(source, what.direction, what.torque, mass=what.mass, name=name, progress=progress)
            case Shoved():
                table = people_table(self._data)
                assert table is not None
                return shoved(self._source(line, seed), table, progress=progress)

    def _begun(self, line: Line, seed: int) -> Path:
        """Where a run is kept until it is finished."""
        folder = self.take_folder(line, seed)
        return folder.with_name(f"{folder.name}-begun")

    def _source(self, line: Line, seed: int) -> Take:
        assert line.needs is not None
        return read_take(self.take_folder(line.needs, seed))

    def _written(self, line: Line, seed: int, done: Done, spent: tuple[float, float]) -> Record:
        folder = self.take_folder(line, seed)
        write_take(folder, done.take)
        return self._record(line, seed, **outcome_of(folder, done, spent))

    def _record(self, line: Line, seed: int, **outcome: Any) -> Record:
        return Record(
            part=line.part, name=line.name, seed=seed, plan=self.plan(line, seed), code=code_hash(),
            versions=versions(), **outcome,
        )  # fmt: skip


def _about(line: Line) -> float:
    """About how long a run takes [s], to tell progress by."""
    budget = line.what.budget if isinstance(line.what, Search) else None
    if isinstance(line.what, Elsewhere) and line.what.again:
        return 200.0
    return _SECONDS[type(line.what)] if budget is None else budget


def _given(take: Take) -> Done:
    return Done(take=take, success=take.info.status == "ok", reason=take.info.reason)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
