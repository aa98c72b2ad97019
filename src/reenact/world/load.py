"""Find a world by the name it is bundled under or by its file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reenact.errors import WorldError
from reenact.world.toml import parse_world
from reenact.world.values import suggestion
from reenact.world.world import World

BUNDLED: Final = Path(__file__).parent / "data"
MOST_BYTES: Final = 10_000_000


def bundled_worlds() -> tuple[str, ...]:
    """Names of the worlds that come with the package."""
    return tuple(sorted(path.stem for path in BUNDLED.glob("*.toml")))


def load_world(name_or_path: str | Path) -> World:
    """A world from a TOML file, or a bundled one by name such as "ice"."""
    path = Path(name_or_path)
    if str(name_or_path) in bundled_worlds() and not path.is_file():
        path = BUNDLED / f"{name_or_path}.toml"
    if not path.is_file():
        names = bundled_worlds()
        raise WorldError(
            f"no world '{name_or_path}': neither a file nor a bundled world; "
            f"there are: {', '.join(names)}{suggestion(str(name_or_path), names)}"
        )
    try:
        if path.stat().st_size > MOST_BYTES:
            raise WorldError(f"the file has {path.stat().st_size} bytes, expected at most {MOST_BYTES}", path=path)
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise WorldError(f"not text in UTF-8 (byte {error.start})", path=path) from None
    except OSError as error:
        raise WorldError(f"cannot be read: {error.strerror}", path=path) from None
    return parse_world(text, path)
