"""Controllers in a few words: what kind, how long, how strong."""

from __future__ import annotations

from typing import Any

import numpy as np

from reenact.control.displaced import Displaced
from reenact.control.machine.machine import Machine
from reenact.control.machine.notation import notation, structure_of
from reenact.control.ragdoll import Ragdoll
from reenact.control.track import Track
from reenact.geometry.rotation import Array
from reenact.physics.controller import Controller

MOST = 6  # joints that are named


def summary_of(controller: Controller) -> dict[str, Any]:
    """Names and values to print; names carry no unit, values do."""
    match controller:
        case Machine():
            return _machine(controller)
        case Displaced():
            return _displaced(controller)
        case Track():
            return {"kind": "track: follows a motion open loop, without balance", **_track(controller)}
        case Ragdoll():
            return {"kind": "ragdoll: no torques at all"}
    return {"kind": str(controller.to_json()["kind"])}


def _machine(machine: Machine) -> dict[str, Any]:
    found = structure_of(machine)
    return {
        "kind": f"state machine of {len(machine.states)} states, {found.kind}",
        "structure": notation(machine),
        "axes": str(len(machine.axes)),
    }


def _track(track: Track) -> dict[str, Any]:
    spans = np.rad2deg(np.ptp(track.angles, axis=0))
    driven = f"motors, α {track.alpha:g}" if track.actuation == "motor" else "servos"
    return {
        "length": f"{(len(track.angles) - 1) * track.timestep:.3f} s, {len(track.angles)} poses",
        "driven by": f"{driven}, steps of {1000 * track.timestep:.3f} ms",
        "axes": str(len(track.axes)),
        "moves most": _greatest(track.axes, spans, "°"),
    }


def _displaced(given: Displaced) -> dict[str, Any]:
    ends = np.array([0, *given.ends]) * given.track.timestep
    size = np.rad2deg(np.abs(given.displacement))
    return {
        "kind": "displaced: follows a motion whose targets sampling has shifted, without feedback",
        **_track(given.track),
        "sampling steps": f"{len(given.ends)} of {np.diff(ends).min():.3f} to {np.diff(ends).max():.3f} s",
        "displacement": f"{size.mean():.1f}° on average, {size.max():.1f}° at most",
        "displaced most": _greatest(given.track.axes, np.sqrt(np.mean(size**2, axis=0)), "°"),
    }


def _greatest(names: tuple[str, ...], values: Array, unit: str) -> str:
    order = np.argsort(-values, kind="stable")[:MOST]
    return ", ".join(f"{names[i].replace('_', ' ')} {values[i]:.0f}{unit}" for i in order)
