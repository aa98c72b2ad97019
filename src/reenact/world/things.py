"""Things thrown or rolled at the body: they rest until their time and are then pushed, openly, for a moment.

Nothing is hidden: a thing starts on the ground or on a tee of its own, and the force that launches it is an external
force like any push, declared in the take.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from reenact.geometry.rotation import IDENTITY, Array, between
from reenact.world.parts import Ground, Point2, Point3
from reenact.world.plane import plane_height, plane_normal
from reenact.world.solids import PostSolid
from reenact.world.surface import Surface, check_surface
from reenact.world.values import BadValueError, above_zero, all_above_zero, finite_point, one_of, within

GRAVITY: Final = 9.81  # [m/s²]
UP: Final = np.array([0.0, 0.0, 1.0])
LEAST_LIFT: Final = 1.0  # upward acceleration of a launch [m/s²], so that a thing leaves its tee and does not scrape it
LONGEST_FLIGHT: Final = 5.0  # [s]
LEAST_TEE: Final = 0.01  # [m]; a rough ground would hold back what is launched from it
NEAREST: Final = 0.2  # from start to target [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """What every thing has."""

    name: str = ""
    mass: float = 0.43  # [kg]
    radius: float = 0.11  # [m]
    start: float = 1.0  # of the push [s]
    friction: float = 0.8  # against the body; the ground decides its own

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        above_zero("mass", self.mass, 500.0, "kg")
        above_zero("radius", self.radius, 2.0, "m")
        within("start", self.start, 0.0, 3600.0, "s")
        check_surface(self.friction, None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown(Thing):
    """A thing that flies from `origin` to `target`, pushed for `duration` and free from then on."""

    shape: Literal["ball", "box"] = "ball"
    size: Point3 = (0.2, 0.2, 0.2)  # of a box
    origin: Point3  # of its centre at rest
    target: Point3  # what its centre passes through
    duration: float = 0.1  # of the push [s]
    flight: float | None = None  # [s] from the end of the push to the target; 0.5 where no speed is given
    speed: float | None = None  # [m/s] at the end of the push, by the flatter of the two ways

    def __post_init__(self) -> None:
        """Refuse values out of range and throws that cannot be."""
        Thing.__post_init__(self)
        one_of("shape", self.shape, ("ball", "box"))
        all_above_zero("size", self.size, 5.0, "m")
        finite_point("from", self.origin)
        finite_point("to", self.target)
        within("duration", self.duration, 0.02, 2.0, "s")
        if self.flight is not None and self.speed is not None:
            raise BadValueError("speed", self.speed, "either speed or flight, not both")
        if self.flight is not None:
            within("flight", self.flight, 0.05, LONGEST_FLIGHT, "s")
        if self.speed is not None:
            above_zero("speed", self.speed, 100.0, "m/s")
        if math.dist(self.origin, self.target) < NEAREST:
            raise BadValueError("to", list(self.target), f"a point at least {NEAREST:g} m from where it starts")
        lift = throw_acceleration(self, flight_time(self), 0.0)[2]
        if lift < LEAST_LIFT:
            raise BadValueError("from", list(self.origin), f"a lower start or a longer flight: {_why_not_down(self)}")

    @property
    def half_height(self) -> float:
        """From its centre to its lowest point [m]."""
        return self.radius if self.shape == "ball" else 0.5 * self.size[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Thing):
    """A ball or a lying barrel on the ground at `origin` that is pushed towards `target` and rolls without slipping."""

    shape: Literal["ball", "barrel"] = "ball"
    length: float = 0.6  # of a barrel, across its way
    origin: Point2
    target: Point2
    speed: float = 3.0  # [m/s] at the end of the push
    duration: float = 0.3  # of the push [s]

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Thing.__post_init__(self)
        one_of("shape", self.shape, ("ball", "barrel"))
        above_zero("length", self.length, 10.0, "m")
        finite_point("from", self.origin)
        finite_point("to", self.target)
        above_zero("speed", self.speed, 50.0, "m/s")
        within("duration", self.duration, 0.02, 5.0, "s")
        if math.dist(self.origin, self.target) < NEAREST:
            raise BadValueError("to", list(self.target), f"a point at least {NEAREST:g} m from where it starts")

    @property
    def spin_share(self) -> float:
        """Inertia about its rolling axis over m·r²: 2/5 of a ball, 1/2 of a barrel."""
        return 0.4 if self.shape == "ball" else 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Where a thing waits for its launch."""

    position: Array  # (3,) of its centre [m]
    orientation: Array  # (4,); a barrel lies along its own z
    normal: Array  # (3,) of the ground below
    tee: PostSolid | None


def rest_of(thing: Thing, ground: Ground, height: Callable[[float, float], float]) -> Rest:
    """Where a thing starts, given the `height` of the fixed ground; refuses a start from which it would not wait."""
    if isinstance(thing, Thrown):
        return _rest_thrown(thing, height(thing.origin[0], thing.origin[1]))
    if isinstance(thing, Rolled):
        return _rest_rolled(thing, ground, height(*thing.origin))
    raise TypeError(f"no such thing: {type(thing).__name__}")


