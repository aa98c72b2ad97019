from __future__ import annotations

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest

from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.view.forces import LONGEST, METRES_PER_WEIGHT, PUSH_GAP, arrows
from reenact.view.recording import Recording, recording_of
from reenact.view.scene import Scene, scene_of


@pytest.fixture(scope="module")
def recording(take: Take) -> Recording:
    return recording_of(take)


@pytest.fixture(scope="module")
def scene(recording: Recording) -> Scene:
    return scene_of(recording)


def with_motion(take: Take, **arrays: Any) -> Take:
    changed = {**take.motion, **arrays}
    return replace(take, motion={name: value for name, value in changed.items() if value is not None})


def test_bodies_stand_where_mujoco_puts_them(recording: Recording, scene: Scene) -> None:
    data = mujoco.MjData(recording.model)
    for frame in (0, 17, scene.frames - 1):
        data.qpos[:] = recording.motion["qpos"][2 * frame]  # shown at 60 Hz, recorded at 120
        mujoco.mj_kinematics(recording.model, data)
        assert scene.poses.position[frame] == pytest.approx(data.xpos, abs=1e-6)
        same = np.abs(np.sum(scene.poses.orientation[frame] * data.xquat, axis=-1))
        assert same == pytest.approx(1.0, abs=1e-6)


def test_orientations_do_not_jump(scene: Scene) -> None:
    turned = np.sum(scene.poses.orientation[1:] * scene.poses.orientation[:-1], axis=-1)
    assert (turned > 0.9).all()


def test_an_odd_display_rate_lies_between_recorded_states(recording: Recording) -> None:
    scene = scene_of(recording, rate=50.0)
    assert scene.time[1] == pytest.approx(0.02)
    data = mujoco.MjData(recording.model)
    around = []
    for state in (2, 3):  # 1/60 s and 1/40 s
        data.qpos[:] = recording.motion["qpos"][state]
        mujoco.mj_kinematics(recording.model, data)
        around.append(data.xpos.copy())
    assert scene.poses.position[1] == pytest.approx(0.6 * around[0] + 0.4 * around[1], abs=1e-6)


def test_the_ghost_is_the_reference(recording: Recording, scene: Scene) -> None:
    assert scene.ghost is not None
    joints = recording.reference["joints"][-1]
    assert scene.ghost.position[-1, 1:] == pytest.approx(joints, abs=1e-6)
    assert scene.ghost_until == pytest.approx(recording.motion["time"][-1])


