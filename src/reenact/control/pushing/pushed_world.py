"""A trial as a world file, so that it can be replayed, looked at and audited like any take."""

from __future__ import annotations

import re
from dataclasses import replace

from reenact.control.pushing.findings import Findings, Limit
from reenact.world.toml import dump_world
from reenact.world.world import World


def pushed_world(findings: Findings, limit: Limit) -> World | None:
    """The subject's world with the pushes of the greatest force at the first phase; None where that is no force.

    A test that follows the body has no such world: its pushes are fixed only as they come.
    """
    protocol, base = findings.protocol, findings.base
    starts = protocol.starts(protocol.delays(base.cycle)[0])
    if limit.newtons == 0.0 or protocol.follow:
        return None
    push = limit.direction.push(
        limit.newtons, base.heading, protocol.segment, duration=protocol.duration, name=f"from_{_slug(limit)}"
    )
    push = replace(push, start=starts[0])
    if len(starts) > 1:
        push = replace(push, every=protocol.every, until=starts[-1] + 0.5 * protocol.every)
    about = f"Pushed from the {limit.direction.name} with {limit.newtons:g} N."
    return replace(findings.subject.model.world, name=f"pushed-{_slug(limit)}", about=about, pushes=(push,), source="")


def world_files(findings: Findings) -> dict[str, str]:
    """World files by name, e.g. "pushed-front.toml"."""
    worlds = (pushed_world(findings, limit) for limit in findings.limits)
    return {f"{world.name}.toml": dump_world(world) for world in worlds if world is not None}


def _slug(limit: Limit) -> str:
    words = limit.direction.name.replace("°", "deg").replace(" ", "-")
    return re.sub(r"[^A-Za-z0-9.-]", "", words)
