"""The audit accepts an honest take and rejects each way of cheating; so does the independent tool where present."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import mujoco
import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.errors import InputError
from reenact.physics.audit import audit_take
from reenact.physics.model import Model
from reenact.physics.prepare import Wrenches
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace

NAMES = ("pelvis", "head", "foot_left", "hand_right")
Files = dict[str, object]


@pytest.fixture(scope="module")
def tool(repo: Path) -> Path | None:
    found = repo.parent / "shared" / "tools" / "audit_take.py"
    return found if found.is_file() else None


def honest(actuation: str = "motor") -> tuple[Model, Trace]:
    model = adult_model(actuation)
    return model, simulate(model, Wave(gain=0.2 if actuation == "motor" else 1.0), standing(model, speed=0.4), steps=60)


def files_of(model: Model, trace: Trace) -> Files:
    data, joints = mujoco.MjData(model.mj), np.zeros((len(trace.qpos), len(NAMES), 3))
    for k, qpos in enumerate(trace.qpos):
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model.mj, data)
        joints[k] = data.xpos[[model.mj.body(name).id for name in NAMES]] + [0.0, 0.03, 0.0]
    return {
        "model.xml": model.audit_xml(),
        "motion": trace.arrays(),
        "reference": {"time": trace.time, "joints": joints, "joint_names": np.array(NAMES)},
        "take.json": {"pushes": []},
    }


def write(folder: Path, files: Files) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "model.xml").write_text(str(files["model.xml"]))
    (folder / "take.json").write_text(json.dumps(files["take.json"]))
    np.savez(folder / "motion.npz", **files["motion"])  # type: ignore[arg-type]
    np.savez(folder / "reference.npz", **files["reference"])  # type: ignore[arg-type]
    return folder


def verdict_of_tool(tool: Path, folder: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, str(tool), str(folder), "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    assert done.returncode == (0 if result["honest"] else 1)
    return result


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_an_honest_take_passes_both(actuation: str, tmp_path: Path, tool: Path | None) -> None:
    folder = write(tmp_path / "take", files_of(*honest(actuation)))
    result = audit_take(folder)
    assert result.honest, result.faults
    assert result.residual_root_force_max_N < 1e-3
    assert result.residual_torque_max_Nm < 1e-3
    assert result.joint_error_cm == pytest.approx(3.0, abs=1e-6)
    assert result.joint_error_root_aligned_cm == pytest.approx(0.0, abs=1e-6)
    if tool is not None:
        theirs = verdict_of_tool(tool, folder)
        assert theirs["honest"]
        ours = {name: value for name, value in asdict(result).items() if name != "faults" and value is not None}
        assert set(theirs) == set(ours) | {"faults"}
        for name, value in ours.items():
            assert theirs[name] == pytest.approx(value, rel=1e-6, abs=1e-12), name


def hidden_lift() -> Files:
    """Two newtons on the pelvis that nobody declares: the torques are honest, the motion is not."""
    model = adult_model()
    span = np.array([[0, 1000]])
    lift = Wrenches(span=span, bodies=np.array([1]), wrench=np.array([[0.0, 0.0, 2.0, 0.0, 0.0, 0.0]]))
    trace = simulate(model, Wave(gain=0.2), standing(model, speed=0.4), steps=60, external=lift)
    files = files_of(model, trace)
    del files["motion"]["external"]  # type: ignore[attr-defined]
    return files


def undeclared_push() -> Files:
    model = adult_model()
    push = Wrenches(span=np.array([[5, 9]]), bodies=np.array([1]), wrench=np.array([[50.0, 0, 0, 0, 0, 0]]))
    return files_of(model, simulate(model, Wave(gain=0.2), standing(model), steps=30, external=push))


def edited_frame() -> Files:
    files = files_of(*honest())
    qpos = files["motion"]["qpos"].copy()  # type: ignore[index]
    qpos[30, 2] += 0.001
    files["motion"]["qpos"] = qpos  # type: ignore[index]
    return files


def edited_velocity() -> Files:
    files = files_of(*honest())
    qvel = files["motion"]["qvel"].copy()  # type: ignore[index]
    qvel[31, 8] += 0.05
    files["motion"]["qvel"] = qvel  # type: ignore[index]
    return files


def lowered_gravity() -> Files:
    model = adult_model()
    model.mj.opt.gravity[2] = -9.0
    trace = simulate(model, Wave(gain=0.2), standing(model), steps=40)
    files = files_of(model, trace)
    files["model.xml"] = re.sub(r"<option ", '<option gravity="0 0 -9" ', str(files["model.xml"]), count=1)
    return files


def hidden_gravity() -> Files:
    """Simulated with less gravity than the model in the take has."""
    model = adult_model()
    model.mj.opt.gravity[2] = -9.7
    return files_of(model, simulate(model, Wave(gain=0.2), standing(model), steps=40))


def weld() -> Files:
    model, trace = honest()
    files = files_of(model, trace)
    tie = '<equality><weld body1="pelvis" body2="world"/></equality></mujoco>'
    files["model.xml"] = str(files["model.xml"]).replace("</mujoco>", tie)
    return files


def torque_on_root() -> Files:
    model, trace = honest()
    files = files_of(model, trace)
    torque = files["motion"]["torque"].copy()  # type: ignore[index]
    torque[:, 4] = 1e-3
    files["motion"]["torque"] = torque  # type: ignore[index]
    return files


def not_a_number() -> Files:
    files = files_of(*honest())
    com = files["motion"]["com"].copy()  # type: ignore[index]
    com[3, 0] = np.nan
    files["motion"]["com"] = com  # type: ignore[index]
    return files


def skipped_time() -> Files:
    files = files_of(*honest())
    files["motion"]["time"] = files["motion"]["time"] * 1.5  # type: ignore[index]
    return files


@pytest.mark.parametrize(
    ("cheat", "says"),
    [
        (hidden_lift, "unexplained"),
        (undeclared_push, "does not declare"),
        (edited_frame, "unexplained"),
        (edited_velocity, "unexplained"),
        (lowered_gravity, "gravity is"),
        (hidden_gravity, "unexplained"),
        (weld, "ties a body to the world"),
        (torque_on_root, "free joint"),
        (not_a_number, "non-finite"),
        (skipped_time, "not the model's steps"),
    ],
)
def test_every_cheat_is_rejected_by_both(
    cheat: Callable[[], Files], says: str, tmp_path: Path, tool: Path | None
) -> None:
    folder = write(tmp_path / "take", cheat())
    result = audit_take(folder)
    assert not result.honest
    assert any(says in fault for fault in result.faults), result.faults
    if tool is not None:
        assert not verdict_of_tool(tool, folder)["honest"]


def test_a_declared_push_is_honest(tmp_path: Path, tool: Path | None) -> None:
    files = undeclared_push()
    files["take.json"] = {"pushes": [{"newtons": 50}]}
    folder = write(tmp_path / "take", files)
    assert audit_take(folder).honest
    if tool is not None:
        assert verdict_of_tool(tool, folder)["honest"]


def test_what_is_not_a_take_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"model\.xml: missing"):
        audit_take(tmp_path)
    files = files_of(*honest())
    folder = write(tmp_path / "take", files)
    (folder / "motion.npz").write_bytes(b"PK broken")
    with pytest.raises(InputError, match=r"motion\.npz: not a readable"):
        audit_take(folder)
    files["motion"]["qpos"] = files["motion"]["qpos"][:, :-1]  # type: ignore[index]
    with pytest.raises(InputError, match="'qpos' has shape"):
        audit_take(write(folder, files))
    (folder / "model.xml").write_text("<mujoco><oops/></mujoco>")
    with pytest.raises(InputError, match="cannot be compiled"):
        audit_take(folder)
