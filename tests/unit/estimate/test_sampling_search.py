"""The search: same answer however it is run, and what it found is what happens again."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Literal

import mujoco
import numpy as np
import pytest
from bending_motion import bending

from reenact.control.recipe import rerun_take
from reenact.control.replay import replay, same_motion
from reenact.errors import InputError
from reenact.estimate.sampling.capture import capture, controller_of, plan_of
from reenact.estimate.sampling.checkpoint import Checkpoint
from reenact.estimate.sampling.sampler import Search, begin, found, rewound, search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.task import Task, task_of
from reenact.estimate.sampling.tree import Layer, best_path, root_layer
from reenact.estimate.sampling.windows import draw
from reenact.execute.threads import Threads
from reenact.formats.take import Source
from reenact.physics.audit import audit_motion
from reenact.physics.simulate import simulate
from reenact.world.load import load_world
from reenact.world.pushes import Push
from reenact.world.world import World

SMALL = Settings(samples=90, save=12, passes=3, seed=4)
SOURCE = Source(name="bend.bvh", sha256="0" * 64)


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(), World(), SMALL)


@pytest.fixture(scope="module")
def whole(task: Task) -> Search:
    return list(search(task, SMALL, Threads(task.stage)))[-1].search


def same(a: Search, b: Search) -> bool:
    pairs = zip(a.layers, b.layers, strict=True)
    names = ("parent", "displacement", "state", "cost", "total")
    return all(getattr(x, n).tobytes() == getattr(y, n).tobytes() for x, y in pairs for n in names)


def test_the_number_of_threads_does_not_change_the_answer(task: Task, whole: Search) -> None:
    for threads in (1, 3):
        assert same(list(search(task, SMALL, Threads(task.stage, threads=threads)))[-1].search, whole)


def test_another_machine_that_gets_only_the_setup_answers_the_same(task: Task, whole: Search) -> None:
    assert same(list(search(task, SMALL, Threads(task.setup.open())))[-1].search, whole)


def test_another_seed_gives_another_answer(task: Task, whole: Search) -> None:
    other = list(search(task, replace(SMALL, seed=5), Threads(task.stage)))[-1].search
    assert not same(other, whole)


def test_what_a_candidate_draws_does_not_depend_on_how_many_there_are() -> None:
    np.testing.assert_array_equal(draw(1, (2, 0), 5, 7), draw(1, (2, 0), 50, 7)[:5])
    assert (draw(1, (2, 0), 5, 7) != draw(1, (2, 1), 5, 7)).all()
    assert np.abs(draw(0, (0,), 1000, 3)).max() <= 1.0


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_the_controller_makes_the_path_again_bit_for_bit(actuation: Literal["motor", "servo"]) -> None:
    settings = replace(SMALL, actuation=actuation)
    task = task_of(bending(), World(), settings)
    now = list(search(task, settings, Threads(task.stage)))[-1].search
    path = found(now)
    trace = simulate(task.model, controller_of(task, now), task.start, steps=task.ends[-1])
    nq, nv = task.model.mj.nq, task.model.mj.nv
    ends = list(task.ends)
    np.testing.assert_array_equal(trace.qpos[ends], path.state[:, 1 : 1 + nq])
    np.testing.assert_array_equal(trace.qvel[ends], path.state[:, 1 + nq : 1 + nq + nv])


def test_a_capture_is_an_honest_take_that_replays(task: Task) -> None:
    events = []
    take = capture(task, SMALL, Threads(task.stage), source=SOURCE, watch=events.append)
    assert take.info.metrics["success"], take.info.reason
    assert take.info.metrics["joint_error_cm"] < 10.0
    assert events[-1].fraction == 1.0
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    verdict = audit_motion(model, dict(take.motion), dict(take.reference), declared=False)
    assert verdict.honest, verdict.faults
    np.testing.assert_array_equal(rerun_take(take).qpos, take.motion["qpos"])
    assert same_motion(replay(take), take)
    assert replay(take, seconds=0.2).seconds == pytest.approx(0.2)
    assert not same_motion(replay(take, world=load_world("ice")), take)


@pytest.mark.parametrize("stop", [1, 3, 8])
def test_a_search_that_was_stopped_goes_on_to_the_same_bits(task: Task, tmp_path: Path, stop: int) -> None:
    whole = capture(task, SMALL, Threads(task.stage), source=SOURCE)
    folder = tmp_path / "take.partial"
    plan = plan_of(task, SMALL)
    first = Checkpoint(folder, plan)
    for event in islice(search(task, SMALL, Threads(task.stage)), stop):
        first.save(event.search, 1.0)
    (folder / "pass-0-00099.npz").write_bytes(b"left over")
    again = Checkpoint(folder, plan)
    take = capture(task, SMALL, Threads(task.stage), source=SOURCE, checkpoint=again, resume=True)
    assert same_motion(take, whole)
    assert take.controller == whole.controller
    again.remove()
    assert not folder.exists()


def test_a_search_that_went_back_is_resumed_where_it_went(task: Task, whole: Search, tmp_path: Path) -> None:
    plan = plan_of(task, SMALL)
    checkpoint = Checkpoint(tmp_path, plan)
    checkpoint.save(whole, 1.0)
    back = rewound(whole, SMALL)
    assert whole.turn == 2
    checkpoint.save(back, 2.0)
    loaded = Checkpoint(tmp_path, plan).load(begin(task).layers[0])
    assert loaded is not None
    assert same(loaded, back)
    assert loaded.guide is not None
    np.testing.assert_array_equal(loaded.guide, back.guide)
    assert (loaded.rewinds, loaded.failed_at) == (1, whole.done)


def test_another_plan_cannot_resume(task: Task, whole: Search, tmp_path: Path) -> None:
    Checkpoint(tmp_path, plan_of(task, SMALL)).save(whole, 1.0)
    other = Checkpoint(tmp_path, plan_of(task, replace(SMALL, samples=80)))
    with pytest.raises(InputError, match=r"samples 90 \(now 80\)"):
        other.load(begin(task).layers[0])


def test_a_search_that_is_lost_goes_back_and_draws_anew(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    from reenact.estimate.sampling import sampler

    real, lost = sampler.advance, []

    def losing(*arguments: object) -> tuple[Layer | None, float]:
        layer, away = real(*arguments)  # type: ignore[arg-type]
        now = arguments[3]
        assert isinstance(now, Search)
        if now.done == 3 and now.turn == 0 and len(lost) < 2:
            lost.append(now.rewinds)
            return layer, 2.0
        return layer, away

    monkeypatch.setattr(sampler, "advance", losing)
    once = replace(SMALL, passes=1, rewind_depth=1)
    events = list(search(task, once, Threads(task.stage)))
    assert [e.search.done for e in events if e.rewound] == [2, 1]  # farther back the second time
    first = [e.search for e in events if e.search.turn == 0][-1]
    assert first.done == len(task.ends)
    assert [layer.attempt for layer in first.layers[1:]][:3] == [0, 2, 2]
    drawn = next(e.search for e in search(task, once, Threads(task.stage)) if e.search.done == 3)
    assert not np.array_equal(first.layers[3].displacement, drawn.layers[3].displacement)


def test_a_later_pass_never_ends_worse() -> None:
    push = Push(segment="thorax", newtons=400.0, origin="rear", start=0.05, duration=0.2)
    task = task_of(bending(), World(pushes=(push,)), SMALL)
    events = list(search(task, SMALL, Threads(task.stage)))
    ends = [e for e in events if e.search.done == len(task.ends)]
    assert [e.search.turn for e in ends] == [0, 1, 2]
    costs = [found(e.search).cost.sum() for e in ends]
    assert costs[0] >= costs[1] >= costs[2]
    assert costs[2] < costs[0]
    assert [e.fraction for e in ends] == pytest.approx([1 / 3, 2 / 3, 1.0])


def test_steered_samples_are_the_same_on_any_number_of_threads(task: Task, whole: Search) -> None:
    steered = replace(SMALL, steered=0.4)
    one, two = (list(search(task, steered, Threads(task.stage, threads=n)))[-1].search for n in (1, 2))
    assert same(one, two)
    assert not same(one, whole)


def test_the_path_of_least_total_cost_is_found() -> None:
    def layer(parent: list[int], cost: list[float], total: list[float]) -> Layer:
        state = np.array(cost)[:, None]
        return Layer(
            parent=np.array(parent), displacement=state, state=state, cost=np.array(cost), total=np.array(total)
        )

    tree = [root_layer(np.zeros(1), 1), layer([0, 0], [1.0, 5.0], [1.0, 5.0])]
    tree.append(layer([1, 0, 0], [0.5, 2.0, 3.0], [5.5, 3.0, 4.0]))
    np.testing.assert_array_equal(best_path(tree).cost, [1.0, 2.0])
