"""The whole push test on bodies that stand and slide: what falls, what goes on, what is found and written."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sliding_takes import sliding, standing

from reenact.control.pushing.certificate import certificate_of
from reenact.control.pushing.directions import Direction, directions_of, paper_newtons
from reenact.control.pushing.findings import Findings, push_test, rounds
from reenact.control.pushing.protocol import Protocol, check_segment, torso_of
from reenact.control.pushing.pushed_world import pushed_world, world_files
from reenact.control.pushing.record import record_of
from reenact.control.pushing.subject import Subject, subject_of
from reenact.control.pushing.trial import Outcome, Trial, run_trial, run_trials, stalled, start_of
from reenact.control.pushing.unpushed import Unpushed, mean_heading, progress, unpushed
from reenact.control.ragdoll import Ragdoll
from reenact.control.replay import replay
from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.geometry import rotation
from reenact.measure import wilson
from reenact.world.toml import parse_world

FRONT, LEFT, REAR, RIGHT = directions_of(4)
SHORT = Protocol(segment="thorax", seconds=2.0, every=1.0, duration=0.2, phases=1, resolution=10.0, draws=2)


@pytest.fixture(scope="module")
def take() -> Take:
    return standing()


@pytest.fixture(scope="module")
def stander(take: Take) -> Subject:
    return subject_of(take)


@pytest.fixture(scope="module")
def base(stander: Subject) -> Unpushed:
    return unpushed(stander, SHORT)


@pytest.fixture(scope="module")
def found(stander: Subject) -> Findings:
    return list(push_test(stander, SHORT, (FRONT, LEFT, RIGHT)))[-1]


def test_sides_are_where_a_push_comes_from() -> None:
    assert [side.name for side in directions_of(8)][::2] == ["front", "left", "rear", "right"]
    assert directions_of(3)[1].name == "120°"
    for heading in (0.0, 2.0):
        ahead, left = (math.cos(heading), math.sin(heading)), (-math.sin(heading), math.cos(heading))
        for side, towards in ((FRONT, -np.array(ahead)), (REAR, np.array(ahead)), (RIGHT, np.array(left))):
            np.testing.assert_allclose(side.force(50.0, heading)[:2], 50.0 * towards, atol=1e-6)
    assert paper_newtons(RIGHT, 1.0) == 273.0
    assert paper_newtons(RIGHT, 0.75) == 33.0
    assert paper_newtons(RIGHT, 0.5) is None
    assert paper_newtons(directions_of(8)[1], 1.0) is None


def test_the_protocol_of_the_paper() -> None:
    plan = Protocol(segment="thorax")
    assert plan.starts() == pytest.approx([4.0 * i for i in range(1, 10)])
    assert plan.starts(0.5)[0] == 4.5
    assert len(plan.starts(1.1)) == 9
    assert plan.delays(1.2) == pytest.approx(np.arange(8) * 0.15)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seconds": 7.0}, "seconds is 7, expected at least 8"),
        ({"seconds": math.inf}, "seconds is inf"),
        ({"duration": 5.0}, "duration is 5 s, expected at most the 4 s"),
        ({"phases": 0}, "phases is 0, expected at least 1"),
        ({"resolution": 0.0}, "resolution is 0, expected above 0"),
        ({"draws": -1}, "draws is -1"),
        ({"every": math.nan}, "every is nan"),
    ],
)
def test_a_protocol_that_cannot_be_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Protocol(segment="thorax", **change)


def test_bad_subjects_are_refused(take: Take, stander: Subject) -> None:
    for torque in (0.0, -1.0, math.nan, 100.0):
        with pytest.raises(InputError, match="torque is"):
            subject_of(take, torque=torque)
    with pytest.raises(InputError, match=r"no segment 'chest'; there are: pelvis, abdomen, thorax"):
        check_segment(stander.model.body, "chest")
    with pytest.raises(InputError, match="no segment 'chest'"):
        push_test(stander, replace(SHORT, segment="chest"), (FRONT,))
    with pytest.raises(InputError, match="cannot be run"):
        subject_of(replace(take, controller={"kind": "track"}))
    with pytest.raises(InputError, match="directions is 0"):
        directions_of(0)


def test_the_torso_bears_the_head(stander: Subject) -> None:
    assert torso_of(stander.model.body) == "thorax"


def test_one_that_falls_by_itself_cannot_be_pushed(take: Take) -> None:
    limp = subject_of(replace(take, controller={**take.controller, **Ragdoll().to_json()}))
    with pytest.raises(InputError, match=r"the ragdoll controller does not go on for 2 s without a push: .* at \d"):
        unpushed(limp, SHORT)


def test_torque_scales_the_take_s_own_limits(take: Take) -> None:
    weak = subject_of(replace(take, controller={**take.controller, "torque_scale": 0.5}), torque=0.5)
    np.testing.assert_allclose(weak.model.torque_limit, 0.25 * subject_of(take).model.torque_limit, rtol=1e-5)


def test_a_stander_stands(base: Unpushed) -> None:
    assert not base.walks
    assert base.gait.cycle is None
    assert base.cycle == 1.0
    assert abs(base.turned) < 0.01


@pytest.mark.parametrize(("heading", "way"), [(0.0, 0.0), (2.0, 0.0), (-3.0, math.pi / 2)])
def test_a_slider_goes_on_its_way(heading: float, way: float) -> None:
    base = unpushed(subject_of(sliding(heading=heading, way=way)), SHORT)
    assert base.speed == pytest.approx(1.0, abs=0.02)
    assert math.remainder(base.heading - heading, 2 * math.pi) == pytest.approx(0.0, abs=0.02)
    assert base.way == pytest.approx(way, abs=0.03)


def test_progress_forgives_a_turn_and_takes_the_way_back_off() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 400)
    turn = np.zeros((400, 7))
    turn[:, 0], turn[:, 1] = np.sin(angle), 1.0 - np.cos(angle)
    turn[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], angle)
    assert progress(turn, 0.0)[-1] == pytest.approx(2.0 * np.pi, rel=1e-3)
    back = turn.copy()
    back[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], angle + np.pi)
    assert progress(back, 0.0)[-1] == pytest.approx(-2.0 * np.pi, rel=1e-3)
    assert mean_heading(turn[:100]) == pytest.approx(np.pi / 4, abs=0.02)


def test_who_no_longer_gets_on_has_not_passed(base: Unpushed) -> None:
    walker = replace(base, speed=1.0, way=0.0)
    time = np.linspace(0.0, 40.0, 401)
    root = np.tile([0.0, 0.0, 0.9, 1.0, 0.0, 0.0, 0.0], (401, 1))

    def gone(x: Any) -> str:
        path = root.copy()
        path[:, 0] = x
        return stalled(time, path, walker, first=4.0, last=4.0)

    assert gone(0.5 * time) == ""
    assert "over the last 4 s" in gone(np.minimum(time, 36.0))
    assert "since the first push" in gone(0.2 * time)
    assert "since the first push" in gone(np.minimum(time, 4.0) + np.maximum(time - 36.0, 0.0))
    assert stalled(time, root, base, first=4.0, last=4.0) == "", "a stander need not get on"


def test_the_harder_push_fells_it_and_ends_the_trial(stander: Subject, base: Unpushed) -> None:
    soft, hard = run_trials(
        stander, SHORT, base, [Trial(direction=FRONT, newtons=n, delay=0.0) for n in (20.0, 1500.0)], threads=2
    )
    assert soft == Outcome(passed=True, seconds=pytest.approx(2.0), reason="")
    assert not hard.passed
    assert 1.0 < hard.seconds < 2.0
    assert hard.reason.endswith(f"at {hard.seconds:.2f} s")


def test_a_push_moves_the_body_by_its_impulse() -> None:
    slider = subject_of(sliding())
    base = unpushed(slider, SHORT)
    from reenact.control.pushing.trial import _simulated

    for follow in (False, True):
        plan = replace(SHORT, follow=follow)
        _, time, root = _simulated(slider, plan, base, Trial(direction=REAR, newtons=100.0, delay=0.0))
        late = time > 1.3
        speed = np.polyfit(time[late], root[late, 0], 1)[0]
        assert speed == pytest.approx(base.speed + 100.0 * 0.2 / slider.mass, abs=0.06)


def test_a_followed_side_turns_with_the_body(stander: Subject, base: Unpushed) -> None:
    from reenact.control.pushing.trial import _simulated

    heading = mean_heading(base.root[base.time <= 1.0])
    trial = Trial(direction=LEFT, newtons=150.0, delay=0.0)
    fixed = _simulated(stander, SHORT, replace(base, heading=heading + 0.5 * math.pi), trial)
    follows = _simulated(stander, replace(SHORT, follow=True), replace(base, heading=heading + 0.5 * math.pi), trial)
    moved = [run[2][-1, :2] - run[2][0, :2] for run in (fixed, follows)]
    assert moved[0][0] > 2 * abs(moved[0][1]), "from what it took for the left"
    assert -moved[1][1] > 2 * abs(moved[1][0]), "from the left of the body"


def test_draws_disturb_the_start_each_in_its_own_way(stander: Subject) -> None:
    first, again, other = (
        start_of(stander, Trial(direction=FRONT, newtons=1.0, delay=0.0, draw=draw))
        for draw in ((0, 0), (0, 0), (0, 1))
    )
    np.testing.assert_array_equal(first.qpos, again.qpos)
    assert not np.array_equal(first.qpos, other.qpos)
    np.testing.assert_array_equal(first.qpos[:7], stander.start.qpos[:7])
    assert np.abs(first.qpos - stander.start.qpos).max() < 0.05


def test_it_finds_what_the_body_bears(found: Findings, stander: Subject, base: Unpushed) -> None:
    assert found.finished
    assert found.fraction == 1.0
    for limit in found.limits:
        assert limit.newtons > 0.0
        assert limit.newtons % 10.0 == 0.0
        assert limit.weakest is not None
        assert limit.weakest[0].newtons == limit.newtons + 10.0
        assert run_trial(
            stander, SHORT, base, Trial(direction=limit.direction, newtons=limit.newtons, delay=0.0)
        ).passed
        assert len(limit.draws) == 2
    front, left, right = (limit.newtons for limit in found.limits)
    assert front < left, "standing, one falls more easily on one's back than sideways"
    assert abs(left - right) <= 10.0, "the body is symmetric"


def test_less_torque_bears_less(take: Take, found: Findings) -> None:
    weak = list(push_test(subject_of(take, torque=0.1), replace(SHORT, draws=0), (RIGHT,)))[-1]
    assert weak.limits[0].newtons < found.limits[2].newtons


def test_the_split_changes_nothing(found: Findings, stander: Subject) -> None:
    alone = list(push_test(stander, SHORT, (FRONT, LEFT, RIGHT), threads=1))[-1]
    assert alone.limits == found.limits


def test_findings_grow_round_by_round(stander: Subject, base: Unpushed) -> None:
    plan = replace(SHORT, phases=2, resolution=1.0, draws=4)

    def run(trials: Any) -> list[Outcome]:
        return [Outcome(passed=t.newtons <= 100.0 + 50.0 * t.delay, seconds=2.0, reason="") for t in trials]

    known = list(rounds(stander, plan, base, (FRONT, LEFT), run))
    assert [k.finished for k in known] == [False] * (len(known) - 1) + [True]
    fractions = [k.fraction for k in known]
    assert fractions == sorted(fractions)
    assert known[0].limits[0].newtons == 0.0
    last = known[-1].limits[0]
    assert (last.newtons, last.by_phase) == (100.0, (100.0, 125.0))
    assert all(t.newtons == 100.0 and 0.0 <= t.delay < base.cycle for t, _ in last.draws)
    assert len({t.delay for t, _ in last.draws}) == 4
    assert last.interval == wilson(4, 4)
    none = list(
        rounds(stander, plan, base, (FRONT,), lambda t: [Outcome(passed=False, seconds=1.0, reason="x")] * len(t))
    )
    assert (none[-1].limits[0].newtons, none[-1].limits[0].draws, none[-1].finished) == (0.0, (), True)


def test_the_record_says_all_and_the_certificate_says_it_in_words(found: Findings) -> None:
    record = record_of(found, take="me", command="reenact push me", wall_seconds=3.21)
    assert record["format"] == "reenact-push"
    assert record["finished"]
    front = record["directions"][0]
    assert front["impulse_Ns"] == pytest.approx(front["newtons"] * 0.2)
    assert front["impulse_Ns_per_kg"] == pytest.approx(front["impulse_Ns"] / record["body"]["mass_kg"])
    assert front["paper_N"] is None, "not the paper's test"
    assert len(front["trials"]) + len(front["draws"]) > 5
    assert set(record["versions"]) >= {"reenact", "mujoco"}
    words = certificate_of(record)
    assert max(len(line) for line in words.splitlines()[:-5]) <= 100
    for part in ("thorax", f"{front['newtons']:.0f} N", "reenact push me", record["controller"]["sha256"], "Wilson"):
        assert part in words
    assert "Seeds:       0 of the capture, 0 of the random trials" in words
    assert "UNFINISHED" not in words
    stopped = certificate_of({**record, "finished": False, "torque": 0.75})
    assert "UNFINISHED" in stopped
    assert "75 % of its torque limits" in stopped


def test_the_paper_s_figures_stand_beside_the_paper_s_test(stander: Subject, base: Unpushed) -> None:
    plan = Protocol(segment="thorax", phases=1, draws=0)
    known = next(iter(rounds(stander, plan, base, directions_of(8), lambda t: [])))
    assert [known.paper(limit) for limit in known.limits] == [210.0, None, 294.0, None, 294.0, None, 273.0, None]


def test_a_side_can_be_replayed_as_a_world(found: Findings, take: Take) -> None:
    files = world_files(found)
    assert sorted(files) == ["pushed-front.toml", "pushed-left.toml", "pushed-right.toml"]
    world = parse_world(files["pushed-front.toml"])
    assert world == pushed_world(found, found.limits[0])
    again = replay(take, world=world, seconds=2.0)
    assert again.info.status == "ok"
    pushed, body = again.motion["external"], 1 + found.subject.model.body.segment_names.index("thorax")
    np.testing.assert_allclose(
        pushed[130, body, :3], FRONT.force(found.limits[0].newtons, found.base.heading), atol=1e-9
    )
    assert not pushed[119].any()
    assert not pushed[144].any()


def test_a_direction_without_a_name_has_a_file_name(found: Findings) -> None:
    odd = replace(found, limits=(replace(found.limits[0], direction=Direction(angle=math.radians(120.0))),))
    assert list(world_files(odd)) == ["pushed-120deg.toml"]
