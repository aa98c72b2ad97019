"""A search that is killed, at whatever moment, goes on to the same bits; a folder that is not its own is refused."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import NoReturn

import pytest
from bending_motion import bending
from same_search import same

from reenact.control.replay import same_motion
from reenact.errors import InputError
from reenact.estimate import kept
from reenact.estimate.sampling import checkpoint, sampler
from reenact.estimate.sampling.capture import capture, plan_of
from reenact.estimate.sampling.checkpoint import Checkpoint
from reenact.estimate.sampling.evaluate import Request
from reenact.estimate.sampling.sampler import Event, search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, begin
from reenact.estimate.sampling.task import Task, task_of
from reenact.estimate.sampling.threads import Threads
from reenact.estimate.spent import Spent
from reenact.formats.take import Source
from reenact.geometry.rotation import Array
from reenact.world.world import World

TINY = Settings(samples=30, save=9, visits=3, horizon=6, seed=4, settled=0.0)
SOURCE = Source(name="bend.bvh", sha256="0" * 64)
PLAN = {"samples": 30}


@pytest.fixture(scope="module", autouse=True)
def lost() -> Iterator[None]:
    """Two sweeps are made again, one from the very start, so that all that a search does is in these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampler, "is_lost", lambda _, now: (now.sweep, now.rewinds) in ((1, 0), (3, 1)))
        yield


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(), World(), TINY)


@pytest.fixture(scope="module")
def events(task: Task) -> list[Event]:
    made = list(search(task, TINY, Threads(task.stage)))
    back = [(e.search.sweep, e.search.done) for e in made if e.rewound]
    assert [sweep for sweep, _ in back] == [1, 3]
    assert back[0][1] == 0 < back[1][1]
    return made


def loaded(folder: Path, task: Task) -> Search:
    search = Checkpoint(folder, PLAN).load(begin(task))
    assert search is not None
    return search


def test_wherever_a_search_was_stopped_it_goes_on_to_the_same_bits(
    task: Task, events: list[Event], tmp_path: Path
) -> None:
    along = Checkpoint(tmp_path, PLAN)
    executor = Threads(task.stage)
    for number, event in enumerate(events):
        along.save(event.search, Spent())
        now = loaded(tmp_path, task)
        assert same(now, event.search), number
        rest = [e.search for e in search(task, TINY, executor, now)]
        assert len(rest) == len(events) - number - 1
        assert same([now, *rest][-1], events[-1].search), number


