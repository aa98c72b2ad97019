"""Stub."""
from pathlib import Path
from reenact.body.body import Body
def parse_body(text: str, path: Path | None = None) -> Body: raise NotImplementedError
