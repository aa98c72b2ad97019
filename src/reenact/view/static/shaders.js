// One shader draws everything that has a surface; a second one only its depth, for the shadow.

const PLACE = `
uniform vec3 place;
uniform vec4 turn;    // quaternion, scalar first
uniform vec3 stretch;
vec3 turned(vec3 v) {
  vec3 t = 2.0 * cross(turn.yzw, v);
  return v + turn.x * t + cross(turn.yzw, t);
}`;

const DEPTH_VERTEX = `#version 300 es
layout(location = 0) in vec3 vertex;
${PLACE}
uniform mat4 project;
void main() { gl_Position = project * vec4(turned(vertex * stretch) + place, 1.0); }`;

const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

const VERTEX = `#version 300 es
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tint;
${PLACE}
uniform mat4 project;
uniform mat4 light;
uniform vec3 eye;
uniform float behind; // how much farther away than it is a surface counts as [m]
out vec3 world;
out vec3 facing;
out vec3 colour;
out vec4 lit;
void main() {
  world = turned(vertex * stretch) + place;
  facing = turned(normal / stretch);
  colour = tint;
  lit = light * vec4(world + normalize(facing) * 0.012, 1.0);  // off the surface, or it shades itself
  gl_Position = project * vec4(world, 1.0);
  if (behind > 0.0) {
    vec4 farther = project * vec4(world + behind * normalize(world - eye), 1.0);
    gl_Position.z = farther.z / farther.w * gl_Position.w;
  }
}`;

const MOST_TOUCHES = 24; // footprints on one body at a time
const RAMP_STOPS = 7;

// Pressure [kPa] at a point of a surface, by footprints as `pressure.py` describes them.
const PRESSURE = `
uniform int pressing;     // 0: no, 1: the body is coloured by it, 2: nothing else is drawn, to shine through
uniform int touches;
uniform vec4 touch[${MOST_TOUCHES}];     // middle in the world [m] and pressure there [kPa]
uniform vec3 outward[${MOST_TOUCHES}];
uniform vec3 spread;      // radius of a footprint [m], cosine from which it acts whole, end of the scale [kPa]
uniform vec3 ramp[${RAMP_STOPS}];
float pressureShare(vec3 at, vec3 n) {
  float sum = 0.0;
  for (int i = 0; i < touches; i++) {
    vec3 d = at - touch[i].xyz;
    sum += touch[i].w * exp(-dot(d, d) / (spread.x * spread.x)) * smoothstep(0.0, spread.y, dot(n, outward[i]));
  }
  return sqrt(min(sum / spread.z, 1.0));
}
vec3 ramped(float share) {
  float x = share * float(${RAMP_STOPS - 1});
  int i = min(int(x), ${RAMP_STOPS - 2});
  return mix(ramp[i], ramp[i + 1], x - float(i));
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 world;
in vec3 facing;
in vec3 colour;
in vec4 lit;
uniform vec3 eye;
uniform vec3 centre;      // where the ground begins to fade from
uniform vec3 toLight;
uniform vec3 sky;
uniform vec3 tile;        // the darker colour of the checker
uniform float opacity;
uniform float veil;       // 1: a ghost, clearer where it faces the eye
uniform int ground;       // 0: a body, 1: something fixed, 2: a plane that fades into the sky
uniform sampler2DShadow shadow;
${PRESSURE}
out vec4 pixel;

vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }

// Share of light that reaches the point: a disc of samples, turned per pixel so that steps become fine grain.
float sunlight() {
  vec3 at = lit.xyz / lit.w * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float grain = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float sum = 0.0;
  for (int i = 0; i < 14; i++) {
    float r = sqrt((float(i) + 0.5) / 14.0) * 0.0065, a = float(i) * 2.39996 + grain;
    sum += texture(shadow, vec3(at.xy + r * vec2(cos(a), sin(a)), at.z));
  }
  return sum / 14.0;
}

// Checker of half-metre tiles, softened where a pixel covers much of one.
float checker(vec2 p) {
  vec2 w = max(fwidth(p), 1e-4);
  vec2 i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
  return 0.5 - 0.5 * i.x * i.y;
}

void main() {
  vec3 n = normalize(facing), v = normalize(eye - world);
  float share = pressing > 0 ? pressureShare(world, n) : 0.0;
  if (pressing == 2) {
    pixel = vec4(ramped(share), 0.75 * smoothstep(0.05, 0.3, share));
    return;
  }
  vec3 base = linear(pressing == 1 ? ramped(share) : colour);
  if (ground == 2) base = mix(base, linear(tile), checker(world.xy / 0.5));
  if (ground == 1) base *= n.z > 0.5 ? 0.80 - 0.10 * checker(world.xy / 0.5) : 0.85; // up-facing, it takes all the light
  float sun = sunlight();
  float key = max(dot(n, toLight), 0.0) * sun;
  float above = 0.5 + 0.5 * n.z;
  vec3 ambient = mix(vec3(0.30, 0.29, 0.28), vec3(0.62, 0.65, 0.70), above);
  vec3 shade = base * (ambient + vec3(0.62, 0.60, 0.56) * key);
  if (ground == 0) {
    float edge = pow(1.0 - max(dot(n, v), 0.0), 3.0);
    float gloss = pow(max(dot(n, normalize(v + toLight)), 0.0), 40.0) * sun;
    shade += 0.10 * edge * above + 0.10 * gloss;
  }
  shade = mix(shade, base, smoothstep(0.0, 0.2, share)); // unlit, so that the colours are those of the legend
  float cover = mix(opacity, 0.16 + 0.5 * pow(1.0 - abs(dot(n, v)), 1.6), veil);
  vec3 out3 = pow(shade, vec3(1.0 / 2.2));
  float fade = ground == 2 ? smoothstep(3.0, 13.0, distance(world.xy, centre.xy)) : 0.0;
  pixel = vec4(mix(out3, sky, fade), ground > 0 ? opacity : cover);
}`;
