// What the page was given: packed arrays become typed arrays, once.

const NOTHING = -32768;

function bytes(base64) {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out.buffer;
}

function decode(packed) {
  if (packed.type === "u8") return new Uint8Array(bytes(packed.data));
  if (packed.type === "i32") return new Int32Array(bytes(packed.data));
  if (packed.type === "f32") return new Float32Array(bytes(packed.data));
  const steps = new Int16Array(bytes(packed.data));
  const values = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; i++) values[i] = steps[i] === NOTHING ? NaN : steps[i] * packed.scale + packed.offset;
  return values;
}

function loadTake() {
  const take = JSON.parse(document.getElementById("take").textContent);
  const poses = (p) => p && { position: decode(p.position), orientation: decode(p.orientation), bodies: p.position.shape[1] };
  take.meshes = take.meshes.map((m) => ({ vertices: decode(m.vertices), normals: decode(m.normals), faces: decode(m.faces) }));
  take.poses = poses(take.poses);
  take.ghost = poses(take.ghost);
  if (take.machine) {
    take.machine.target = poses(take.machine.target);
    take.machine.balance = take.machine.balance && decode(take.machine.balance);
  }
  take.com = decode(take.com);
  take.cop = decode(take.cop);
  for (const forces of [take.contacts, take.pushes])
    for (const name of ["first", "point", "force"]) forces[name] = decode(forces[name]);
  for (const name of ["first", "body", "point", "outward", "peak", "load"]) take.pressure[name] = decode(take.pressure[name]);
  take.curves.time = decode(take.curves.time);
  for (const group of take.curves.groups)
    for (const plot of group.plots)
      for (const curve of plot.curves) curve.values = decode(curve.values);
  take.duration = (take.frames - 1) / take.rate;
  return take;
}

// A point over time, (F, 3), at a fractional frame; null where unknown.
function pointAt(values, frame) {
  const a = Math.floor(frame), w = frame - a, b = w > 0 ? a + 1 : a;
  const point = [0, 1, 2].map((i) => (w ? (1 - w) * values[3 * a + i] + w * values[3 * b + i] : values[3 * a + i]));
  if (!point.some(Number.isNaN)) return point;
  const near = Math.round(frame);
  const only = [0, 1, 2].map((i) => values[3 * near + i]);
  return only.some(Number.isNaN) ? null : only;
}

// Position and orientation of one body at a fractional frame.
function poseAt(poses, body, frame) {
  const a = Math.floor(frame), w = frame - a;
  const i = a * poses.bodies + body, j = w > 0 ? i + poses.bodies : i;
  const p = poses.position, q = poses.orientation;
  const position = [0, 1, 2].map((k) => (1 - w) * p[3 * i + k] + w * p[3 * j + k]);
  const turned = [0, 1, 2, 3].map((k) => (1 - w) * q[4 * i + k] + w * q[4 * j + k]);
  const length = Math.hypot(...turned);
  return { position, orientation: turned.map((x) => x / length) };
}
