// An orbiting camera: drag turns, shift or right button or two fingers move, wheel or pinch zooms.

const FOV = (32 * Math.PI) / 180;
const ABOVE_GROUND = -0.05; // least elevation

class Camera {
  constructor(take) {
    this.path = smoothPath(take);
    this.home = { azimuth: homeAzimuth(take), elevation: 0.17, distance: homeDistance(take, this.path) };
    this.follow = true;
    this.lowest = ABOVE_GROUND;
    this.reset();
  }

  reset() {
    Object.assign(this, this.home, { shift: [0, 0, 0], target: this.path(0), through: null }); // through: a camera of a video
  }

  // Keep looking at the body as it goes.
  track(frame) {
    if (this.follow) this.target = add(this.path(frame), this.shift);
  }

  eye() {
    if (this.through) return this.through.position;
    const c = Math.cos(this.elevation);
    return add(this.target, scaled([c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.elevation)], this.distance));
  }

  view(aspect) {
    if (this.through) return throughLens(this.through, aspect);
    const fov = aspect < 1 ? 2 * Math.atan(Math.tan(FOV / 2) / Math.max(aspect, 0.6)) : FOV; // a narrow view keeps the width
    return multiplyMatrices(perspective(fov, aspect, 0.05, 120), lookAt(this.eye(), this.target));
  }

  turn(dx, dy) {
    this.through = null;
    this.azimuth -= dx * 0.006;
    this.elevation = Math.min(1.5, Math.max(this.lowest, this.elevation + dy * 0.006));
  }

  // Whether the view may go below the ground, to see what lies on it.
  allowBelow(below) {
    this.lowest = below ? -1.5 : ABOVE_GROUND;
    this.elevation = Math.max(this.lowest, this.elevation);
  }

  move(dx, dy, height) {
    this.through = null;
    const perPixel = (2 * this.distance * Math.tan(FOV / 2)) / height;
    const right = [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0];
    const back = unit(sub(this.eye(), this.target)), up = cross(back, right);
    const by = add(scaled(right, -dx * perPixel), scaled(up, dy * perPixel));
    this.shift = add(this.shift, by);
    this.target = add(this.target, by);
  }

  zoom(factor) {
    this.through = null;
    this.distance = Math.min(40, Math.max(0.6, this.distance * factor));
  }

  listen(canvas, changed) {
    const fingers = new Map();
    let spread = 0;
    const span = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) spread = span();
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const dx = event.clientX - last.x, dy = event.clientY - last.y;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) {
        this.move(dx / 2, dy / 2, canvas.clientHeight);
        const now = span();
        this.zoom(spread / Math.max(now, 1));
        spread = now;
      } else if (event.shiftKey || event.buttons & 6) this.move(dx, dy, canvas.clientHeight);
      else this.turn(dx, dy);
      changed();
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-80, Math.min(80, event.deltaY)) * 0.0018));
      changed();
    }, { passive: false });
  }
}

// What a camera of a video sees, but for its lens's distortion: its whole picture fits into the view.
function throughLens({ size: [w, h], focal, centre, position, axes: [right, down, ahead] }, aspect) {
  const across = Math.min(1, w / h / aspect), along = Math.min(1, (aspect * h) / w), near = 0.05, far = 120, d = 1 / (near - far);
  const project = new Float32Array([
    (across * 2 * focal[0]) / w, 0, 0, 0, 0, (along * 2 * focal[1]) / h, 0, 0,
    -across * ((2 * centre[0]) / w - 1), along * ((2 * centre[1]) / h - 1), (far + near) * d, -1, 0, 0, 2 * far * near * d, 0,
  ]);
  const x = right, y = scaled(down, -1), z = scaled(ahead, -1);
  return multiplyMatrices(project, new Float32Array([
    x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, position), -dot(y, position), -dot(z, position), 1,
  ]));
}

// Where to look at each frame: the root's path without its bounce, half the body's height above its lowest point.
function smoothPath(take) {
  const root = take.character[0], width = Math.round(0.35 * take.rate), points = [];
  let low = Infinity, high = -Infinity;
  for (let f = 0; f < take.frames; f++) points.push(poseAt(take.poses, root, f).position);
  for (const body of take.character) {
    const z = poseAt(take.poses, body, 0).position[2];
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  const lift = 0.5 * (high - low) + low + (besideVideo(take) ? 0.15 : 0.05) - points[0][2];
  const smooth = points.map((_, f) => {
    let sum = [0, 0, 0], weight = 0;
    for (let k = -2 * width; k <= 2 * width; k++) {
      const w = Math.exp(-0.5 * (k / width) ** 2), at = Math.min(take.frames - 1, Math.max(0, f + k));
      sum = add(sum, scaled(points[at], w));
      weight += w;
    }
    return add(scaled(sum, 1 / weight), [0, 0, lift]);
  });
  return (frame) => {
    const a = Math.floor(frame), b = Math.min(a + 1, take.frames - 1), w = frame - a;
    return add(scaled(smooth[a], 1 - w), scaled(smooth[b], w));
  };
}

// Whether the view has a video beside it, and so is narrow, its buttons in two rows.
function besideVideo(take) {
  return Boolean(take.video && take.video.length);
}

// Far enough that a body that jumps keeps its head below the buttons, which lie over the top tenth of the view, or fifth.
function homeDistance(take, path) {
  let rise = 0;
  for (let f = 0; f < take.frames; f++) {
    const middle = path(f)[2];
    for (const body of take.character) rise = Math.max(rise, poseAt(take.poses, body, f).position[2] - middle);
  }
  const HEAD = 0.25, SEEN = besideVideo(take) ? 0.65 : 0.8; // above its joint [m]; of half the view
  return Math.min(7, Math.max(besideVideo(take) ? 4.5 : 4.1, (rise + HEAD) / (SEEN * Math.tan(FOV / 2))));
}

// From the front right of where the body faces at first.
function homeAzimuth(take) {
  const facing = rotate(poseAt(take.poses, take.character[0], 0).orientation, [1, 0, 0]);
  return Math.atan2(facing[1], facing[0]) - 0.95;
}
