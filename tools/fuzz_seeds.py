"""Small valid files of each format, made here: what `fuzz_formats.py` damages and what tests read."""

from __future__ import annotations

import json
import struct
from functools import cache

import numpy as np

from reenact.formats.bvh_write import format_bvh
from reenact.formats.csv_table import format_csv
from reenact.formats.deepmimic import WIDTH
from reenact.formats.kinect import JOINTS
from reenact.formats.mot import format_mot
from reenact.formats.trc import format_trc
from reenact.geometry import rotation
from reenact.motion.clip import MarkerClip, Skeleton, SkeletonClip, Table

FRAMES = 12


def skeleton_clip() -> SkeletonClip:
    """A small person, z up, who steps forward and sways."""
    parts = [
        ("Hips", -1, (0, 0, 0.95), False),
        ("Spine", 0, (0, 0, 0.25), False),
        ("Head", 1, (0, 0, 0.35), False),
        ("Head_end", 2, (0, 0, 0.2), True),
        ("LeftUpLeg", 0, (0, 0.1, -0.05), False),
        ("LeftLeg", 4, (0, 0, -0.43), False),
        ("LeftFoot", 5, (0, 0, -0.42), False),
        ("LeftFoot_end", 6, (0.18, 0, -0.05), True),
        ("RightUpLeg", 0, (0, -0.1, -0.05), False),
        ("RightLeg", 8, (0, 0, -0.43), False),
        ("RightFoot", 9, (0, 0, -0.42), False),
        ("RightFoot_end", 10, (0.18, 0, -0.05), True),
    ]
    offsets = np.array([part[2] for part in parts], float)
    ends = tuple(part[3] for part in parts)
    time = np.arange(FRAMES) / 30
    translation = np.tile(offsets, (FRAMES, 1, 1))
    translation[:, 0, 0] += time
    angles = 0.4 * np.sin(2 * np.pi * time[:, None, None] + np.arange(len(parts) * 3).reshape(1, -1, 3))
    turns = rotation.from_euler("zyx", angles)
    turns[:, list(ends)] = rotation.IDENTITY
    skeleton = Skeleton(
        names=tuple(part[0] for part in parts), parents=tuple(part[1] for part in parts), offsets=offsets, ends=ends
    )
    return SkeletonClip(name="seed", rate=30.0, skeleton=skeleton, translation=translation, rotation=turns)


def marker_clip() -> MarkerClip:
    """The joints of `skeleton_clip` as markers, one of them away for a while."""
    clip = skeleton_clip()
    position = clip.world()[0][:, :8].copy()
    position[3:6, 2] = np.nan
    return MarkerClip(name="seed", rate=100.0, names=clip.skeleton.names[:8], position=position)


def table() -> Table:
    """Three columns over time."""
    time = np.arange(FRAMES) / 100
    values = np.stack([np.sin(time), 700 + 10 * time, -time], axis=1)
    return Table(
        name="seed", time=time, columns=("knee_angle_r", "ground_force_vy", "pelvis_tx"), values=values, in_degrees=True
    )


ASF = """:version 1.10
:name seed
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name lfemur
    direction 0.34 -0.94 0
    length 7.6
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name ltibia
    direction 0.34 -0.94 0
    length 7.3
    axis 0 0 20 XYZ
    dof rx
  end
  begin
    id 3
    name lfoot
    direction 0.09 -0.24 0.97
    length 2.2
    axis -90 0 20 XYZ
    dof rx rz
  end
  begin
    id 4
    name lowerback
    direction 0 1 0
    length 6.0
    axis 0 0 0 XYZ
    dof rx ry rz
  end
  begin
    id 5
    name head
    direction 0 1 0
    length 3.0
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root lfemur lowerback
    lfemur ltibia
    ltibia lfoot
    lowerback head
  end
"""


def amc_text() -> str:
    """Motion for ASF."""
    lines = ["#!OML:ASF seed.asf", ":FULLY-SPECIFIED", ":DEGREES"]
    for frame in range(FRAMES):
        s = 10 * np.sin(frame / 3)
        lines += [
            str(frame + 1),
            f"root {0.1 * frame:.4f} 16.5 0 {s:.4f} 1 2",
            f"lowerback {s:.4f} 0 1",
            f"lfemur {-2 * s:.4f} 1 -3",
            f"ltibia {20 + s:.4f}",
            f"lfoot {s:.4f} 2",
        ]
    return "\n".join(lines) + "\n"


