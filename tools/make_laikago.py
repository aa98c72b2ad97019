"""The walk of the robot Laikago inside the package pybullet 3.2.7 as joint angles of the body "laikago".

    pip download pybullet==3.2.7 --no-deps
    python tools/make_laikago.py pybullet-3.2.7-*.whl

writes src/reenact/samples/laikago_walk.csv; tools/make_samples.py lists it. Angles map one to one: the package counts
from a bent leg, we from a straight one.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path

import numpy as np

from reenact.body.load import load_body
from reenact.formats.csv_table import write_csv
from reenact.formats.samples import FOLDER
from reenact.geometry import rotation
from reenact.motion.clip import Table
from reenact.motion.keyframes import motion_on
from reenact.motion.resample import resample
from reenact.motion.skeleton_of import joint_table

INSIDE = "pybullet_data/data/motions/laikago_walk.txt"
LEGS = ("front_right", "front_left", "rear_right", "rear_left")
HIP_OFFSET, KNEE_OFFSET = -0.7, 0.7  # pybullet_envs/deep_mimic/env/testLaikago.py: file angle + offset = URDF angle
THIGH_SLOPE = float(np.arctan2(0.1422, 0.20833))  # of the URDF's thigh and shank at zero, backward from straight down
SHANK_SLOPE = float(np.arctan2(0.022, 0.25))
TO_OURS = np.array(
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
)  # forward, left, up in the file's y-up body axes
RATE = 60.0
FLOOR = -0.005  # [m] where the toes stand


def poses(frames: np.ndarray) -> np.ndarray:
    """Poses (T, 19) of the body from rows of the file: duration, position, quaternion xyzw, twelve angles."""
    body = load_body("laikago")
    out = np.zeros((len(frames), 7 + len(body.axes)))
    out[:, :3] = frames[:, 1:4] - [0.0, 0.0, FLOOR]
    turn = rotation.to_matrix(rotation.normalize(frames[:, [7, 4, 5, 6]])) @ TO_OURS
    out[:, 3:7] = rotation.unroll(rotation.from_matrix(turn))
    for i, leg in enumerate(LEGS):
        abduction, hip, knee = frames[:, 8 + 3 * i : 11 + 3 * i].T
        thigh = hip + HIP_OFFSET + THIGH_SLOPE  # backward
        shank = hip + knee + HIP_OFFSET + KNEE_OFFSET + SHANK_SLOPE
        out[:, 7 + body.axis_index(f"hip_{leg}_abduction")] = abduction if "left" in leg else -abduction
        out[:, 7 + body.axis_index(f"hip_{leg}_flexion")] = -thigh
        out[:, 7 + body.axis_index(f"knee_{leg}_flexion")] = thigh - shank
    return out


def walk(wheel: Path) -> Table:
    with zipfile.ZipFile(wheel) as archive:
        frames = np.array(json.loads(archive.read(INSIDE))["Frames"])
    motion = motion_on(load_body("laikago"), poses(frames), 1.0 / frames[0, 0], "laikago_walk")
    even = resample(motion, RATE)
    table = joint_table(even.body, even.qpos, even.rate, even.name)
    return Table(name=table.name, time=table.time.round(6), columns=table.columns, values=table.values.round(5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="the downloaded pybullet 3.2.7 wheel")
    write_csv(FOLDER / "laikago_walk.csv", walk(parser.parse_args().wheel))


if __name__ == "__main__":
    main()
