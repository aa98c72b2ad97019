"""How a world looks: ground pattern, sky, light and colours. Nothing here touches the physics."""

from __future__ import annotations

from typing import Any, Final

import mujoco

LOOKS: Final[dict[str, tuple[float, float, float, float]]] = {
    "stairs": (0.66, 0.63, 0.58, 1.0),
    "ramp": (0.66, 0.63, 0.58, 1.0),
    "beam": (0.72, 0.52, 0.34, 1.0),
    "platform": (0.66, 0.63, 0.58, 1.0),
    "box": (0.55, 0.58, 0.63, 1.0),
    "mat": (0.27, 0.44, 0.72, 1.0),
    "field": (0.90, 0.96, 0.84, 1.0),  # times the ground's pattern
    "pebble": (0.47, 0.46, 0.44, 1.0),
    "rim": (0.20, 0.22, 0.25, 1.0),
    "plate": (0.13, 0.15, 0.20, 1.0),
    "tee": (0.35, 0.36, 0.38, 1.0),
    "loose": (0.80, 0.60, 0.33, 1.0),
    "thing": (0.86, 0.33, 0.22, 1.0),
    "attached": (0.31, 0.52, 0.42, 1.0),
}
GROUND_MATERIAL: Final = "ground"
TILE: Final = 1.0  # side of two squares of the ground's pattern [m]
SKY: Final = ((0.96, 0.97, 0.98), (0.60, 0.71, 0.84))  # nadir, zenith; the horizon is half way


def add_scenery(spec: Any, root: str) -> None:
    """Textures, light and haze; the light follows the segment `root` so that its shadow stays sharp."""
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=SKY[1],
        rgb2=SKY[0],
        width=256,
        height=256,
    )
    spec.add_texture(
        name="ground",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        mark=mujoco.mjtMark.mjMARK_EDGE,
        rgb1=(0.73, 0.75, 0.77),
        rgb2=(0.66, 0.68, 0.71),
        markrgb=(0.60, 0.62, 0.65),
        width=512,
        height=512,
    )
    textures = [""] * int(mujoco.mjtTextureRole.mjNTEXROLE)
    textures[int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] = "ground"
    spec.add_material(
        name=GROUND_MATERIAL,
        textures=textures,
        texuniform=True,
        texrepeat=[1 / TILE, 1 / TILE],
        specular=0.1,
        shininess=0.1,
    )
    _set_visual(spec.visual)
    spec.stat.center, spec.stat.extent = [0.0, 0.0, 0.9], 2.0  # a person, whatever else stands around
    spec.body(root).add_light(
        name="sun",
        mode=mujoco.mjtCamLight.mjCAMLIGHT_TRACKCOM,
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=[-1.0, 1.5, 4.0],
        dir=[0.25, -0.35, -1.0],
        diffuse=[0.55, 0.54, 0.52],
        specular=[0.15, 0.15, 0.15],
        castshadow=True,
    )


def _set_visual(visual: Any) -> None:
    visual.headlight.ambient = [0.45, 0.45, 0.46]
    visual.headlight.diffuse = [0.25, 0.25, 0.25]
    visual.headlight.specular = [0.05, 0.05, 0.05]
    visual.rgba.haze = [0.5 * (low + high) for low, high in zip(*SKY, strict=True)] + [1.0]  # the sky at the horizon
    visual.map.haze = 0.3
    visual.map.znear = 0.01
    visual.map.zfar = 60.0
    visual.map.shadowclip = 15.0  # times the extent: the far edge of the shadow map shows as specks when near
    visual.quality.shadowsize = 4096
    offscreen = visual.global_
    offscreen.offwidth, offscreen.offheight = 1920, 1080
