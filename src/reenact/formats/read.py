"""Any motion file in: the format is told by the suffix, and by the content where the suffix says too little."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from reenact.errors import InputError
from reenact.formats.axes import Up, check_overrides
from reenact.formats.text_file import read_bytes
from reenact.motion.clip import MarkerClip, SkeletonClip, Table

Reader = Callable[..., SkeletonClip | MarkerClip | Table]

# Format → module and function, imported when first needed.
_READERS: Final[dict[str, tuple[str, str]]] = {
    "bvh": ("bvh", "read_bvh"),
    "amc": ("amc", "read_amc"),
    "c3d": ("c3d", "read_c3d"),
    "trc": ("trc", "read_trc"),
    "mot": ("mot", "read_mot"),
    "sto": ("mot", "read_mot"),
    "json": ("deepmimic", "read_deepmimic"),
    "csv": ("csv_table", "read_csv"),
    "kinect": ("kinect", "read_kinect"),
    "toml": ("keyframes_toml", "read_keyframes"),
}
SUFFIXES: Final = (".bvh", ".amc", ".c3d", ".trc", ".mot", ".sto", ".json", ".txt", ".csv", ".toml")
_ADVICE: Final[dict[str, str]] = {
    ".asf": "is a skeleton without motion: give the .amc file beside it",
    ".npz": "is a fitted motion, not a recording",
    ".osim": "is an OpenSim model, not a motion",
    ".fbx": "is an FBX scene: export it as BVH",
    ".glb": "is a GLB model: only written, not read",
}
_LOOKED_AT: Final = 4096  # bytes


def read_clip(
    path: Path | str, *, units: float | None = None, up: Up | None = None
) -> SkeletonClip | MarkerClip | Table:
    """A motion file as a clip in metres, radians and z up, or as a table where it holds no positions.

    `units` (metres per unit of length in the file) and `up` replace what the file says or what would be guessed; what
    was taken stands in the clip's `source`. The forward direction is left as it is.
    """
    path = Path(path)
    check_overrides(units, up)
    module, function = _READERS[format_of(path)]
    reader = cast(Reader, getattr(import_module(f"reenact.formats.{module}"), function))
    try:
        return reader(path, units=units, up=up)
    except InputError as error:
        if error.path is None:  # found wrong by the clip itself, which knows no file
            raise InputError(error.cause, path=path) from None
        raise


def format_of(path: Path) -> str:
    """The format of a file, by its suffix or else by how it begins."""
    suffix = path.suffix.lower()
    if suffix in _ADVICE:
        raise InputError(_ADVICE[suffix], path=path)
    if suffix == ".csv":
        return _kind_of_csv(read_bytes(path))
    if suffix[1:] in _READERS and suffix != ".kinect":
        return suffix[1:]
    found = _sniff(read_bytes(path))
    if found is None:
        raise InputError(f"is no known kind of motion; known suffixes are: {', '.join(SUFFIXES)}", path=path)
    return found


def _kind_of_csv(data: bytes) -> str:
    from reenact.formats.kinect import looks_like_kinect

    return "kinect" if looks_like_kinect(data[:_LOOKED_AT].decode("latin-1").split("\n", 1)[0]) else "csv"


def _sniff(data: bytes) -> str | None:
    if len(data) > 1 and data[1] == 0x50 and data[0] < 10:
        return "c3d"
    head = data[:_LOOKED_AT].decode("latin-1").lstrip("\ufeffï»¿ \t\r\n").lower()
    if head.startswith("hierarchy"):
        return "bvh"
    if head.startswith("pathfiletype"):
        return "trc"
    if head.startswith("{"):
        return "json"
    if "endheader" in head:
        return "mot"
    if ":fully-specified" in head or ":degrees" in head:
        return "amc"
    if head.startswith("time,"):
        return "csv"
    return "kinect" if _kind_of_csv(data) == "kinect" else None
