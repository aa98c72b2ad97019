"""What the focal length of a video is likely to be before anything is seen in it: from its tags, else as phones are.

A phone's main camera is said to be 24 to 28 mm "equivalent": by the picture's diagonal, 43.3 mm on film. Of its 4 : 3
sensor, 34.6 mm wide by that measure, a video shows the whole width at most, and cuts off up to a fifth where it
steadies the picture. So 26 mm become 0.75 to 0.94 longer sides of the video.
"""

from __future__ import annotations

from typing import Final

from reenact.formats.video_tags import VideoTags

FILM: Final = 34.6  # [mm] width of a 4 : 3 picture with the diagonal of film
STEADIED: Final = 1.1  # by which videos are cut, in the mean of those that are and those that are not
LENS_SPREAD: Final = 0.08  # share, where the lens is written in the file
PHONE: Final = (0.83, 0.12)  # longer sides and spread [share] of a phone's main camera
ANY: Final = (0.87, 0.22)  # where nothing is known: mostly phones, some cameras with longer lenses


def usual_focal(tags: VideoTags) -> tuple[float, float, str]:
    """Likely focal length in longer sides of the picture, its spread [share], and in words where it is from."""
    if tags.focal_35mm is not None:
        told = f"a lens of {tags.focal_35mm:g} mm (35 mm equivalent) in the file's tags"
        return STEADIED * tags.focal_35mm / FILM, LENS_SPREAD, told
    if tags.phone:
        return *PHONE, f"a phone's main camera ({tags.maker or 'so the tags of the file'})"
    return *ANY, "what is usual, the file does not name its camera"
