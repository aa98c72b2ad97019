"""No control at all: every joint goes limp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reenact.errors import InputError
from reenact.physics import sense as part
from reenact.physics.controller import GAIN, STRENGTH, Program, control
from reenact.physics.model import Model


@control
def _limp(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges = int(sense[part.HINGES])
    for i in range(hinges):
        target[GAIN * hinges + i] = 0.0
        target[STRENGTH * hinges + i] = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ragdoll:
    """A body without torques: motors at zero strength, or a model without actuation."""

    def compile(self, model: Model) -> Program:
        """The program for this model."""
        if model.actuation == "servo":
            raise InputError("a ragdoll has no servos: compile the model with actuation 'none' or 'motor'")
        return Program(function=_limp)

    def to_json(self) -> dict[str, Any]:
        """A readable description."""
        return {"kind": "ragdoll"}

    @staticmethod
    def from_json(description: dict[str, Any]) -> Ragdoll:
        """The controller behind a description."""
        return Ragdoll()
