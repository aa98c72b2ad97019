"""Part of a motion as a motion of its own."""

from __future__ import annotations

from dataclasses import replace

from reenact.errors import InputError
from reenact.motion.contact import Contact
from reenact.motion.motion import Motion


def cut_motion(motion: Motion, first: int, last: int) -> Motion:
    """Frames first … last−1; contacts are clipped, times count from the new first frame."""
    if not 0 <= first < last <= motion.frames:
        raise InputError(f"cannot cut frames {first} to {last} out of {motion.frames} frames of '{motion.name}'")
    begin, end = first / motion.rate, (last - 1) / motion.rate
    contacts = tuple(
        Contact(segment=c.segment, start=max(c.start, begin) - begin, end=min(c.end, end) - begin)
        for c in motion.contacts
        if c.start <= end and c.end >= begin
    )
    return replace(
        motion,
        qpos=motion.qpos[first:last],
        joints=motion.joints[first:last],
        lift=motion.lift[first:last],
        contacts=contacts,
    )
