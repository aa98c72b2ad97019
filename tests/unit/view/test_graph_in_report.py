"""What the report says of a state machine, and what it leaves out of other takes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from example_machines import crouch_machine, machine_of, machine_take, walk_machine
from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.view.course import course_of
from reenact.view.pack import unpacked
from reenact.view.recording import recording_of
from reenact.view.report import report_html, scene_data
from reenact.view.scene import scene_of


@pytest.fixture(scope="module")
def walk() -> Take:
    return machine_take(walk_machine(), 0.8, speed=0.8)


def with_motion(take: Take, **arrays: Any) -> Take:
    return replace(take, motion={**take.motion, **arrays})


def test_the_course_follows_the_recorded_states(walk: Take) -> None:
    scene = scene_of(walk)
    assert scene.course is not None
    state, time = walk.motion["state"], walk.motion["time"]
    for visit in scene.course.visits:
        steps = (time[:-1] >= visit.span.begin - 1e-9) & (time[:-1] < visit.span.end - 1e-9)
        assert set(state[steps]) == {visit.state}
    assert scene.course.visits[-1].span.end == pytest.approx(time[-1])
    for at in (0.0, 0.1, 0.219, 0.221, 0.5, 0.8):
        visit = scene.course.visit_at(at)
        assert visit is not None
        assert visit.state == state[min(int(at * 120 + 1e-6), len(state) - 1)]


def test_the_ghost_is_the_target_at_the_roots_place(walk: Take) -> None:
    scene = scene_of(walk)
    assert scene.course is not None
    assert scene.course.target is not None
    root = scene.course.target.position[:, 1]
    np.testing.assert_allclose(root[:-1], scene.poses.position[:-1, 1], atol=1e-5)
    knee = scene.body_names.index("shank_right")
    bent = _angle(scene.course.target.orientation, scene.body_names.index("thigh_right"), knee)
    assert np.degrees(bent[3]) == pytest.approx(60.0, abs=0.1), "right swings: its target knee"


def test_contacts_stand_on_the_time_line(walk: Take) -> None:
    course = course_of(recording_of(walk), np.array([0.0]))
    assert course is not None
    lanes = {lane.part: lane for lane in course.lanes}
    assert {"left foot", "right foot"} <= set(lanes)
    step, segment = walk.motion["contact_step"], walk.motion["contact_segment"]
    feet = [16, 17]  # right foot and toes
    first = step[np.isin(segment, feet)].min() / 120
    assert lanes["right foot"].spans[0].begin == pytest.approx(first, abs=0.02)


def test_the_page_holds_graph_lanes_and_bars(walk: Take) -> None:
    page = report_html(walk)
    assert page.count("class='state'") == 4
    assert "class='machine card above'" in page
    assert page.index("id='machine'") < page.index("<main>")
    assert len(re.findall(r"data-visit='\d+'", page)) == len(scene_of(walk).course.visits)  # type: ignore[union-attr]
    assert page.count("class='bar'") == 34
    data = scene_data(scene_of(walk))
    knee = next(g for g in data["curves"]["groups"] if g["name"] == "Knee left flexion")
    assert [curve["label"] for curve in knee["plots"][0]["curves"]] == ["take", "reference", "target"]
    assert knee["plots"][1]["bound"] > 100.0
    assert np.abs(unpacked(knee["plots"][1]["curves"][0]["values"])).max() <= knee["plots"][1]["bound"] * 1.001


def test_a_graph_of_several_rows_stands_below() -> None:
    page = report_html(machine_take(machine_of(9), 0.1))
    assert page.index("<main>") < page.index("id='machine'")


def test_bounds_follow_the_torque_scale(walk: Take) -> None:
    weaker = replace(walk, controller={**walk.controller, "torque_scale": 0.5})
    whole, half = (recording_of(take).torque_bounds() for take in (walk, weaker))
    assert half["knee_left_flexion"] == pytest.approx(0.5 * whole["knee_left_flexion"])


def test_an_older_take_still_shows_its_graph(walk: Take) -> None:
    kept = {name: values for name, values in walk.motion.items() if name not in ("state", "target_root")}
    page = report_html(replace(walk, motion=kept))
    assert page.count("class='state'") == 4
    assert "data-visit" not in page.split("<script")[0]


def test_arrays_that_do_not_belong_are_refused(walk: Take) -> None:
    with pytest.raises(InputError, match="'state' has shape"):
        scene_of(with_motion(walk, state=walk.motion["state"][:-3]))
    with pytest.raises(InputError, match="none of 4 states"):
        scene_of(with_motion(walk, state=walk.motion["state"] + 3))


def test_without_feedback_there_is_no_vector() -> None:
    scene = scene_of(machine_take(crouch_machine(), 0.3))
    assert scene.course is not None
    assert scene.course.balance_arrow(5, np.zeros(3, np.float32)).shape == (0, 2, 3)
    assert scene.course.balance_scale == 1.0


def test_the_vector_is_drawn_from_the_centre_of_pressure_and_long_enough(walk: Take) -> None:
    scene = scene_of(walk)
    course = scene.course
    assert course is not None
    assert course.balance is not None
    frame = int(np.flatnonzero(~np.isnan(course.balance).any(axis=1))[3])
    [[start, end]] = course.balance_arrow(frame, scene.cop[frame])
    np.testing.assert_allclose(start[:2], scene.cop[frame, :2], atol=1e-6)
    np.testing.assert_allclose((end - start)[:2], course.balance_scale * course.balance[frame], atol=1e-6)


def test_a_take_of_another_kind_shows_nothing_of_it(take: Take, tmp_path: Path) -> None:
    page = report_html(take)
    assert "id='machine'" not in page
    assert "class='lane" not in page
    assert "class='bar'" not in page, "nor bars where nobody says who moved"
    assert scene_data(scene_of(take))["machine"] is None


def _angle(orientation: Any, parent: int, child: int) -> Any:
    """Angle between two bodies [rad], (F,)."""
    return 2.0 * np.arccos(np.clip(np.abs(np.sum(orientation[:, parent] * orientation[:, child], axis=-1)), 0.0, 1.0))


def test_the_browser_page_tells_the_state_and_shows_the_target(walk: Take, tmp_path: Path) -> None:
    pytest.importorskip("viser", reason="the browser page needs the extra 'view'")
    from reenact.formats.take import write_take
    from reenact.view.serve import page_of

    write_take(tmp_path / "walk", walk)
    with page_of([tmp_path / "walk"], port=0) as (page, _):
        page._seek(0.3)
        assert "state 2 right reaches" in page._clock.content
        [actor] = page.actors
        assert not actor._target_frame.visible
        assert actor._balance.visible
        page.shown.target, page.shown.balance = True, False
        page.refresh()
        assert actor._target_frame.visible
        assert not actor._balance.visible
        frame = actor.scene.frame_at(0.3)
        body, handle, _ = next(iter(actor._target.values()))
        np.testing.assert_allclose(handle.position, actor.scene.course.target.position[frame, body], atol=1e-6)  # type: ignore[union-attr]
