"""Plots on the browser page: the curves of one group with a line at the current time."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import viser
from numpy.typing import NDArray
from viser import uplot

from reenact.view.curves import Curves, Plot
from reenact.view.scene import Scene

Array = NDArray[np.float64]

MAX_SAMPLES: Final = 500  # of a plotted curve: all of them are sent with every move of the cursor
MAX_PLOTS: Final = 2
COLOURS: Final = {
    "take": "#2c6cb4",
    "reference": "#3f9c84",
    "target": "#c2497f",
    "left": "#4a83c4",
    "right": "#cf7438",
    "total": "#69727d",
}
CURSOR: Final = "#d6354a"


class PlotPanel:
    """Charts of one group of one scene."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self._charts: list[tuple[viser.GuiUplotHandle, Array, list[Array], tuple[float, float]]] = []

    def choose(self, scene: Scene, group: str, order: float) -> None:
        """Show another group's plots in place of the present ones; `order` is their place among the controls."""
        for handle, *_ in self._charts:
            handle.remove()
        self._charts = []
        curves = scene.curves
        for i, plot in enumerate(curves.group(group).plots[:MAX_PLOTS]):
            self._charts.append(self._chart(curves, plot, order + 0.1 * i))

    def move(self, time: float) -> None:
        """Put the line at `time` [s] since the first frame."""
        for handle, x, lines, span in self._charts:
            handle.data = with_cursor(x, lines, span, time)

    def _chart(
        self, curves: Curves, plot: Plot, order: float
    ) -> tuple[viser.GuiUplotHandle, Array, list[Array], tuple[float, float]]:
        stride = max(1, -(-len(curves.time) // MAX_SAMPLES))
        x = curves.time[::stride] - curves.time[0]
        lines = [curve.values[::stride] for curve in plot.curves]
        low, high = span_of(lines, plot.unit)
        series: list[Any] = [uplot.Series(label="time [s]")]
        for curve in plot.curves:
            dash = {"dash": (6, 4)} if curve.style == "reference" else {}
            series.append({"label": curve.label, "stroke": COLOURS[curve.style], "width": 2, **dash})
        series.append({"label": "now", "stroke": CURSOR, "width": 1.5, "points": {"show": False}})
        handle = self._server.gui.add_uplot(
            with_cursor(x, lines, (low, high), 0.0),
            tuple(series),
            title=f"{plot.title} [{plot.unit}]",
            scales={
                "x": uplot.Scale(time=False, auto=False, range=(0.0, max(float(x[-1]), 1e-3))),
                "y": uplot.Scale(auto=False, range=(low, high)),
            },
            legend=uplot.Legend(show=len(plot.curves) > 1),
            aspect=1.7,
            order=order,
        )
        return handle, x, lines, (low, high)


def span_of(lines: list[Array], unit: str) -> tuple[float, float]:
    """The range of all curves with a little room, never narrower than what can be read."""
    known = np.concatenate([line[np.isfinite(line)] for line in lines])
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    least = {"°": 10.0, "N·m": 10.0, "N": 100.0, "m": 0.2, "m/s": 0.5}.get(unit, 1e-6)
    half = 1.08 * max(0.5 * (high - low), 0.5 * least)
    return 0.5 * (low + high) - half, 0.5 * (low + high) + half


def with_cursor(x: Array, lines: list[Array], span: tuple[float, float], time: float) -> tuple[Array, ...]:
    """Plot data with an upright line at `time`: two more samples there, which only the last curve joins."""
    at = int(np.searchsorted(x, time))
    now = float(np.clip(time, x[0], x[-1]))
    moved = np.insert(x, at, [now, now])
    kept = [np.insert(line, at, 2 * [float(np.interp(now, x, line))]) for line in lines]
    cursor = np.full(len(moved), np.nan)
    cursor[at : at + 2] = span
    return (moved, *kept, cursor)