@pytest.mark.parametrize("every", [2, 3, 7, 11])
def test_a_search_that_is_saved_now_and_then_goes_on_from_there(
    task: Task, events: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """Steps may have been visited several times between saves, and layers cut away."""
    monkeypatch.setattr(checkpoint, "replace_file", written)
    along = Checkpoint(tmp_path, PLAN)
    for event in events[::every]:
        along.save(event.search, Spent())
        assert same(loaded(tmp_path, task), event.search)
        assert parts_in(tmp_path) == parts_needed(tmp_path)
    again = Checkpoint(tmp_path, PLAN)
    now = again.load(begin(task))
    for later in search(task, TINY, Threads(task.stage), now):
        now = later.search
    assert now is not None
    assert same(now, events[-1].search)


@pytest.mark.parametrize("slow", [0.0, 0.02])
def test_saves_are_some_time_apart(
    events: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: float
) -> None:
    """On a slow disk farther, so that they never take more than a small share of the time."""
    clock, saved = [100.0], [0.0]

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return clock[0]

    def onto_disk(path: Path, content: bytes) -> None:
        clock[0] += slow
        if path.name == "state.json":
            saved.append(clock[0])
        written(path, content)

    monkeypatch.setattr(kept, "time", Clock)
    monkeypatch.setattr(checkpoint, "replace_file", onto_disk)
    along = Checkpoint(tmp_path, PLAN)
    worked = 0.0
    for k in range(1000):
        along.follow(events[min(k, len(events) - 1)].search, Spent())
        clock[0] += 0.1
        worked += 0.1
    gaps = [after - before for before, after in pairwise(saved)]
    assert saved[1] == pytest.approx(100.0, abs=0.2), "the first at once"
    assert min(gaps) >= kept.EVERY
    if not slow:
        assert max(gaps[1:]) < kept.EVERY + 0.2
    else:
        assert clock[0] - 100.0 - worked < 2.0 * kept.SHARE * worked
        assert len(gaps) > 10


def test_where_the_guide_began_is_not_forgotten(task: Task, events: list[Event], tmp_path: Path) -> None:
    now = replace(events[-1].search, lead=1)  # whatever it happened to be
    along = Checkpoint(tmp_path, PLAN)
    for event in events[:-1]:
        along.save(event.search, Spent())
    along.save(now, Spent())
    assert same(loaded(tmp_path, task), now)


class KilledError(Exception):
    """The process ends here."""


def written(path: Path, content: bytes) -> None:
    """Without waiting for the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


class Dying:
    """Writes some files, then the process ends."""

    def __init__(self, files: int) -> None:
        self.left = files

    def __call__(self, path: Path, content: bytes) -> None:
        if not self.left:
            raise KilledError
        self.left -= 1
        written(path, content)


def killed(*_: object, **__: object) -> NoReturn:
    raise KilledError


@pytest.mark.parametrize("files", [0, 1])
def test_a_search_killed_while_it_is_saved_goes_on_from_the_one_before(
    task: Task, events: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    monkeypatch.setattr(checkpoint, "replace_file", written)
    along, before, kills = Checkpoint(tmp_path / "along", PLAN), None, 0
    for number, event in enumerate(events):
        folder = tmp_path / str(number)
        if before is not None:
            shutil.copytree(tmp_path / "along", folder)
        dying = Checkpoint(folder, PLAN)
        dying.load(begin(task))
        whole = True
        with monkeypatch.context() as patch:
            patch.setattr(checkpoint, "replace_file", Dying(files))
            try:
                dying.save(event.search, Spent())
            except KilledError:
                whole = False
        if not whole:
            goes_on(folder, task, before, events[number : number + 4])
            kills += 1
        along.save(event.search, Spent())
        before = event.search
    assert kills == len(events)


def test_a_search_killed_before_old_files_are_removed_goes_on(
    task: Task, events: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "replace_file", written)
    dying = Checkpoint(tmp_path / "along", PLAN)
    for number, event in enumerate(events):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", killed)
            with contextlib.suppress(KilledError):
                dying.save(event.search, Spent())
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "along", folder)
        goes_on(folder, task, event.search, events[number + 1 : number + 5])


def goes_on(folder: Path, task: Task, stood: Search | None, later: list[Event]) -> None:
    """Check where a folder says a search stood, that it follows the search from there, and that it can be cleared."""
    again = Checkpoint(folder, PLAN)
    now = again.load(begin(task))
    assert (now is None) == (stood is None)
    assert now is None or stood is None or same(now, stood)
    for event in later:
        again.save(event.search, Spent())
    if later:
        assert same(loaded(folder, task), later[-1].search)
    again.remove()
    assert not folder.exists()


def test_files_that_a_search_does_not_name_are_no_matter(task: Task, events: list[Event], tmp_path: Path) -> None:
    along = Checkpoint(tmp_path, PLAN)
    for event in events[:9]:
        along.save(event.search, Spent())
    for name in ("part-000099.npz", ".part-000004.npz.abc", "notes"):
        (tmp_path / name).write_bytes(b"left over")
    (tmp_path / "part-000010.npz").write_bytes(b"half writ")
    again = Checkpoint(tmp_path, PLAN)
    assert again.load(begin(task)) is not None
    for event in events[9:]:
        again.save(event.search, Spent())
    assert same(loaded(tmp_path, task), events[-1].search)
    again.remove()
    assert (tmp_path / "notes").read_bytes() == b"left over"
    assert not list(tmp_path.glob("*.npz"))


def parts_in(folder: Path) -> set[int]:
    assert {path.name for path in folder.iterdir() if not path.name.startswith("part-")} == {"state.json"}
    return {int(path.stem.removeprefix("part-")) for path in folder.glob("part-*.npz")}


def parts_needed(folder: Path) -> set[int]:
    state = json.loads((folder / "state.json").read_bytes())
    return {state["part"], *(part for home in state["homes"] for part in home)}


def test_a_folder_does_not_grow_with_the_visits(events: list[Event], tmp_path: Path) -> None:
    along = Checkpoint(tmp_path, PLAN)
    for event in events:
        along.save(event.search, Spent())
        assert parts_in(tmp_path) == parts_needed(tmp_path)
        visits = sum(min(known.visits, 2) for known in event.search.known)  # those that are remembered
        assert len(parts_in(tmp_path)) <= visits + 1


class Watched:
    """Is told of events, and ends the capture at one of them."""

    def __init__(self, ends_at: int) -> None:
        self.seen: list[Event] = []
        self._ends_at = ends_at

    def __call__(self, event: Event) -> None:
        self.seen.append(event)
        if len(self.seen) == self._ends_at:
            raise KilledError


def test_a_capture_that_was_stopped_ends_in_the_same_take(task: Task, tmp_path: Path) -> None:
    whole = capture(task, TINY, Threads(task.stage), source=SOURCE)
    folder, plan = tmp_path / "take.partial", plan_of(task, TINY)
    watch = Watched(7)
    with pytest.raises(KilledError):
        capture(task, TINY, Threads(task.stage), source=SOURCE, checkpoint=Checkpoint(folder, plan), watch=watch)
    left = Checkpoint(folder, plan).left()
    assert left is not None
    assert not left.hindrance
    assert left.spent.wall_seconds > 0.0
    again, later = Checkpoint(folder, plan), Watched(0)
    take = capture(task, TINY, Threads(task.stage), source=SOURCE, checkpoint=again, resume=True, watch=later)
    assert same_motion(take, whole)
    assert take.controller == whole.controller
    for name in ("cost_mean", "samples_simulated", "rewinds", "plan_hash"):
        assert take.info.metrics[name] == whole.info.metrics[name]
    assert later.seen[0].fraction > watch.seen[-1].fraction, "nothing that was found before it was stopped is lost"
    again.remove()
    assert not folder.exists()


class Elsewhere(Threads):
    """Says that other machines work ten times as long."""

    def __init__(self, task: Task) -> None:
        super().__init__(task.stage)
        self.core_seconds = 500.0  # for others, before
        self.count = 0

    def evaluate(self, request: Request) -> Array:
        self.core_seconds += 10.0
        self.count += len(request.displacement)
        return super().evaluate(request)


def test_both_times_and_the_samples_are_of_all_runs_together(task: Task, tmp_path: Path) -> None:
    plan = plan_of(task, TINY)
    first, saving = Elsewhere(task), Checkpoint(tmp_path, plan)
    with pytest.raises(KilledError):
        capture(task, TINY, first, source=SOURCE, checkpoint=saving, watch=Watched(9))
    state = (tmp_path / "state.json").read_text()
    (tmp_path / "state.json").write_text(re.sub(r'"wall_seconds":[0-9.e-]+', '"wall_seconds":1000.0', state))
    second = Elsewhere(task)
    take = capture(task, TINY, second, source=SOURCE, checkpoint=Checkpoint(tmp_path, plan), resume=True)
    assert 1000.0 < take.info.wall_seconds < 1500.0
    elsewhere = sum(executor.core_seconds - 500.0 for executor in (first, second))
    assert 0.0 < take.info.core_seconds - elsewhere < 100.0
    assert take.info.metrics["samples_simulated"] == first.count + second.count
    assert take.info.metrics["compute_s_per_s"] == pytest.approx(take.info.wall_seconds / take.seconds, rel=0.01)


def test_nothing_saved_is_nothing_to_go_on_with(task: Task, tmp_path: Path) -> None:
    assert Checkpoint(tmp_path / "none", PLAN).load(begin(task)) is None


def test_another_plan_cannot_resume(task: Task, events: list[Event], tmp_path: Path) -> None:
    saved = Checkpoint(tmp_path, plan_of(task, TINY))
    saved.save(events[0].search, Spent())
    for other, told in (
        (replace(TINY, samples=36), r"samples 30 \(now 36\)"),
        (replace(TINY, horizon=9), r"horizon 6 \(now 9\)"),
        (replace(TINY, lookahead=0.0), r"lookahead 0\.3 \(now 0\.0\)"),
    ):
        with pytest.raises(InputError, match=told):
            Checkpoint(tmp_path, plan_of(task, other)).load(begin(task))
    longer = task_of(bending(0.4), World(), TINY)
    with pytest.raises(InputError, match="motion"):
        Checkpoint(tmp_path, plan_of(longer, TINY)).load(begin(longer))
    assert Checkpoint(tmp_path, plan_of(task, TINY)).load(begin(task)) is not None


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def other_number(content: bytes) -> bytes:
    """One byte changed in the middle, where the numbers are."""
    middle = len(content) // 3
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


def other_version(content: bytes) -> bytes:
    """A zip file from the future."""
    at = content.index(b"PK\x01\x02") + 6
    return content[:at] + b"\xc6" + content[at + 1 :]


def emptied(_: bytes) -> bytes:
    return b""


def no_text(_: bytes) -> bytes:
    return b"\xfe{}"


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        *product(("part-*.npz",), (half, other_number, other_version, emptied, no_text, None)),
        *product(("state.json",), (half, other_number, emptied, no_text)),
    ],
)
def test_a_damaged_file_is_one_clear_error(
    task: Task, events: list[Event], tmp_path: Path, pattern: str, damage: Callable[[bytes], bytes] | None
) -> None:
    along = Checkpoint(tmp_path, PLAN)
    for event in events[:9]:
        along.save(event.search, Spent())
    for path in tmp_path.glob(pattern):
        if damage is not None:
            path.write_bytes(damage(path.read_bytes()))
        else:
            path.unlink()
    told = "not the state of a search" if pattern == "state.json" else "cannot be read, so the search cannot go on"
    with pytest.raises(InputError, match=told) as raised:
        Checkpoint(tmp_path, PLAN).load(begin(task))
    assert pattern.split("*")[0] in str(raised.value)


def test_the_state_of_something_else_is_refused(task: Task, events: list[Event], tmp_path: Path) -> None:
    Checkpoint(tmp_path, PLAN).save(events[0].search, Spent())
    state = tmp_path / "state.json"
    state.write_text(state.read_text().replace("reenact-search", "reenact-take"))
    with pytest.raises(InputError, match="format is 'reenact-take', expected 'reenact-search'"):
        Checkpoint(tmp_path, PLAN).load(begin(task))
