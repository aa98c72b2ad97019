"""A state machine captured: stopped anywhere it goes on to the same bits, and what it has by then is a take."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending
from stopping_search import TINY, Stopping

from reenact.control.machine.text import as_written, machine_from
from reenact.control.replay import replay, same_motion
from reenact.errors import InputError
from reenact.estimate.exact_json import dumps
from reenact.estimate.plan import made_by
from reenact.estimate.spent import Spent
from reenact.estimate.states import capture as module
from reenact.estimate.states.capture import Capture, Subject, plan_of, subject_of
from reenact.estimate.states.checkpoint import Checkpoint
from reenact.estimate.states.search import Progress
from reenact.estimate.walking.search import search
from reenact.formats.take import Source, Take, write_take
from reenact.motion.motion import Motion
from reenact.physics.audit import audit_take
from reenact.world.load import load_world
from reenact.world.world import World

SOURCE = Source(name="bend.bvh", sha256="0" * 64)


@pytest.fixture(scope="module")
def subject() -> Subject:
    return subject_of(bending(0.4), World(), threads=1)


@pytest.fixture(scope="module")
def events(subject: Subject) -> list[Progress]:
    return list(search(subject.task, TINY))


@pytest.fixture(scope="module")
def take(subject: Subject) -> Take:
    return Capture(subject, TINY, source=SOURCE).run()


def test_a_capture_is_an_honest_take_of_a_machine(take: Take, subject: Subject, tmp_path: Path) -> None:
    metrics = take.info.metrics
    assert (take.info.method, take.info.seed, take.controller["kind"]) == ("states", 3, "machine")
    assert take.seconds == pytest.approx(0.4)
    machine = machine_from(take.controller)
    assert metrics["states"] == len(machine.states)
    assert metrics["structure"].startswith("⊕→①")
    assert metrics["joint_error_cm"] < 10.0
    assert metrics["cost_cm2"] > 0.0
    assert 0.0 < metrics["kinematic_floor_cm"] < 10.0
    assert isinstance(metrics["success"], bool)
    assert made_by(take, plan_of(subject, TINY), "states")
    assert not made_by(take, plan_of(subject, replace(TINY, samples=7)), "states")
    assert np.array_equal(as_written(machine).rows(), machine.rows()), "what ran is what is written"
    steps = len(take.motion["time"]) - 1
    assert {name: take.motion[name].shape for name in ("state", "target", "target_root", "balance")} == {
        "state": (steps,),
        "target": (steps, len(machine.axes)),
        "target_root": (steps, 4),
        "balance": (steps, 2),
    }
    write_take(tmp_path / "take", take)
    assert audit_take(tmp_path / "take").honest
    assert same_motion(replay(take), take)


def test_wherever_a_search_was_stopped_it_goes_on_to_the_same_bits(
    subject: Subject, events: list[Progress], tmp_path: Path
) -> None:
    plan = plan_of(subject, TINY)
    for number, event in enumerate(events[:-1]):
        Checkpoint(tmp_path, plan).save(event, Spent(wall_seconds=2.0))
        again = Checkpoint(tmp_path, plan)
        now = again.load()
        assert now is not None
        assert dumps(now) == dumps(event)
        assert again.spent.wall_seconds == 2.0
        if number % 2 == 0:  # every other one is searched on, to save time
            assert dumps(list(search(subject.task, TINY, now))[-1]) == dumps(events[-1])
    again.remove()
    assert not tmp_path.exists()


def test_a_stopped_capture_is_a_take_of_what_was_found_and_goes_on(
    subject: Subject, take: Take, events: list[Progress], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(subject, TINY)
    along = Capture(subject, TINY, source=SOURCE, checkpoint=Checkpoint(tmp_path / "kept", plan))
    assert along.so_far("stopped") is None
    with monkeypatch.context() as patched:
        patched.setattr(module, "search", Stopping(1))
        with pytest.raises(KeyboardInterrupt):
            along.run()
    part = along.so_far("the search was stopped by hand")
    assert part is not None
    assert (part.info.status, part.info.done) == ("stopped", False)
    assert part.info.reason == "the search was stopped by hand, 0.20 of 0.40 s of the motion explained"
    assert part.seconds == pytest.approx(0.2)
    assert not made_by(part, plan, "states"), "it is not what the search would find"
    write_take(tmp_path / "part", part)
    assert audit_take(tmp_path / "part").honest
    seen: list[Progress] = []
    later = Capture(subject, TINY, source=SOURCE, checkpoint=Checkpoint(tmp_path / "kept", plan))
    again = later.run(resume=True, watch=seen.append)
    assert len(seen) == len(events) - 1
    assert same_motion(again, take)
    assert again.controller == take.controller


def test_another_plan_cannot_resume(subject: Subject, events: list[Progress], tmp_path: Path) -> None:
    Checkpoint(tmp_path, plan_of(subject, TINY)).save(events[0], Spent())
    with pytest.raises(InputError, match=r"samples 6 \(now 7\)"):
        Checkpoint(tmp_path, plan_of(subject, replace(TINY, samples=7))).load()
    left = Checkpoint(tmp_path, plan_of(subject, replace(TINY, seed=4))).left()
    assert left is not None
    assert "seed 3 (now 4)" in left.hindrance


def test_what_is_no_search_of_states_is_one_clear_error(
    subject: Subject, events: list[Progress], tmp_path: Path
) -> None:
    along = Checkpoint(tmp_path, plan_of(subject, TINY))
    along.save(events[0], Spent())
    path = tmp_path / "state.json"
    good = path.read_text()
    for text, told in (
        ("{", "not the state of a search"),
        (good.replace('"reenact-states"', '"reenact-search"'), "by sampling, this one is by states: resume with"),
        (good.replace('"reenact-states"', '"else"'), "format is 'else', expected 'reenact-states'"),
        (good.replace("search:Progress", "search:Stride"), "the search cannot be read"),
        (good.replace(r"\"phase\":", r"\"face\":"), "Progress has other fields than this version's: face, phase"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=told):
            along.load()


def still(seconds: float) -> Motion:
    motion = bending(seconds)
    return replace(motion, qpos=np.repeat(motion.qpos[:1], motion.frames, axis=0))


def leaping(seconds: float) -> Motion:
    motion = bending(seconds)
    qpos = motion.qpos.copy()
    qpos[30:, 0] += 2.0
    return replace(motion, qpos=qpos)


def whirling(seconds: float) -> Motion:
    motion = bending(seconds)
    qpos = motion.qpos.copy()
    qpos[20, 7 + motion.body.axis_index("wrist_left_flexion")] += 3.0
    return replace(motion, qpos=qpos)


@pytest.mark.parametrize(
    ("motion", "told"),
    [
        (bending(0.1), "lasts 0.100 s, a state machine needs at least 0.2 s"),
        (still(0.5), "'bend' is one pose: in 0.50 s no joint turns by more than 0.0°"),
        (leaping(0.5), "moves as no body can: 'pelvis' reaches 240 m/s at 0.2"),
        (whirling(0.5), "'wrist_left_flexion' reaches 18. rad/s at 0.1"),
        (bending(0.5, lift=0.5), "never touches the floor"),
    ],
)
def test_a_motion_that_cannot_work_is_refused_at_once(motion: Motion, told: str) -> None:
    with pytest.raises(InputError, match=told) as refused:
        subject_of(motion, World())
    assert "\n" not in str(refused.value)


def test_weaker_limits_are_another_plan_and_stay_with_the_take(subject: Subject) -> None:
    weak = subject_of(bending(0.4), World(), torque_scale=0.5, threads=1)
    assert plan_of(weak, TINY) != plan_of(subject, TINY)
    along = Capture(weak, TINY, source=SOURCE)
    along.now = next(iter(search(weak.task, TINY)))
    part = along.so_far("stopped")
    assert part is not None
    assert part.controller["torque_scale"] == 0.5


def test_a_machine_goes_on_after_its_clip_on_other_ground(take: Take) -> None:
    longer = replay(take, seconds=0.8)
    assert longer.seconds == pytest.approx(0.8)
    assert isinstance(longer.info.metrics["success"], bool)
    assert longer.info.metrics["joint_error_cm"] == pytest.approx(take.info.metrics["joint_error_cm"], rel=0.05)
    downhill = replay(take, world=load_world("slope"), seconds=0.8)
    assert downhill.info.world == "slope"
