"""A take's model dressed for a picture: sky, checkered floor, light; colours of the bodies stay as they are."""

from __future__ import annotations

import mujoco
import numpy as np

from reenact.view.colours import MODEL_DEFAULT
from reenact.view.recording import Recording

SKY = (0.925, 0.935, 0.945)
TILE_LIGHT = (0.90, 0.91, 0.92)
TILE_DARK = (0.81, 0.83, 0.85)
TILE = 0.5  # [m]
FIELD_OF_VIEW_DEG = 32.0


def dressed_model(recording: Recording, width: int, height: int) -> mujoco.MjModel:
    """The model to draw with: same bodies and joints, an off-screen buffer of `width` × `height` pixels."""
    spec = mujoco.MjSpec.from_string(recording.xml)
    spec.visual.global_.offwidth = width
    spec.visual.global_.offheight = height
    spec.visual.global_.fovy = FIELD_OF_VIEW_DEG
    spec.visual.quality.shadowsize = 4096
    spec.visual.quality.offsamples = 4
    spec.visual.quality.numslices = 40
    spec.visual.quality.numstacks = 20
    spec.visual.map.shadowclip = 3.0
    spec.visual.map.zfar = 60.0
    spec.visual.map.fogstart = 3.0
    spec.visual.map.fogend = 11.0
    spec.visual.rgba.fog = (*SKY, 1.0)
    spec.visual.rgba.haze = (*SKY, 1.0)
    spec.visual.headlight.ambient = (0.50, 0.50, 0.51)
    spec.visual.headlight.diffuse = (0.22, 0.22, 0.22)
    spec.visual.headlight.specular = (0.0, 0.0, 0.0)
    for light in list(spec.lights):
        spec.delete(light)
    spec.worldbody.add_light(
        name="reenact_sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        dir=(-0.35, 0.42, -1.0),
        diffuse=(0.50, 0.49, 0.47),
        specular=(0.15, 0.15, 0.15),
        castshadow=True,
    )
    _add_floor(spec)
    model = spec.compile()
    model.stat.extent = 2.0  # what distances of light, fog and clipping are counted in [m]
    model.stat.center[:] = (0.0, 0.0, 1.0)
    return model


def _add_floor(spec: mujoco.MjSpec) -> None:
    """A sky, and tiles on every plane."""
    spec.add_texture(
        name="reenact_sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=SKY,
        rgb2=SKY,
        width=256,
        height=1536,
    )
    spec.add_texture(
        name="reenact_tiles",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=TILE_LIGHT,
        rgb2=TILE_DARK,
        width=512,
        height=512,
    )
    tiles = spec.add_material(name="reenact_tiles")
    tiles.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "reenact_tiles"
    tiles.texuniform = True
    tiles.texrepeat = (0.5 / TILE, 0.5 / TILE)  # a texture holds two tiles
    tiles.specular = 0.0
    for geom in spec.geoms:
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            geom.material = "reenact_tiles"
            if np.allclose(geom.rgba, MODEL_DEFAULT):
                geom.rgba = (1.0, 1.0, 1.0, 1.0)
