"""The report's section of torques: how much of what it may use each joint uses."""

from __future__ import annotations

from html import escape
from typing import Final

import numpy as np

from reenact.control.machine.limbs import side_of, unsided
from reenact.view.curves import Curves, Plot, readable

FULL: Final = 0.995  # of its bound: a torque that counts as being at it


def torque_section(curves: Curves) -> str:
    """A bar per hinge that the page's script fills, left and right below each other; nothing without bounds."""
    rows: dict[str, list[str]] = {}
    for number, group in enumerate(curves.groups):
        plot = next((plot for plot in group.plots if plot.bound is not None), None)
        if plot is not None:
            key = group.name.lower().replace(" ", "_")
            rows.setdefault(unsided(key), []).append(_bar(number, group.name, side_of(key) or "take", plot))
    if not rows:
        return ""
    cells = "".join(
        f"<div class='joint'><b>{escape(readable(name))}</b><div>{''.join(bars)}</div></div>"
        for name, bars in rows.items()
    )
    return (
        "<section class='torques card' id='torques'><h2>Torques against their bounds</h2>"
        f"<div class='bars'>{cells}</div><p>A bar shows the present torque as a share of what the joint may use, the "
        "pale stretch what it used in all. It turns red at the bound. Click a bar for its curve.</p></section>"
    )


def _bar(number: int, name: str, style: str, plot: Plot) -> str:
    assert plot.bound is not None
    values = plot.curves[0].values
    known = values[np.isfinite(values)]
    share = known / plot.bound if len(known) else np.zeros(1)
    low, high = (float(np.clip(x, -1.0, 1.0)) for x in (min(share.min(), 0.0), max(share.max(), 0.0)))
    most, at_bound = float(np.abs(share).max()), float(np.mean(np.abs(share) >= FULL))
    told = f"{name}: at most {100 * most:.0f} % of {plot.bound:.4g} N·m"
    told += f", at its bound {100 * at_bound:.0f} % of the time" if at_bound > 0.0 else ""
    range_ = f"left:{50 + 50 * low:.1f}%;width:{50 * (high - low):.1f}%"
    return (
        f"<button class='bar' data-group='{number}' title='{escape(told)}' style='--side:var(--{style})'>"
        f"<span><u style='{range_}'></u><i></i></span><output></output></button>"
    )