def deepmimic_text() -> str:
    """One cycle of standing with moving knees."""
    frames = []
    for frame in range(FRAMES):
        numbers = [1 / 30, 0.02 * frame, 0.88, 0.0]
        for width in (4, 4, 4, 4, 1, 4, 4, 1, 4, 1, 4, 4, 1):
            numbers += [1.0, 0.0, 0.0, 0.0] if width == 4 else [-0.1 - 0.01 * frame]
        assert len(numbers) == WIDTH
        frames.append([round(number, 6) for number in numbers])
    return json.dumps({"Loop": "wrap", "Frames": frames}, indent=1)


def kinect_text() -> str:
    """A person in front of the sensor, uneven time stamps in ticks of 100 ns."""
    rows = []
    for frame in range(FRAMES):
        fields = [str(89810293609 + 333333 * frame + 7000 * (frame % 3))]
        for joint in range(len(JOINTS)):
            x, y = 0.05 * (joint % 5), 0.4 - 0.06 * joint
            fields += [f"{x + 0.01 * frame:.6g}", f"{y:.6g}", "2.65", str(2 if joint % 7 else 1)]
        rows.append(",".join(fields) + ",")
    return "\n".join(rows) + "\n"


def c3d_bytes(*, processor: int = 84, scale: float = -1.0, analog: int = 0, clip: MarkerClip | None = None) -> bytes:
    """A C3D file: processor 84 Intel, 85 DEC, 86 MIPS; positive `scale` for 16-bit integers; millimetres, z up."""
    clip = marker_clip() if clip is None else clip
    big, dec = processor == 86, processor == 85

    def int16(value: int) -> bytes:
        return struct.pack(">h" if big else "<h", value if value < 32768 else value - 65536)

    def float32(value: float) -> bytes:
        if dec:
            raw = struct.pack("<f", 4 * value)
            return raw[2:] + raw[:2]
        return struct.pack(">f" if big else "<f", value)

    def record(group: int, name: str, body: bytes) -> bytes:
        return struct.pack("bb", len(name), group) + name.encode() + int16(2 + len(body)) + body

    def parameter(name: str, kind: int, sizes: list[int], body: bytes) -> bytes:
        return record(1, name, struct.pack("bB", kind, len(sizes)) + bytes(sizes) + body + b"\0")

    count = len(clip.names)
    width = max(len(name) for name in clip.names)
    labels = "".join(name.ljust(width) for name in clip.names).encode()
    parameters = b"\1\x50\2" + bytes([processor])
    parameters += record(-1, "POINT", b"\0")
    parameters += parameter("USED", 2, [], int16(count)) + parameter("SCALE", 4, [], float32(scale))
    parameters += parameter("RATE", 4, [], float32(clip.rate)) + parameter("FRAMES", 2, [], int16(clip.frames))
    parameters += parameter("DATA_START", 2, [], int16(4)) + parameter("UNITS", -1, [2], b"mm")
    parameters += parameter("Y_SCREEN", -1, [2], b"+Z") + parameter("LABELS", -1, [width, count], labels)
    parameters += b"\0\0"
    header = b"\2\x50" + b"".join(map(int16, (count, analog, 1, clip.frames, 10))) + float32(scale)
    header += int16(4) + int16(1 if analog else 0) + float32(clip.rate)
    data = b""
    word = float32 if scale < 0 else (lambda value: int16(round(value) % 65536))
    divisor = 1.0 if scale < 0 else scale
    for frame in clip.position:
        for point in frame * 1000:
            seen = not np.isnan(point).any()
            data += b"".join(word(v / divisor) for v in (point if seen else np.zeros(3)))
            data += word(0.0 if seen else -1.0)
        data += word(0.0) * analog
    return header.ljust(512, b"\0") + parameters.ljust(1024, b"\0") + data + b"\0" * (-len(data) % 512)


@cache
def seeds() -> dict[str, list[dict[str, bytes]]]:
    """For each format its seeds: files by suffix, the motion first."""
    clip = skeleton_clip()
    bvh = format_bvh(clip)
    return {
        "bvh": [{".bvh": bvh.encode()}, {".bvh": bvh.replace("\n", "\r\n").replace("  ", "\t").encode("utf-8-sig")}],
        "amc": [{".amc": amc_text().encode(), ".asf": ASF.encode()}],
        "c3d": [
            {".c3d": c3d_bytes()},
            {".c3d": c3d_bytes(scale=0.1, analog=3)},
            {".c3d": c3d_bytes(processor=86)},
            {".c3d": c3d_bytes(processor=85)},
        ],
        "trc": [{".trc": format_trc(marker_clip(), "seed.trc").encode()}],
        "mot": [{".mot": format_mot(table()).encode()}],
        "deepmimic": [{".json": deepmimic_text().encode()}],
        "kinect": [{".csv": kinect_text().encode()}],
        "csv": [{".csv": format_csv(table()).encode()}],
    }
