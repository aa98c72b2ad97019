"""An adult on level ground and a controller that leans on every sense, for tests of the loop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from reenact.body.adult import adult
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control
from reenact.physics.model import Model, compile_model
from reenact.physics.state import State
from reenact.world.world import World


def adult_model(actuation: str = "motor", **options: Any) -> Model:
    """An adult on level ground."""
    return compile_model(adult(), World(), actuation=actuation, **options)  # type: ignore[arg-type]


def standing(model: Model, *, lift: float = 0.0, speed: float = 0.0) -> State:
    """The rest pose, `lift` [m] above the ground, moving forward at `speed` [m/s] with joints astir."""
    qpos, qvel = model.mj.qpos0.copy(), np.zeros(model.mj.nv)
    qpos[2] += lift
    qvel[0] = speed
    qvel[model.hinge_dof] = speed * np.sin(np.arange(model.hinges))
    return State(qpos=qpos, qvel=qvel)


@control
def wave(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """Swing all joints, leaning on every sense and on memory, so that a wrong one changes the motion."""
    hinges = int(sense[part.HINGES])
    segments = int(sense[part.SEGMENTS])
    angles, rates, loads = part.angles(sense), part.rates(sense), part.loads(sense)
    borne = 0.0
    for i in range(segments):
        borne += sense[loads + i]
    memory[0] += 1.0
    memory[1] = 0.9 * memory[1] + 0.1 * sense[part.COM_VELOCITY]
    lean = 0.3 * (sense[part.COM] - sense[part.COP]) + 0.05 * memory[1] + 0.01 * sense[part.HEADING]
    lean += 1e-5 * (borne + sense[part.SUPPORT]) + 0.01 * sense[part.SPIN + 1] + 0.02 * sense[part.POSITION + 2]
    lean += 0.01 * sense[part.positions(sense) + 5] + 0.01 * sense[part.rotations(sense) + 9 * (segments - 1) + 2]
    for i in range(hinges):
        swing = params[0] * math.sin(6.0 * sense[part.TIME] + 0.5 * i) + 1e-3 * memory[0]
        target[ANGLE * hinges + i] = swing + lean + 0.01 * sense[angles + i]
        target[RATE * hinges + i] = 0.02 * sense[rates + i]
        target[GAIN * hinges + i] = table[0]
        target[STRENGTH * hinges + i] = table[1]


@dataclass(frozen=True)
class Wave:
    """The controller above."""

    gain: float = 0.15
    swing: float = 0.3
    strength: float = 1.0

    def compile(self, model: Model) -> Program:
        return Program(
            function=wave, table=np.array([self.gain, self.strength]), params=np.array([self.swing]), memory=2
        )

    def to_json(self) -> dict[str, Any]:
        return {"kind": "wave"}
