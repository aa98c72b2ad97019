"""GLB out: parsed back by the letter of glTF 2.0, down to where each bone's corners are in each frame."""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pytest
from fuzz_seeds import skeleton_clip

from reenact.formats.glb import format_glb, write_glb
from reenact.geometry import rotation
from reenact.motion.clip import Skeleton, SkeletonClip

COMPONENT = {5121: "<u1", 5123: "<u2", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def parse(data):
    """The JSON document and a function that returns an accessor's values."""
    magic, version, length = struct.unpack_from("<III", data)
    assert (magic, version, length) == (0x46546C67, 2, len(data))
    size, kind = struct.unpack_from("<II", data, 12)
    assert kind == 0x4E4F534A
    assert size % 4 == 0
    document = json.loads(data[20 : 20 + size])
    binary_size, kind = struct.unpack_from("<II", data, 20 + size)
    assert kind == 0x004E4942
    assert 28 + size + binary_size == len(data)
    binary = data[28 + size :]
    assert document["buffers"][0]["byteLength"] <= len(binary) < document["buffers"][0]["byteLength"] + 4

    def values(index):
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        dtype, width = np.dtype(COMPONENT[accessor["componentType"]]), WIDTH[accessor["type"]]
        assert view["byteOffset"] % 4 == 0
        assert view["byteLength"] == accessor["count"] * width * dtype.itemsize
        assert view["byteOffset"] + view["byteLength"] <= document["buffers"][0]["byteLength"]
        table = np.frombuffer(binary, dtype, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
        if "min" in accessor:
            np.testing.assert_array_equal(table.min(axis=0), np.float32(accessor["min"]))
            np.testing.assert_array_equal(table.max(axis=0), np.float32(accessor["max"]))
        return table

    return document, values


def pose(document, values, frame):
    """World matrices (J, 4, 4) of the joint nodes at one animation frame."""
    count = len(document["skins"][0]["joints"])
    local_t = [np.array(node["translation"], float) for node in document["nodes"][:count]]
    local_q = [np.array([1.0, 0, 0, 0]) for _ in range(count)]
    animation = document["animations"][0]
    for channel in animation["channels"]:
        value = values(animation["samplers"][channel["sampler"]]["output"])[frame].astype(float)
        if channel["target"]["path"] == "translation":
            local_t[channel["target"]["node"]] = value
        else:
            local_q[channel["target"]["node"]] = value[[3, 0, 1, 2]]
    world = np.tile(np.eye(4), (count, 1, 1))
    for parent, node in enumerate(document["nodes"][:count]):
        if not any(parent in other.get("children", []) for other in document["nodes"][:count]):
            world[parent, :3, :3], world[parent, :3, 3] = rotation.to_matrix(local_q[parent]), local_t[parent]
        for child in node.get("children", []):
            matrix = np.eye(4)
            matrix[:3, :3], matrix[:3, 3] = rotation.to_matrix(local_q[child]), local_t[child]
            world[child] = world[parent] @ matrix
    return world


def test_structure():
    clip = skeleton_clip()
    document, values = parse(format_glb(clip))
    assert document["asset"]["version"] == "2.0"
    joints = document["skins"][0]["joints"]
    assert [document["nodes"][joint]["name"] for joint in joints] == list(clip.skeleton.names)
    reached = []

    def walk(node):
        reached.append(node)
        for child in document["nodes"][node].get("children", []):
            walk(child)

    for node in document["scenes"][document["scene"]]["nodes"]:
        walk(node)
    assert sorted(reached) == list(range(len(document["nodes"])))  # each node in the scene exactly once
    primitive = document["meshes"][0]["primitives"][0]["attributes"]
    np.testing.assert_array_equal(values(primitive["WEIGHTS_0"]).sum(axis=1), 1)
    assert values(primitive["JOINTS_0"]).max() < len(joints)
    np.testing.assert_allclose(np.linalg.norm(values(primitive["NORMAL"]), axis=1), 1, atol=1e-6)
    assert len(values(primitive["POSITION"])) % 3 == 0
    time = values(document["animations"][0]["samplers"][0]["input"])[:, 0]
    np.testing.assert_allclose(time, clip.time, atol=1e-6)
    assert (np.diff(time) > 0).all()
    targets = [(c["target"]["node"], c["target"]["path"]) for c in document["animations"][0]["channels"]]
    assert len(set(targets)) == len(targets)


def test_joints_are_where_the_clip_has_them():
    clip = skeleton_clip()
    document, values = parse(format_glb(clip))
    position = clip.world()[0]
    for frame in (0, 5, clip.frames - 1):
        shown = pose(document, values, frame)[:, :3, 3]
        x, y, z = position[frame].T
        np.testing.assert_allclose(shown, np.stack([x, z, -y], axis=-1), atol=2e-6)


def test_skinned_bones_reach_from_joint_to_joint():
    clip = skeleton_clip()
    document, values = parse(format_glb(clip))
    primitive = document["meshes"][0]["primitives"][0]["attributes"]
    corners, joints = values(primitive["POSITION"]).astype(float), values(primitive["JOINTS_0"])[:, 0]
    inverse = values(document["skins"][0]["inverseBindMatrices"]).astype(float).reshape(-1, 4, 4).transpose(0, 2, 1)
    world = pose(document, values, 7)
    moved = np.einsum("vij,vj->vi", (world @ inverse)[joints], np.c_[corners, np.ones(len(corners))])[:, :3]
    knee, ankle = (world[clip.skeleton.index(name), :3, 3] for name in ("LeftLeg", "LeftFoot"))
    of_shank = moved[joints == clip.skeleton.index("LeftLeg")]
    assert np.linalg.norm(of_shank - knee, axis=1).min() < 1e-5
    assert np.linalg.norm(of_shank - ankle, axis=1).min() < 1e-5
    assert np.linalg.norm(of_shank - (knee + ankle) / 2, axis=1).max() < 0.25


def test_mesh_faces_look_outward():
    document, values = parse(format_glb(skeleton_clip()))
    primitive = document["meshes"][0]["primitives"][0]["attributes"]
    corners, normals = values(primitive["POSITION"]).reshape(-1, 24, 3), values(primitive["NORMAL"]).reshape(-1, 24, 3)
    outward = corners.reshape(-1, 8, 3, 3).mean(axis=2) - corners.mean(axis=1)[:, None]
    assert (np.sum(outward * normals.reshape(-1, 8, 3, 3)[:, :, 0], axis=-1) > 0).all()


@pytest.mark.parametrize("joints", [1, 2, 300])
def test_any_size(joints, tmp_path):
    skeleton = Skeleton(
        names=tuple(f"j{i}" for i in range(joints)),
        parents=tuple(range(-1, joints - 1)),
        offsets=np.tile([0.0, 0.0, 0.1], (joints, 1)),
        ends=(False,) * joints,
    )
    turns = np.tile(rotation.from_axis_angle([1, 0, 0], 0.01), (3, joints, 1))
    clip = SkeletonClip(
        name="chain", rate=30.0, skeleton=skeleton, translation=np.tile(skeleton.offsets, (3, 1, 1)), rotation=turns
    )
    write_glb(tmp_path / "a.glb", clip)
    document, values = parse((tmp_path / "a.glb").read_bytes())
    assert len(document["skins"][0]["joints"]) == joints
    assert values(document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]).max() == max(0, joints - 2)


def test_a_still_clip_has_no_animation():
    clip = skeleton_clip()
    still = replace(
        clip,
        translation=np.tile(clip.skeleton.offsets, (1, 1, 1)),
        rotation=np.tile(rotation.IDENTITY, (1, clip.skeleton.size, 1)),
    )
    document, _ = parse(format_glb(still))
    assert "animations" not in document
