"""Put one file in place in one step, so that a killed writer leaves the old file or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def replace_file(path: Path | str, content: bytes | str) -> None:
    """Write `content` (text as UTF-8) to `path`, making its folder where needed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with staged.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)
