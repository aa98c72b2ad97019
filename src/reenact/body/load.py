"""Bodies by name or from a file."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.errors import BodyError

NAMED = ("adult", "human50", "robot35", "laikago")


def load_body(name_or_path: str | Path) -> Body:
    """The body "adult" (a man of the 50th percentile), "human50", "robot35", "laikago", or the body in a TOML file."""
    if name_or_path == "adult":
        return adult()
    if name_or_path in NAMED:
        text = files("reenact.body").joinpath(f"data/{name_or_path}.toml").read_text(encoding="utf-8")
        return parse_body(text, Path(f"{name_or_path}.toml"))
    path = Path(name_or_path)
    if not path.is_file():
        raise BodyError(f"no body '{name_or_path}': expected a TOML file or one of: {', '.join(NAMED)}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BodyError(f"is not text in UTF-8 (byte {error.start})", path=path) from None
    except OSError as error:
        raise BodyError(f"cannot be read: {error.strerror}", path=path) from None
    return parse_body(text, path)
