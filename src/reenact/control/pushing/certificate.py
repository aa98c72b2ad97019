"""A push test in plain words: what was done, what held, how sure that is, and what it does not say."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any, Final

from reenact.control.pushing.trial import ANGLE_NOISE, RATE_NOISE

WIDTH: Final = 100


def certificate_of(record: Mapping[str, Any]) -> str:
    """A page of text for a person, from what push.json holds."""
    parts = [_title(record), _subject(record), _test(record), _results(record), _sure(record), _again(record)]
    return "\n\n".join(parts) + "\n"


def _title(record: Mapping[str, Any]) -> str:
    state = "" if record["finished"] else "\nUNFINISHED: the test was stopped; the figures below are what it had found."
    line = f"How hard '{record['take']}' may be pushed"
    return f"{line}\n{'=' * len(line)}{state}"


def _subject(record: Mapping[str, Any]) -> str:
    body, unpushed, controller = record["body"], record["unpushed"], record["controller"]
    does = "stands" if not unpushed["walks"] else f"walks at {unpushed['speed_m_s']:.2f} m/s"
    if unpushed["walks"] and unpushed["cycle_s"]:
        does += f" with a gait cycle of {unpushed['cycle_s']:.2f} s"
    share = "its own torque limits" if record["torque"] == 1 else f"{100 * record['torque']:g} % of its torque limits"
    size = f"{body['mass_kg']:.1f} kg, {body['stature_m']:.2f} m"
    return _wrap(
        f"A '{controller['kind']}' controller on '{body['name']}' ({size}) in '{record['world']}', with {share}. "
        f"Left alone it {does} and turns by {abs(unpushed['turned_deg']):.0f}° in {record['protocol']['seconds']:g} s."
    )


def _test(record: Mapping[str, Any]) -> str:
    plan, walks = record["protocol"], record["unpushed"]["walks"]
    turn = (
        "Each push comes from that side of the body as it faces at that moment."
        if plan["follow"]
        else "Sides refer to where the unpushed body faces before the first push, and stay fixed in the world."
    )
    going = (
        " and still goes on its way, at a third of its unpushed speed or more since the first push and over the last "
        f"{plan['every']:g} s"
        if walks
        else ""
    )
    sank = "" if record["fall"]["height_m"] is None else ", its root never sank to six tenths of its height"
    return _wrap(
        f"The test, after Vondrak et al. 2012, section 6.1: a force at the centre of mass of the {plan['segment']} for "
        f"{plan['duration']:g} s once every {plan['every']:g} s, the first after {plan['every']:g} s. It is passed if "
        f"after {plan['seconds']:g} s the body has not fallen (nothing but its feet ever bore load{sank}){going}. "
        f"{turn} A force counts only if it passed at {_phases(plan)} of the gait cycle and no lower force that was "
        f"tried failed at any; forces are whole multiples of {plan['resolution']:g} N."
    )


def _results(record: Mapping[str, Any]) -> str:
    lines = [f"{'pushed from':14}{'greatest force':>16}{'impulse':>12}{'per kg':>14}   by phase          random trials"]
    for side in record["directions"]:
        phases, drawn = side["by_phase_N"], side["drawn"]
        spread = f"{min(phases):.0f}–{max(phases):.0f} N"
        rate = f"{drawn['passed']} of {drawn['run']}" if drawn["run"] else "none"
        if drawn["run"]:
            rate += f" ({100 * drawn['low']:.0f}–{100 * drawn['high']:.0f} %)"
        end = "" if side["finished"] else "  unfinished"
        lines.append(
            f"{side['name']:14}{side['newtons']:14.0f} N{side['impulse_Ns']:8.1f} N·s"
            f"{side['impulse_Ns_per_kg']:8.2f} N·s/kg   {spread:18}{rate}{end}"
        )
    return "\n".join(lines)


def _sure(record: Mapping[str, Any]) -> str:
    plan, sides = record["protocol"], record["directions"]
    paper = [side for side in sides if side["paper_N"] is not None]
    beside = "; ".join(f"{side['name']} {side['newtons']:.0f} against {side['paper_N']:.0f} N" for side in paper)
    words = (
        f"{record['trials']} trials were run. Simulation is exact and repeatable, so at {_phases(plan)} every trial "
        "with the force that was found passes again."
    )
    if plan["draws"]:
        words += (
            " The random trials say how far that carries: each has the same force at a phase drawn at random and from "
            f"a start disturbed in every joint (standard deviation {math.degrees(ANGLE_NOISE):.1f}° and "
            f"{math.degrees(RATE_NOISE):.0f}°/s); the interval is Wilson's, 95 %."
        )
    words += " Forces between those tried may fail: survival is not monotone in force."
    if paper:
        words += f" The paper's walker, on another body and engine: {beside}."
    return _wrap(words)


def _again(record: Mapping[str, Any]) -> str:
    plan, versions = record["protocol"], record["versions"]
    made = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        f"Again:       {record['command']}\n"
        f"Seeds:       {record['controller']['seed']} of the capture, {plan['seed']} of the random trials\n"
        f"Controller:  sha256 {record['controller']['sha256']}\n"
        f"Made with:   {made}"
    )


def _phases(plan: Mapping[str, Any]) -> str:
    return "one phase" if plan["phases"] == 1 else f"each of {plan['phases']} phases"


def _wrap(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False)
