"""glTF 2.0 binary (.glb) out: the skeleton as nodes and skin, simple bones as a mesh, the motion as an animation.

Blender and every glTF viewer open and play it. Metres, y up, quaternions xyzw, as glTF has them.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from reenact.formats.axes import quaternions_from_z_up, vectors_from_z_up
from reenact.formats.bone_mesh import bone_mesh
from reenact.formats.guess import rest_positions
from reenact.formats.replace_file import replace_file
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.clip import SkeletonClip

_MAGIC: Final = 0x46546C67  # "glTF"
_JSON: Final = 0x4E4F534A
_BINARY: Final = 0x004E4942
_ARRAY_BUFFER: Final = 34962
_COMPONENT: Final[dict[str, int]] = {"uint8": 5121, "uint16": 5123, "float32": 5126}
_STILL: Final = 1e-7
_COLOUR: Final = (0.36, 0.55, 0.78, 1.0)


class _Buffer:
    """The binary part and the accessors into it."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: NDArray[Any], kind: str, *, target: int | None = None, bounds: bool = False) -> int:
        """Append an array, one element a row; returns the accessor's index."""
        self.data += b"\0" * (-len(self.data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": _COMPONENT[values.dtype.name],
            "count": len(values),
            "type": kind,
        }
        if bounds:
            flat = values.reshape(len(values), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        self.data += values.astype(values.dtype.newbyteorder("<")).tobytes()
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def write_glb(path: Path | str, clip: SkeletonClip) -> None:
    """Write a moving skeleton with a visible body."""
    replace_file(path, format_glb(clip))


def format_glb(clip: SkeletonClip) -> bytes:
    """The bytes of a GLB file."""
    buffer = _Buffer()
    offsets = vectors_from_z_up(clip.skeleton.offsets, "y")
    rest = vectors_from_z_up(rest_positions(clip.skeleton), "y")
    size = clip.skeleton.size
    roots = [joint for joint, parent in enumerate(clip.skeleton.parents) if parent < 0]
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "Reenact"},
        "scene": 0,
        "scenes": [{"name": clip.name, "nodes": [size, size + 1]}],
        "nodes": [
            *_joint_nodes(clip, offsets),
            {"name": "Armature", "children": roots},
            {"name": "Body", "mesh": 0, "skin": 0},
        ],
        "skins": [_skin(buffer, rest, size)],
        "meshes": [_mesh(buffer, rest, clip.skeleton.parents)],
        "materials": [
            {
                "name": "Bone",
                "pbrMetallicRoughness": {"baseColorFactor": _COLOUR, "metallicFactor": 0.0, "roughnessFactor": 0.7},
            }
        ],
        "animations": [_animation(buffer, clip, offsets)],
    }
    if not document["animations"][0]["channels"]:
        del document["animations"]
    document |= {
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
    }
    return _pack(document, bytes(buffer.data))


def _joint_nodes(clip: SkeletonClip, offsets: Array) -> list[dict[str, Any]]:
    """One node for each joint, at rest."""
    nodes: list[dict[str, Any]] = [
        {"name": name, "translation": [float(np.float32(v)) for v in offset]}
        for name, offset in zip(clip.skeleton.names, offsets, strict=True)
    ]
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(joint)
    return nodes


def _skin(buffer: _Buffer, rest: Array, armature: int) -> dict[str, Any]:
    inverse = np.tile(np.eye(4, dtype=np.float32), (len(rest), 1, 1))
    inverse[:, 3, :3] = -rest  # column-major: the last row here is the translation
    matrices = buffer.add(inverse.reshape(len(rest), 16), "MAT4")
    return {"inverseBindMatrices": matrices, "joints": list(range(len(rest))), "skeleton": armature}


def _mesh(buffer: _Buffer, rest: Array, parents: tuple[int, ...]) -> dict[str, Any]:
    mesh = bone_mesh(rest, parents)
    joints = np.zeros((len(mesh.joint), 4), np.uint8 if len(rest) <= 256 else np.uint16)
    joints[:, 0] = mesh.joint
    weights = np.zeros((len(mesh.joint), 4), np.float32)
    weights[:, 0] = 1.0
    attributes = {
        "POSITION": buffer.add(mesh.position.astype(np.float32), "VEC3", target=_ARRAY_BUFFER, bounds=True),
        "NORMAL": buffer.add(mesh.normal.astype(np.float32), "VEC3", target=_ARRAY_BUFFER),
        "JOINTS_0": buffer.add(joints, "VEC4", target=_ARRAY_BUFFER),
        "WEIGHTS_0": buffer.add(weights, "VEC4", target=_ARRAY_BUFFER),
    }
    return {"name": "Bones", "primitives": [{"attributes": attributes, "material": 0}]}


def _animation(buffer: _Buffer, clip: SkeletonClip, offsets: Array) -> dict[str, Any]:
    """Samplers for the joints that turn or slide."""
    translation = vectors_from_z_up(clip.translation, "y")
    turns = rotation.unroll(quaternions_from_z_up(rotation.normalize(clip.rotation), "y"))
    time = buffer.add(clip.time.astype(np.float32), "SCALAR", bounds=True)
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    for joint in range(clip.skeleton.size):
        tracks: list[tuple[str, str, Array]] = []
        if np.abs(translation[:, joint] - offsets[joint]).max() > _STILL:
            tracks.append(("translation", "VEC3", translation[:, joint]))
        if np.abs(turns[:, joint, 1:]).max() > _STILL:
            tracks.append(("rotation", "VEC4", turns[:, joint][:, [1, 2, 3, 0]]))
        for path, kind, values in tracks:
            channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
            samplers.append(
                {"input": time, "interpolation": "LINEAR", "output": buffer.add(values.astype(np.float32), kind)}
            )
    return {"name": clip.name, "channels": channels, "samplers": samplers}


def _pack(document: dict[str, Any], binary: bytes) -> bytes:
    """Header, JSON chunk padded with spaces, binary chunk padded with zeros."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), _JSON) + text + struct.pack("<II", len(binary), _BINARY) + binary
    return struct.pack("<III", _MAGIC, 2, 12 + len(chunks)) + chunks
