"""Worlds in which a body that stands at the origin cannot begin."""

from __future__ import annotations

WALL = """
name = "walled"
[[box]]
name = "wall"
size = [0.1, 2.0, 2.0]
at = [0.15, 0.0]
"""
POLE = """
name = "impaled"
[[box]]
name = "pole"
size = [0.06, 0.06, 1.6]
at = [0.0, 0.0]
"""