def test_contact_forces_carry_the_weight(scene: Scene) -> None:
    standing = slice(scene.frames // 3, scene.frames)
    totals = np.array([scene.contacts.force[scene.contacts.at(f), 2].sum() for f in range(scene.frames)])
    assert totals[standing].mean() == pytest.approx(scene.mass * 9.81, rel=0.03)
    feet = {scene.body_names[i] for i in scene.contacts.body.tolist()}
    assert feet <= {"foot_left", "foot_right", "toes_left", "toes_right"}
    assert np.abs(scene.contacts.point[:, 2]).max() < 0.02


def test_a_frame_takes_the_mean_of_its_steps(take: Take) -> None:
    point = np.array([[0.0, 0, 0], [0.2, 0, 0]])
    force = np.array([[0.0, 0, 30], [0.0, 0, 90]])
    contacts = {
        "contact_step": np.array([21, 21], np.int32),  # ends at 22/120 s: frame 11, which has two steps
        "contact_segment": np.array([3, 3], np.int16),
        "contact_point": point,
        "contact_normal": np.tile([0.0, 0, 1], (2, 1)),
        "contact_force": force,
    }
    scene = scene_of(with_motion(take, **contacts))
    assert len(scene.contacts.force) == 1
    assert scene.contacts.point[0] == pytest.approx([0.15, 0, 0], abs=1e-6)
    assert scene.contacts.body.tolist() == [4]
    assert scene.contacts.force[0, 2] == pytest.approx(60.0)
    assert scene.contacts.first[11:13].tolist() == [0, 1]


def test_pushes_act_at_the_centre_of_mass(take: Take) -> None:
    recording = recording_of(take)
    steps, bodies = len(take.motion["time"]) - 1, recording.model.nbody
    external = np.zeros((steps, bodies, 6))
    chest = recording.model.body("thorax").id
    external[60:72, chest, 0] = 120.0
    scene = scene_of(with_motion(take, external=external))
    frame = scene.frame_at(0.55)
    at = scene.pushes.at(frame)
    assert scene.pushes.body[at].tolist() == [chest]
    assert scene.pushes.force[at][0] == pytest.approx([120, 0, 0])
    data = mujoco.MjData(recording.model)
    data.qpos[:] = take.motion["qpos"][66]
    mujoco.mj_kinematics(recording.model, data)
    mujoco.mj_comPos(recording.model, data)
    assert scene.pushes.point[at][0] == pytest.approx(data.xipos[chest], abs=1e-4)
    assert scene.pushes.first[scene.frame_at(0.3)] == 0
    (start, end), *_ = arrows(scene.pushes, frame, scene.mass, push=True)
    assert end[0] == pytest.approx(data.xipos[chest][0] - PUSH_GAP, abs=1e-4), "the arrow ends at the body"
    assert (end - start)[1:] == pytest.approx(0, abs=1e-6)
    assert end[0] > start[0]


def test_an_arrow_is_as_long_as_its_force_and_no_longer_than_fits(scene: Scene) -> None:
    weight = scene.mass * 9.81
    forces = replace(
        scene.contacts,
        first=np.array([0, 2]),
        body=np.array([1, 2]),
        point=np.zeros((2, 3), np.float32),
        force=np.array([[0, 0, weight], [0, 0, 99 * weight]], np.float32),
    )
    ends = arrows(forces, 0, scene.mass, push=False)
    assert ends[0, 1] == pytest.approx([0, 0, METRES_PER_WEIGHT])
    assert ends[1, 1] == pytest.approx([0, 0, LONGEST])


def test_curves_show_the_joint_beside_its_reference(recording: Recording, scene: Scene) -> None:
    group = scene.curves.group("Elbow left flexion")
    angle, torque = group.plots
    column = recording.model.joint("elbow_left_flexion").qposadr[0]
    assert angle.curves[0].values == pytest.approx(np.degrees(recording.motion["qpos"][:, column]))
    assert angle.curves[1].values[-1] == pytest.approx(np.degrees(0.8))
    dof = recording.model.joint("elbow_left_flexion").dofadr[0]
    assert torque.curves[0].values[1:] == pytest.approx(recording.motion["joint_torque"][:, dof])
    names = [g.name for g in scene.curves.groups]
    assert len([n for n in names if n not in ("Ground force", "Centre of mass")]) == recording.model.nu
    assert names[-2:] == ["Ground force", "Centre of mass"]


def test_ground_force_by_foot_adds_up(scene: Scene) -> None:
    left, right, whole = (curve.values for curve in scene.curves.group("Ground force").plots[0].curves)
    assert left + right == pytest.approx(whole)
    assert left[-1] > 100
    assert right[-1] > 100


def test_a_long_take_is_shown_at_a_lower_rate(take: Take) -> None:
    count = len(take.motion["time"])
    stretched = {"time": np.arange(count) * 1.0, "contact_step": None}
    scene = scene_of(with_motion(take, **stretched))
    assert scene.frames <= 3601
    assert scene.duration == pytest.approx(count - 1, abs=0.1)


def test_a_take_without_contacts_or_centres_is_still_shown(take: Take) -> None:
    bare = {name: None for name in take.motion if name.startswith("contact_") or name in ("com", "cop", "joint_torque")}
    reference = {name: value for name, value in take.reference.items() if name != "qpos"}
    scene = scene_of(replace(with_motion(take, **bare), reference=reference))
    assert scene.ghost is None
    assert len(scene.contacts.force) == 0
    assert np.isnan(scene.com).all()
    assert len(scene.curves.group("Elbow left flexion").plots) == 1


def test_one_frame_is_enough(take: Take) -> None:
    single = {name: np.asarray(take.motion[name])[:1] for name in ("time", "qpos", "qvel", "com")}
    none = {name: np.asarray(value)[:0] for name, value in take.motion.items() if name not in single}
    scene = scene_of(with_motion(take, **single, **none))
    assert scene.frames == 1
    assert scene.duration == 0


@pytest.mark.parametrize(
    ("arrays", "cause"),
    [
        ({"time": np.zeros(181)}, "time does not increase"),
        ({"qpos": np.zeros((181, 5))}, "qpos has 5 columns, expected 41"),
        ({"qpos": np.full((181, 41), np.nan)}, "not finite"),
    ],
)
def test_a_motion_that_cannot_be_drawn_is_named(take: Take, arrays: dict[str, Any], cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        scene_of(with_motion(take, **arrays))


def test_a_model_that_cannot_be_loaded_is_named(take: Take) -> None:
    with pytest.raises(InputError, match=r"model\.xml: MuJoCo cannot load it"):
        scene_of(replace(take, model_xml="<mujoco><nonsense/></mujoco>"))
