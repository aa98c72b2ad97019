"""A search from video: what one view tells, the first velocity, and the last improvement against the masks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending

from clicked_walk import BODY, walking
from drawn_walk import FRAMES, RATE, camera, silhouettes, times
from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.estimate.exact_json import dumps
from reenact.estimate.states import launch
from reenact.estimate.states.capture import BY_SAMPLING, FOLLOWED, Capture, plan_of
from reenact.estimate.states.incremental import Stage, first_machine
from reenact.estimate.states.launch import launched
from reenact.estimate.states.search import Progress
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.sight import sight_of
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.states.window import Window, snapshots
from reenact.estimate.video import subject as from_video
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.motion_of import motion_of
from reenact.estimate.video.possible import Possible
from reenact.estimate.video.seen_polish import PolishSettings
from reenact.estimate.video.sighting import sighting_of
from reenact.estimate.video.subject import MOST_ROUNDS, polish_settings, subject_seen
from reenact.estimate.video.track import Track
from reenact.estimate.walking import search as walking_search
from reenact.estimate.walking.search import DONE, LAST, search
from reenact.formats.take import Source
from reenact.world.parts import Ground
from reenact.world.world import World

CAMERA = np.array([0.0, -50.0, 1.0])  # [m] so far off that lines of sight are all but parallel
FEW = Settings(beam=1, reopened=(1,), rounds=1, whole_rounds=1, samples=8, growth=20, walk=False)


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(0.3), World(), threads=1)


@pytest.fixture(scope="module")
def machine(task: Task) -> Machine:
    return first_machine(task, Settings(), task.reference.frames - 1)


def _two(machine: Machine, seconds: float) -> Machine:
    first = replace(machine.states[0], seconds=seconds, then="2")
    return replace(machine, states=(first, replace(machine.states[0], name="2")))


def test_what_is_across_the_line_of_sight_counts_in_full(task: Task) -> None:
    """Along it too, as far as the whole body is off; a single marker's depth counts for less."""
    clock = Window(
        model=task.model, limbs=task.limbs, reference=task.reference, start=task.start, begin=0, last=3
    ).clock  # fmt: skip
    sight, markers = sight_of(task.reference, CAMERA, depth=0.25), 3 * len(task.model.segment_body)
    numbers = 3 * markers + 2

    def weighed(off: np.ndarray) -> float:
        kept = np.zeros((1, clock.kept, numbers))
        kept[0, 0, :-2] = off.ravel()
        return float((sight.counted(kept.reshape(1, -1), clock, numbers) ** 2).sum())

    one = np.zeros((markers, 3))
    one[5] = [0.3, 0.0, 0.4]
    assert weighed(one) == pytest.approx(0.25, rel=1e-3)
    whole = np.tile([0.0, 0.1, 0.0], (markers, 1))
    assert weighed(whole) == pytest.approx(0.01 * markers, rel=1e-3)
    deep = np.zeros((markers, 3))
    deep[5, 1], deep[6, 1] = 0.5, -0.5
    assert weighed(deep) == pytest.approx(0.25 * 0.5, rel=1e-2)


@pytest.mark.parametrize("seconds", [0.1, 13 / 120, 14 / 120])
def test_windows_agree_on_the_cost(task: Task, machine: Machine, seconds: float) -> None:
    """Wherever a run is taken up it costs what the whole does, and its offsets are the last ones."""
    seen = replace(task, sight=sight_of(task.reference, CAMERA))
    two, last = _two(machine, seconds), task.reference.frames - 1
    shots, rows = snapshots(seen, two, last), two.rows().reshape(1, -1)
    one, other = (shots.window(state).try_out(two, rows) for state in (0, 1))
    assert shots.window(1).begin > 0
    assert other.cost[0] == pytest.approx(one.cost[0], rel=1e-12)
    assert np.array_equal(other.offsets[0], one.offsets[0, -other.offsets.shape[1] :])


def test_with_depth_in_full_the_cost_is_that_without_a_view(task: Task, machine: Machine) -> None:
    """But for frames between those whose offsets are kept."""
    rows, last = machine.rows().reshape(1, -1), task.reference.frames - 1
    plain = snapshots(task, machine, last).window(0).try_out(machine, rows)
    whole = replace(task, sight=sight_of(task.reference, CAMERA, depth=1.0))
    seen = snapshots(whole, machine, last).window(0).try_out(machine, rows)
    assert seen.cost[0] == pytest.approx(plain.cost[0], rel=0.1)
    assert plain.squares is None


