"""Which of a take's curves the browser page of takes plots."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import viser

from reenact.view.playback import Playback
from reenact.view.plot_panel import PlotPanel
from reenact.view.scene import Scene


class PlotChoice:
    """A folder with plots and what chooses among takes and curves."""

    def __init__(
        self,
        server: viser.ViserServer,
        scenes: Sequence[Scene],
        playback: Playback,
        lock: AbstractContextManager[Any],
        *,
        joint: bool,
    ) -> None:
        """joint: begin with a knee, where there is one; else with what comes first."""
        self._scenes, self._playback, self._lock = scenes, playback, lock
        gui = server.gui
        self._folder = gui.add_folder("Plots")
        with self._folder:
            names = tuple(f"{i + 1}. {scene.name}" for i, scene in enumerate(scenes))
            self._take = gui.add_dropdown("Take", names, initial_value=names[0], visible=len(names) > 1)
            groups = tuple(group.name for group in scenes[0].curves.groups)
            knee = next((name for name in groups if "knee" in name.lower()), groups[0])
            self._group = gui.add_dropdown("Curve", groups, initial_value=knee if joint else groups[0])
            self._plots = PlotPanel(server)
        self._take.on_update(lambda _: self._choose_take())
        self._group.on_update(lambda _: self._choose())
        self._choose()

    def move(self, now: float) -> None:
        """Move the plots' cursors."""
        self._plots.move(now)

    def _choose_take(self) -> None:
        groups = tuple(group.name for group in self._scene().curves.groups)
        kept = self._group.value if self._group.value in groups else groups[0]
        self._group.options = groups
        if self._group.value != kept:
            self._group.value = kept  # type: ignore[misc]  # viser has it read-only by mistake
        self._choose()

    def _scene(self) -> Scene:
        return self._scenes[int(self._take.value.split(".", 1)[0]) - 1]

    def _choose(self) -> None:
        with self._lock, self._folder:
            self._plots.choose(self._scene(), self._group.value, order=1e6)
            self._plots.move(self._playback.time)
