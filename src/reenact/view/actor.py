"""One take on the browser page: its bodies, its ghost, its forces, moved frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import viser
from numpy.typing import NDArray

from reenact.geometry.rotation import conjugate, rotate
from reenact.view import colours
from reenact.view.colours import RGB
from reenact.view.floor_plan import Plot, ground_pieces
from reenact.view.forces import BodyForces, arrows
from reenact.view.meshes import Mesh, cylinder
from reenact.view.pieces import Piece
from reenact.view.poses import Poses
from reenact.view.pressed import pressed_dots
from reenact.view.pressure import RAMP
from reenact.view.scene import Scene

GHOST_SIZE = 0.96  # of the ghost: where it coincides with the body, the body is seen
TILE = 0.5  # of the checkered ground [m]
GROUND_REACH = 8.0  # half size at which an endless plane is drawn [m]
LIGHT_TILE: RGB = (0.87, 0.88, 0.89)
DARK_TILE: RGB = (0.79, 0.81, 0.83)
DOT = 0.014  # size of the dots that colour a pressed surface [m]
SEEN_THROUGH = 0.55  # greatest solidity of a body coloured by pressure: most of it faces the ground


@dataclass(slots=True)
class Shown:
    """What of the takes is drawn."""

    ghost: bool = True
    contacts: bool = True
    centres: bool = True
    sides: bool = False
    pressure: bool = False
    target: bool = False
    balance: bool = True


class Actor:
    """Draws a scene under the node `root`; `show` moves everything to one frame."""

    def __init__(self, server: viser.ViserServer, scene: Scene, root: str, plot: Plot) -> None:
        self.scene = scene
        self._server = server
        self._root = root
        self._frame = server.scene.add_frame(root, show_axes=False)
        moving = [piece for piece in scene.pieces if piece.role != "ground"]
        self._bodies = self._add_bodies("body", moving, None)
        own = [piece for piece in moving if piece.role == "body"]
        self._ghost_frame = server.scene.add_frame(f"{root}/ghost", show_axes=False)
        self._ghost = self._add_bodies("ghost", own, colours.GHOST) if scene.ghost is not None else {}
        aim = scene.course.target if scene.course is not None else None
        self._target_frame = server.scene.add_frame(f"{root}/target", show_axes=False)
        self._target = self._add_bodies("target", own, colours.TARGET) if aim is not None else {}
        self._planes: list[tuple[viser.FrameHandle, Piece, bool]] = []  # the last: endless across the way too
        self._add_ground(plot)
        self._contacts = self._add_arrows("contacts", colours.FORCE)
        self._pushes = self._add_arrows("pushes", colours.PUSH)
        self._balance = self._add_arrows("balance", colours.BALANCE)
        self._com = server.scene.add_icosphere(f"{root}/com", radius=0.035, color=_bytes(colours.COM))
        self._pressure = server.scene.add_point_cloud(
            f"{root}/pressure",
            np.zeros((1, 3), np.float32),  # the browser refuses an empty cloud
            np.zeros((1, 3), np.uint8),
            visible=False,
            point_size=DOT,
            point_shape="circle",
            point_shading="flat",
            precision="float32",
        )
        self._look = {"opacity": 1.0, "sides": False, "pressure": False}
        disc = cylinder(0.045, 0.004)
        self._cop = server.scene.add_mesh_simple(
            f"{root}/cop", disc.vertices, disc.faces.astype(np.uint32), color=_bytes(colours.COP)
        )

    def place(self, offset: NDArray[np.float64]) -> None:
        """Put the whole take at `offset` (3,) [m]."""
        self._frame.position = offset

    def set_visible(self, visible: bool) -> None:
        """Show or hide the whole take."""
        self._frame.visible = visible

    def set_opacity(self, opacity: float) -> None:
        """How solid the body is, 0 … 1; forces and centres show through it."""
        self._look["opacity"] = opacity
        self._paint()

    def set_sides(self, sides: bool) -> None:
        """Left and right in two colours, or the model's own."""
        self._look["sides"] = sides
        self._paint()

    def set_pressure(self, pressure: bool) -> None:
        """A plain body that lets the coloured dots of pressed surfaces through, or the body as it was."""
        self._look["pressure"] = pressure
        self._paint()

    def _paint(self) -> None:
        opacity, sides, pressure = self._look.values()
        for body, handle, piece in self._bodies.values():
            plain = pressure and body in self.scene.character
            handle.color = _bytes(RAMP[0] if plain else piece.side_colour if sides else piece.colour)
            solid = min(opacity, SEEN_THROUGH) if plain else opacity
            handle.opacity = None if solid >= 1.0 else solid

    def show(self, time: float, shown: Shown) -> None:
        """Move to `time` [s] since the first frame; a take that has ended keeps its last frame."""
        scene = self.scene
        frame = scene.frame_at(scene.time[0] + time)
        _move(self._bodies, scene.poses, frame)
        self._move_planes(self.centre(time))
        ghost = shown.ghost and scene.ghost is not None and scene.time[frame] <= scene.ghost_until + 1e-6
        _set_visible(self._ghost_frame, ghost)
        if ghost and scene.ghost is not None:
            _move(self._ghost, scene.ghost, frame)
        self._show_course(frame, shown)
        self._show_forces(self._contacts, scene.contacts, frame, shown.contacts, push=False)
        self._show_forces(self._pushes, scene.pushes, frame, shown.contacts, push=True)
        self._show_pressure(frame, shown.pressure)
        self._show_point(self._com, scene.com[frame], shown.centres)
        self._show_point(self._cop, scene.cop[frame], shown.centres)

    def _show_course(self, frame: int, shown: Shown) -> None:
        """What a state machine aims at, and its balance vector."""
        course = self.scene.course
        aim = course.target if course is not None and shown.target else None
        _set_visible(self._target_frame, aim is not None)
        if aim is not None:
            _move(self._target, aim, frame)
        ends = course.balance_arrow(frame, self.scene.cop[frame]) if course is not None and shown.balance else None
        drawn = ends is not None and len(ends) > 0
        _set_visible(self._balance, drawn)
        if ends is not None and drawn:
            self._balance.points = ends

    def centre(self, time: float) -> NDArray[np.float64]:
        """Where the body's root is above the ground plane, (3,) with z = 0 [m]."""
        frame = self.scene.frame_at(self.scene.time[0] + time)
        point = self.scene.poses.position[frame, self.scene.character[0]].astype(float)
        return np.array([point[0], point[1], 0.0])

    def _add_arrows(self, name: str, colour: RGB) -> viser.ArrowsHandle:
        return self._server.scene.add_arrows(
            f"{self._root}/{name}",
            np.zeros((0, 2, 3), np.float32),
            _bytes(colour),
            shaft_radius=0.014,
            head_radius=0.035,
            head_length=0.09,
        )

    def _show_forces(
        self, handle: viser.ArrowsHandle, forces: BodyForces, frame: int, visible: bool, *, push: bool
    ) -> None:
        ends = arrows(forces, frame, self.scene.mass, push=push)
        acting = visible and len(ends) > 0
        _set_visible(handle, acting)
        if acting:
            handle.points = ends

    def _show_pressure(self, frame: int, visible: bool) -> None:
        """Dots over the pressed surfaces, coloured by pressure."""
        points, colours = pressed_dots(self.scene, frame) if visible else (np.zeros((0, 3), np.float32), None)
        _set_visible(self._pressure, len(points) > 0)
        if colours is not None and len(points):
            self._pressure.points, self._pressure.colors = points, colours

    @staticmethod
    def _show_point(handle: Any, point: NDArray[np.float32], visible: bool) -> None:
        known = bool(np.isfinite(point).all())
        _set_visible(handle, visible and known)
        if visible and known:
            handle.position = point

    def _add_bodies(
        self, kind: str, pieces: list[Piece], colour: RGB | None
    ) -> dict[str, tuple[int, viser.MeshHandle, Piece]]:
        """One node per body and colour, its pieces joined."""
        groups: dict[tuple[int, RGB], list[Piece]] = {}
        for piece in pieces:
            groups.setdefault((piece.body, piece.colour), []).append(piece)
        handles = {}
        for i, ((body, own), members) in enumerate(groups.items()):
            name = f"{self._root}/{kind}/{i}_{self.scene.body_names[body]}"
            size = 1.0 if colour is None else GHOST_SIZE
            vertices, faces = _merged([self._in_body(piece, size) for piece in members])
            handle = self._server.scene.add_mesh_simple(
                name,
                vertices,
                faces,
                color=_bytes(colour or own),
                opacity=None if colour is None else 0.3,
                cast_shadow=colour is None,
                receive_shadow=colour is None,
            )
            handles[name] = (body, handle, members[0])
        return handles

    def _in_body(self, piece: Piece, size: float) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        mesh: Mesh = self.scene.meshes[piece.mesh]
        return rotate(
            piece.orientation, size * piece.stretch * mesh.vertices.astype(float)
        ) + piece.position, mesh.faces

    def _add_ground(self, plot: Plot) -> None:
        for i, piece in enumerate(ground_pieces(self.scene)):
            name = f"{self._root}/ground/{i}"
            place: dict[str, Any] = {"position": piece.position, "wxyz": piece.orientation}
            if piece.flat and not plot.plane:
                continue
            if piece.flat:
                frame = self._server.scene.add_frame(name, show_axes=False, **place)
                for shade, colour in enumerate((LIGHT_TILE, DARK_TILE)):
                    vertices, faces = _tiles(shade, plot.lane)
                    self._server.scene.add_mesh_simple(
                        f"{name}/{shade}", vertices, faces, color=_bytes(colour), cast_shadow=False
                    )
                self._planes.append((frame, piece, plot.lane is None))
                continue
            mesh = self.scene.meshes[piece.mesh]
            vertices, faces = _merged([(mesh.vertices * piece.stretch, mesh.faces)])
            self._server.scene.add_mesh_simple(name, vertices, faces, color=_bytes(piece.colour), **place)

    def _move_planes(self, centre: NDArray[np.float64]) -> None:
        """Keep endless planes below the body, by whole pairs of tiles so that nobody sees it."""
        for frame, piece, across in self._planes:
            local = rotate(conjugate(piece.orientation), centre - piece.position)
            snapped = 2 * TILE * np.round(local / (2 * TILE)) * [1.0, float(across), 0.0]
            position = piece.position + rotate(piece.orientation, snapped)
            if not np.allclose(frame.position, position):
                frame.position = position


