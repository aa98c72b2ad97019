"""The browser page of takes: controls, keys and a thread that plays; several takes stand side by side."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import viser

from reenact.view.actor import Actor, Shown
from reenact.view.facts import sections_of, verdict_of
from reenact.view.floor_plan import floor_plan
from reenact.view.page_keys import add_keys
from reenact.view.page_text import plain, verdict_line
from reenact.view.playback import SPEEDS, Playback
from reenact.view.plot_choice import PlotChoice
from reenact.view.pressed import pressure_scale
from reenact.view.scene import Scene

if TYPE_CHECKING:
    from reenact.view.film_panel import FilmPanel

DRAW_RATE: Final = 40.0  # moves of the bodies a second while playing
PANEL_RATE: Final = 8.0  # moves of the slider and of the plots' cursors a second while playing
FIELD_OF_VIEW: Final = 0.65  # [rad]
SPEED_NAMES: Final = {f"{speed:g} ×": speed for speed in SPEEDS}
BUTTONS: Final = ("|‹", "‹", "play", "›", "›|")


class Page:
    """Scenes on a viser server that the caller owns; `close` ends the playing thread."""

    def __init__(self, server: viser.ViserServer, scenes: Sequence[Scene]) -> None:
        self.server = server
        self.scenes = tuple(scenes)
        self.playback = Playback(
            duration=max(scene.duration for scene in scenes), rate=max(scene.rate for scene in scenes)
        )
        self.shown = Shown()
        self._lock = threading.RLock()
        self._wake = threading.Event()
        self._ended = False
        self._set_stage()
        self._add_controls()
        self._add_keys()
        self.refresh()
        self._thread = threading.Thread(target=self._play, name="reenact-page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the playing thread."""
        self._ended = True
        self._wake.set()
        self._thread.join(timeout=5)

    def refresh(self, *, panel: bool = True) -> None:
        """Draw the present time; `panel` moves the slider and the plots' cursors too."""
        with self._lock:
            now = self.playback.time
            with self.server.atomic():
                for actor in self.actors:
                    actor.show(now, self.shown)
                self._stage.position = -self._centre(now) if self._follow.value else -self._centre(0.0)
            if panel:
                self._set(self._scrub, round(now, 3))
                clock = f"{now:.2f} of {self.playback.duration:.2f} s · frame {self.playback.frame}"
                self._clock.content = clock + "".join(_state_at(scene, now) for scene in self.scenes)
                self._plots.move(now)
            if self._film is not None:
                self._film.show(now)

    def _set_stage(self) -> None:
        """The takes under one node; following moves that node, so that the visitor's camera is never touched."""
        scene = self.server.scene
        scene.set_up_direction("+z")
        scene.world_axes.visible = False
        scene.configure_environment_map(hdri="warehouse", environment_intensity=0.4)
        scene.configure_default_lights(enabled=True, cast_shadow=True)
        self._stage = scene.add_frame("/stage", show_axes=False)
        plan = floor_plan(self.scenes)
        self._spacing = plan.spacing
        self.actors = [
            Actor(self.server, each, f"/stage/take{i}", plot)
            for i, (each, plot) in enumerate(zip(self.scenes, plan.plots, strict=True))
        ]
        wide = 1.0 + 0.25 * plan.spacing * (len(self.scenes) - 1)
        self._home = (np.array([2.6, -3.4, 1.5]) * wide, np.array([0.0, 0.0, 0.85]))
        self.server.initial_camera.position, self.server.initial_camera.look_at = self._home
        self.server.initial_camera.fov = FIELD_OF_VIEW

    def _centre(self, now: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The middle of all bodies on the ground, at a time."""
        offsets = self._offsets()
        return np.asarray(np.mean([a.centre(now) + o for a, o in zip(self.actors, offsets, strict=True)], axis=0))

    def _offsets(self) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
        aside = getattr(self, "_side_by_side", None)
        gap = self._spacing if aside is None or aside.value else 0.0
        return [np.array([0.0, gap * i, 0.0]) for i in range(len(self.scenes))]

    def _add_controls(self) -> None:
        gui = self.server.gui
        gui.configure_theme(control_width="large", show_logo=False, show_share_button=False, brand_color=(44, 108, 180))
        gui.set_panel_label("Reenact")
        gui.add_html("".join(verdict_line(scene.name, verdict_of(scene.facts)) for scene in self.scenes))
        self._film = self._add_film()
        self._clock = gui.add_markdown("")
        self._scrub = gui.add_slider("Time", 0.0, max(self.playback.duration, 1e-3), 0.001, 0.0)
        self._buttons = gui.add_button_group("Play", BUTTONS)
        self._speed = gui.add_dropdown("Speed", tuple(SPEED_NAMES), initial_value="1 ×")
        with gui.add_folder("Show"):
            self._follow = gui.add_checkbox("Follow", True)
            self._ghost = gui.add_checkbox("Reference", True)
            planned = any(scene.course is not None for scene in self.scenes)
            self._target = gui.add_checkbox("Target pose", False, visible=planned)
            self._balance = gui.add_checkbox("Balance vector", True, visible=planned)
            self._contacts = gui.add_checkbox("Forces", True)
            self._pressure = gui.add_checkbox("Pressure", False)
            self._scale = gui.add_html(pressure_scale(), visible=False)
            self._centres = gui.add_checkbox("Centres", True)
            self._sides = gui.add_checkbox("Left and right", False)
            self._opacity = gui.add_slider("Solidity", 0.1, 1.0, 0.05, 1.0)
            if len(self.scenes) > 1:
                self._side_by_side = gui.add_checkbox("Side by side", True)
                self._side_by_side.on_update(lambda _: self._lay_out())
        self._lay_out()
        self._plots = PlotChoice(self.server, self.scenes, self.playback, self._lock, joint=self._film is None)
        self._add_facts()
        self._listen()

    def _add_film(self) -> FilmPanel | None:
        """The videos of takes that were made from some; none for others, which need not wait for what draws them."""
        if all(scene.seen is None for scene in self.scenes):
            return None
        from reenact.view.film_panel import FilmPanel

        film = FilmPanel(self.server, self.scenes, lambda i: self._offsets()[i] + np.asarray(self._stage.position))

        def look(event: Any) -> None:
            self._set(self._follow, False)  # or the scene would move on under the camera
            self.refresh()
            for client in (event.client,) if event.client is not None else self.server.get_clients().values():
                film.look_through(client)

        film.through.on_click(look)
        return film

    def _add_facts(self) -> None:
        gui = self.server.gui
        for scene in self.scenes:
            verdict = verdict_of(scene.facts)
            with gui.add_folder(f"{scene.name}: {verdict.word.lower()}", expand_by_default=False):
                for section in sections_of(scene.facts):
                    rows = "\n".join(f"| {plain(row.label)} | {plain(row.value)} |" for row in section.rows)
                    gui.add_markdown(f"| {plain(section.title)} | |\n| --- | --- |\n{rows}")

    def _listen(self) -> None:
        moves: tuple[Callable[[], None], ...] = (
            lambda: self._seek(0.0),
            lambda: self._step(-1),
            self.toggle,
            lambda: self._step(1),
            lambda: self._seek(self.playback.duration),
        )
        actions = dict(zip(BUTTONS, moves, strict=True))
        self._buttons.on_click(lambda event: actions[event.target.value]())
        self._scrub.on_update(lambda event: self._seek(event.target.value) if event.client is not None else None)
        self._speed.on_update(lambda event: self._set_speed(SPEED_NAMES[event.target.value]))
        for handle, name in (
            (self._ghost, "ghost"),
            (self._target, "target"),
            (self._balance, "balance"),
            (self._contacts, "contacts"),
            (self._centres, "centres"),
        ):
            handle.on_update(partial(self._flag, name))
        self._pressure.on_update(self._set_pressure)
        self._follow.on_update(lambda _: self.refresh())
        self._sides.on_update(lambda event: self._each(lambda actor: actor.set_sides(event.target.value)))
        self._opacity.on_update(lambda event: self._each(lambda actor: actor.set_opacity(event.target.value)))

    def _add_keys(self) -> None:
        def flip(handle: Any) -> Callable[[], None]:
            return lambda: setattr(handle, "value", not handle.value)

        actions: tuple[Callable[[], None], ...] = (
            self.toggle,
            lambda: self._step(-1),
            lambda: self._step(1),
            lambda: self._seek(0.0),
            lambda: self._seek(self.playback.duration),
            lambda: self._faster(1),
            lambda: self._faster(-1),
            flip(self._follow),
            flip(self._ghost),
            flip(self._target),
            flip(self._balance),
            flip(self._contacts),
            flip(self._pressure),
            flip(self._centres),
            lambda: self._film.next_mode() if self._film is not None else None,
            self.reset_view,
        )
        add_keys(self.server, actions)

    def toggle(self) -> None:
        """Play or pause."""
        with self._lock:
            self.playback.toggle()
        self._wake.set()
        self.refresh()

    def reset_view(self) -> None:
        """Put every visitor's camera back where it began."""
        position, look_at = self._home
        for client in self.server.get_clients().values():
            with client.atomic():
                client.camera.up_direction = (0.0, 0.0, 1.0)
                client.camera.position = position
                client.camera.look_at = look_at
                client.camera.fov = FIELD_OF_VIEW

    def _seek(self, now: float) -> None:
        with self._lock:
            self.playback.seek(now)
        self.refresh()

    def _step(self, frames: int) -> None:
        with self._lock:
            self.playback.step(frames)
        self.refresh()

    def _set_speed(self, speed: float) -> None:
        with self._lock:
            self.playback.speed = speed

    def _faster(self, by: int) -> None:
        with self._lock:
            self.playback.faster(by)
        self._set(self._speed, f"{self.playback.speed:g} ×")

    def _flag(self, name: str, event: Any) -> None:
        setattr(self.shown, name, event.target.value)
        self.refresh(panel=False)

    def _set_pressure(self, event: Any) -> None:
        on = bool(event.target.value)
        self._scale.visible = on
        self._each(lambda actor: actor.set_pressure(on))
        self._flag("pressure", event)

    def _each(self, act: Callable[[Actor], None]) -> None:
        with self._lock, self.server.atomic():
            for actor in self.actors:
                act(actor)

    def _lay_out(self) -> None:
        with self._lock:
            for actor, offset in zip(self.actors, self._offsets(), strict=True):
                actor.place(offset)

    @staticmethod
    def _set(handle: Any, value: float | str) -> None:
        if handle.value != value:
            handle.value = value

    def _play(self) -> None:
        """Draw while playing, sleep otherwise."""
        last = panel = time.monotonic()
        while not self._ended:
            if not self.playback.playing:
                self._wake.wait()
                self._wake.clear()
                last = time.monotonic()
                continue
            now = time.monotonic()
            with self._lock:
                self.playback.advance(now - last)
            last = now
            due = now - panel >= 1 / PANEL_RATE
            panel = now if due else panel
            self.refresh(panel=due)
            time.sleep(max(0.0, 1 / DRAW_RATE - (time.monotonic() - now)))


def _state_at(scene: Scene, now: float) -> str:
    """The state that a machine is in, to be added to a line."""
    title = scene.course.title_at(now) if scene.course is not None else ""
    return f" · {plain(title)}" if title else ""
