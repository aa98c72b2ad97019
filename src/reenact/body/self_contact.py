"""Which parts of a body may touch each other, as collision bits.

Limbs touch other limbs, and arms touch the trunk. Legs pass through the trunk, whose belly would give way in a tuck,
and a limb passes through itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from reenact.body.body import Body

WORLD_BIT = 1  # geoms of the world carry contype = conaffinity = 1
TRUNK_BIT = 2
FIRST_LIMB_BIT = 4
MOST_LIMBS = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Bits:
    """MuJoCo's contype and conaffinity of a segment's shapes."""

    contype: int
    conaffinity: int

    def meets(self, other: Bits) -> bool:
        """Whether two segments' shapes may touch."""
        return bool(self.contype & other.conaffinity or other.contype & self.conaffinity)


def collision_bits(body: Body) -> dict[str, Bits]:
    """Bits by segment name; a limb is a branch that the mirror pairs name, a leg is a limb with a foot."""
    sided = {name for pair in body.mirror for name in pair}
    limb_of: dict[str, str] = {}
    for s in body.segments:
        if s.name in sided:
            limb_of[s.name] = limb_of.get(str(s.parent), s.name)
    limbs = list(dict.fromkeys(limb_of.values()))[:MOST_LIMBS]
    legs = {limb_of[s.name] for s in body.segments if s.part == "foot" and s.name in limb_of}
    bit = {limb: FIRST_LIMB_BIT << i for i, limb in enumerate(limbs)}

    bits = {}
    for s in body.segments:
        limb = limb_of.get(s.name)
        if limb not in bit:
            bits[s.name] = Bits(contype=TRUNK_BIT, conaffinity=WORLD_BIT)
            continue
        later = sum(bit[other] for other in limbs[limbs.index(limb) + 1 :])
        trunk = 0 if limb in legs else TRUNK_BIT
        bits[s.name] = Bits(contype=bit[limb], conaffinity=WORLD_BIT | later | trunk)
    return bits