def _set_visible(handle: Any, visible: bool) -> None:
    """Tell the browsers only what changes."""
    if handle.visible != visible:
        handle.visible = visible


def _move(handles: dict[str, tuple[int, viser.MeshHandle, Piece]], poses: Poses, frame: int) -> None:
    for body, handle, _ in handles.values():
        handle.position = poses.position[frame, body]
        handle.wxyz = poses.orientation[frame, body]


def _merged(
    parts: list[tuple[NDArray[np.float64], NDArray[np.int32]]],
) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Several meshes as one whose coincident vertices are shared, so that the browser shades it smoothly."""
    first = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    vertices = np.concatenate([vertices for vertices, _ in parts])
    faces = np.concatenate([faces + n for (_, faces), n in zip(parts, first, strict=False)])
    rounded, index = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    shared = index.reshape(-1)[faces]
    kept = (shared[:, 0] != shared[:, 1]) & (shared[:, 1] != shared[:, 2]) & (shared[:, 2] != shared[:, 0])
    return rounded.astype(np.float32), shared[kept].astype(np.uint32)


def _tiles(shade: int, lane: float | None) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Every second square of a checkered plane, or of a lane of it so wide [m] along x."""
    count = round(2 * GROUND_REACH / TILE)
    row, column = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    chosen = (row + column) % 2 == shade
    corner = np.stack([row[chosen], column[chosen], np.zeros(int(chosen.sum()))], -1) * TILE
    corner -= [GROUND_REACH, GROUND_REACH, 0.0]
    square = TILE * np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    vertices = (corner[:, None] + square).reshape(-1, 3)
    if lane is not None:
        vertices[:, 1] = np.clip(vertices[:, 1], -0.5 * lane, 0.5 * lane)
    faces = 4 * np.arange(len(corner))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return vertices.astype(np.float32), faces.reshape(-1, 3).astype(np.uint32)


def _bytes(colour: RGB) -> tuple[int, int, int]:
    r, g, b = (round(255 * c) for c in colour)
    return r, g, b