def launch_of(thing: Thing, rest: Rest, timestep: float) -> tuple[float, Array, Array]:
    """Duration [s], force (3,) [N] and torque (3,) [N·m] in the world, at the centre of mass, that launch a thing.

    The duration is a whole number of steps, and the force makes up for the first-order error of MuJoCo's velocity-first
    integration, so that the simulated centre passes through the target at every timestep.
    """
    if isinstance(thing, Thrown):
        steps = max(1, round(thing.duration / timestep))
        acceleration = throw_acceleration(thing, flight_time(thing), timestep)
        return steps * timestep, thing.mass * (acceleration + np.array([0.0, 0.0, GRAVITY])), np.zeros(3)
    if isinstance(thing, Rolled):
        steps = max(1, round(thing.duration / timestep))
        force = thing.mass * thing.speed / (steps * timestep) * _way(thing, rest.normal)
        # The push meets the thing spin_share · r above its centre: there it turns as fast as it moves, on ice too.
        return steps * timestep, force, thing.spin_share * thing.radius * np.cross(rest.normal, force)
    raise TypeError(f"no such thing: {type(thing).__name__}")


def throw_acceleration(thing: Thrown, flight: float, timestep: float) -> Array:
    """Constant acceleration (3,) [m/s²] over the push, gravity included, after which `flight` seconds hit the target.

    From rest, n steps of h at acceleration a and N = flight/h steps at gravity g move the centre by
    h²·(n(n+1)/2 + N·n)·a + h²·N(N+1)/2·g; with a timestep of 0, by the integrals (τ²/2 + T·τ)·a + T²/2·g.
    """
    distance = np.array(thing.target) - np.array(thing.origin)
    if timestep == 0.0:
        reach, fall = thing.duration * (0.5 * thing.duration + flight), 0.5 * flight**2
    else:
        n, N = max(1, round(thing.duration / timestep)), flight / timestep
        reach, fall = timestep**2 * (0.5 * n * (n + 1) + N * n), timestep**2 * 0.5 * N * (N + 1)
    return np.asarray((distance + np.array([0.0, 0.0, GRAVITY * fall])) / reach)


def flight_time(thing: Thrown) -> float:
    """Time from the end of the push to the target [s]; where a speed is given, of the flatter way."""
    if thing.speed is None:
        return 0.5 if thing.flight is None else thing.flight
    times = np.linspace(0.005, LONGEST_FLIGHT, 4000)
    speeds = np.array([_release_speed(thing, t) for t in times])
    slow = np.flatnonzero(speeds <= thing.speed)
    if len(slow) == 0:
        raise BadValueError("speed", thing.speed, f"at least {speeds.min():.3g} m/s to reach the target")
    if slow[0] == 0:
        return float(times[0])
    low, high = float(times[slow[0] - 1]), float(times[slow[0]])
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _release_speed(thing, middle) > thing.speed else (low, middle)
    return high


def _release_speed(thing: Thrown, flight: float) -> float:
    return thing.duration * float(np.linalg.norm(throw_acceleration(thing, flight, 0.0)))


def _why_not_down(thing: Thrown) -> str:
    flight = flight_time(thing)
    lift = LEAST_LIFT * thing.duration * (0.5 * thing.duration + flight)
    highest = thing.target[2] + 0.5 * GRAVITY * flight**2 - lift
    return (
        f"a thing leaves its tee upwards, and with a flight of {flight:.2g} s from z = {thing.origin[2]:g} it would be "
        f"pressed into it; the highest start for this target and flight is z = {highest:.3g} m"
    )


def _rest_thrown(thing: Thrown, ground_height: float) -> Rest:
    bottom = thing.origin[2] - thing.half_height
    gap = bottom - ground_height
    if gap < LEAST_TEE - 1e-9:
        least = ground_height + thing.half_height + LEAST_TEE
        raise BadValueError("from", list(thing.origin), f"z of at least {least:.3g} m, to clear the ground by its tee")
    reach = thing.radius if thing.shape == "ball" else 0.5 * min(thing.size[:2])
    tee = PostSolid(
        name=f"{thing.name}_tee",
        look="tee",
        surface=Surface(),
        centre=np.array([thing.origin[0], thing.origin[1], 0.5 * (bottom + ground_height)]),
        radius=min(0.03, 0.5 * reach),
        half_height=0.5 * gap,
        slippery=True,
    )
    position = np.array(thing.origin)
    return Rest(position=position, orientation=IDENTITY, normal=UP, tee=tee)


def _rest_rolled(thing: Rolled, ground: Ground, ground_height: float) -> Rest:
    on_plane = ground_height <= float(plane_height(ground, *thing.origin))
    if on_plane and ground.slope_deg > 0.0 and thing.start > 0.0:
        raise BadValueError("start", thing.start, "0 on sloping ground, where nothing round waits for its push")
    normal = plane_normal(ground) if on_plane else UP
    position = np.array([*thing.origin, ground_height]) + thing.radius * normal
    across = np.cross(normal, _way(thing, normal))
    return Rest(
        position=position,
        orientation=IDENTITY if thing.shape == "ball" else between(UP, across),
        normal=normal,
        tee=None,
    )


def _way(thing: Rolled, normal: Array) -> Array:
    """Unit vector along the ground from start to target, (3,)."""
    (x0, y0), (x1, y1) = thing.origin, thing.target
    level = np.array([x1 - x0, y1 - y0, 0.0])
    level[2] = -(level @ normal) / normal[2]  # in the plane, above the straight line on the floor plan
    return np.asarray(level / np.linalg.norm(level))