def test_a_first_velocity_that_was_seen_wrongly_is_mended(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "ROUNDS", 3)
    at = 1 + task.model.mj.nq
    start = task.start.copy()
    start[at : at + 3] += [0.6, 0.0, 0.0]
    wrong = replace(task, start=start)
    settings = Settings(growth=12)
    better = launched(wrong, settings)
    off = [np.linalg.norm(each.start[at : at + 2] - task.start[at : at + 2]) for each in (wrong, better)]
    assert off[1] < 0.8 * off[0]
    assert np.array_equal(better.start[:at], task.start[:at])
    assert np.array_equal(launched(wrong, settings).start, better.start)


def test_a_last_improvement_is_gone_on_with_and_ends_as_the_search_does(task: Task) -> None:
    def last(task: Task, settings: Settings, now: Progress) -> Iterator[Progress]:
        assert now.best is not None
        for number in range(now.number + 1, 3):
            pose = now.best.machine.states[0].pose + 0.01
            states = (replace(now.best.machine.states[0], pose=pose), *now.best.machine.states[1:])
            best = replace(now.best, machine=replace(now.best.machine, states=states))
            now = replace(now, phase=DONE if number == 2 else LAST, number=number, best=best, fraction=number / 2)
            yield now

    plain = list(search(task, FEW))
    events = list(search(task, FEW, None, last))
    assert [event.phase for event in events[-3:]] == [LAST, LAST, DONE]
    fractions = [event.fraction for event in events]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert plain[-1].best is not None
    assert events[-1].best is not None
    moved = events[-1].best.machine.states[0].pose - plain[-1].best.machine.states[0].pose
    assert moved == pytest.approx(0.02)
    again = list(search(task, FEW, events[-2], last))
    assert dumps(again[-1]) == dumps(events[-1])


def test_the_masks_have_their_share_of_the_budget() -> None:
    assert polish_settings(Settings(seed=3)).rounds == MOST_ROUNDS
    assert polish_settings(Settings(seed=3)).seed == 3
    assert polish_settings(Settings(budget=30.0)).rounds == 6
    assert polish_settings(Settings(budget=2.5)).rounds == 1


def _seen() -> Evidence:
    found = silhouettes()
    poses = np.stack([walking(t) for t in times()])
    track = Track(body=BODY, rate=float(RATE), poses=poses, mismatch=np.zeros(FRAMES), cost=1.0, swaps=0)
    sighting = sighting_of(found, np.arange(FRAMES), found.time, camera(), Path("walk.mp4"), "walk")
    return Evidence(
        videos=(),
        silhouettes=(found,),
        sightings=(sighting,),
        track=track,
        motion=motion_of(track, "walk"),
        model="walk",
    )


def test_a_search_from_video_depends_on_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_video, "launched", lambda task, settings: task)
    seen, settings = _seen(), Settings()
    subject = subject_seen(seen, World(), settings, threads=1)
    assert subject.task.sight is not None
    ahead = subject.task.sight.lines[0].mean(axis=0)
    assert ahead @ camera().turn[2] > 0.9
    two = replace(seen, sightings=seen.sightings * 2)
    both = subject_seen(two, World(), settings, threads=1)
    assert both.task.sight is None, "two views tell of depth"
    plans = [plan_of(each, settings) for each in (subject, both, replace(subject, seen="", last=None))]
    assert plans[0] != plans[1]
    assert "seen" not in plans[2]


def test_a_lost_chain_follows_what_a_body_did_near_the_track_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_video, "launched", lambda task, settings: task)
    seen = _seen()
    own = task_of(seen.motion, World(), threads=1).reference.qpos
    found, asked = Possible(qpos=own + 0.001, qvel=np.zeros(own.shape[1] - 1)), []
    monkeypatch.setattr(from_video, "possible", lambda *_, **__: asked.append(1) or found)
    subject = subject_seen(seen, World(), Settings(), threads=1)
    assert not asked, "only where it is needed"
    now = Progress(phase="grow", number=0, best=None, fraction=0.2)
    assert subject.followed(now) is subject
    lost = subject.followed(replace(now, lost=0.2))
    assert lost.task.sight is None, "all of it can be done, depth included"
    np.testing.assert_array_equal(lost.task.reference.qpos, found.qpos)
    np.testing.assert_array_equal(lost.start.qpos, found.qpos[0])
    assert lost.reference is subject.reference, "it is held against the track all the same"
    assert subject.followed(replace(now, lost=0.2)).task is lost.task
    assert len(asked) == 1


def test_a_take_says_where_a_simulated_motion_was_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_video, "launched", lambda task, settings: task)
    seen = _seen()
    own = task_of(seen.motion, World(), threads=1).reference.qpos
    found = Possible(qpos=own, qvel=np.zeros(own.shape[1] - 1))
    monkeypatch.setattr(from_video, "possible", lambda *_, **__: found)
    subject = subject_seen(seen, World(), Settings(), threads=1)
    stage = Stage(machine=first_machine(subject.task, Settings(), 4), last=4, cost=1.0, joints=1.0)
    for lost, said in ((0.0, None), (0.3, BY_SAMPLING)):
        capture = Capture(subject, Settings(), source=Source(name="walk", sha256=""))
        capture.now = Progress(phase="grow", number=1, best=stage, fraction=0.5, lost=lost)
        take = capture.so_far("stopped")
        assert take is not None
        assert take.info.metrics.get(FOLLOWED) == said


def test_a_world_that_carries_the_body_off_is_refused() -> None:
    with pytest.raises(InputError, match="carries the body away from where the camera sees it"):
        subject_seen(_seen(), World(ground=Ground(slope_deg=10.0, friction=0.001)), Settings(), threads=1)


@pytest.mark.parametrize("possible", [True, False])
def test_a_lost_chain_begins_anew_along_something_else(task: Task, possible: bool) -> None:
    other, ran = replace(task), []
    order = [*((number, part) for number in range(3) for part in (1, 0)), (3, 0)]  # parts of windows, then the end

    def chain(own: Task, settings: Settings, start: Progress | None) -> Iterator[Progress]:
        for number, part in order[0 if start is None else order.index((start.number, start.part)) + 1 :]:
            off = 20.0 if own is task and number >= 2 else 3.0
            stage = Stage(machine=first_machine(task, settings, 20), last=20, cost=1.0, joints=off)
            phase = "grow" if number < 3 else DONE
            if part == 0:
                ran.append((own is other, number))
            yield Progress(phase=phase, number=number, best=stage, fraction=(number + 1) / 4, part=part)

    instead = partial(walking_search._or_else, instead=lambda: other if possible else None, chain=chain)
    events = list(instead(task, FEW, None))
    whole = ran.copy()
    lost = next(i for i, event in enumerate(events) if event.lost)
    assert (events[lost].phase, events[lost].lost) == ("instead", 0.75)
    assert events[-1].phase == DONE
    assert [event.fraction for event in events] == sorted(event.fraction for event in events)
    along = [(True, n) for n in range(4)] if possible else [(False, 3)]
    assert whole == [(False, 0), (False, 1), (False, 2), *along]
    for stopped in range(lost, len(events) - 1):
        again = list(instead(task, FEW, events[stopped]))
        assert [dumps(event) for event in again] == [dumps(event) for event in events[stopped + 1 :]]


def test_the_chain_is_held_against_the_masks_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_video, "launched", lambda task, settings: task)
    monkeypatch.setattr(from_video, "polish_settings", lambda settings: PolishSettings(rounds=1, population=4))
    subject = subject_seen(_seen(), World(), Settings(), threads=1)
    assert subject.last is not None
    task = subject.task
    machine = _two(first_machine(task, Settings(), task.reference.frames - 1), 0.2)
    stage = Stage(machine=machine, last=task.reference.frames - 1, cost=1.0, joints=1.0)
    begun = Progress(phase=LAST, number=0, best=stage, fraction=0.0)
    events = list(subject.last(task, Settings(), begun))
    assert [event.phase for event in events] == [DONE]
    assert events[-1].best is not None
    assert events[-1].best.machine.states[0].then == "2"
