// Pressure on the body: the footprints of a frame for the shader, and the legend of their colours.

class Pressure {
  constructor(take) {
    this.take = take;
    this.touch = new Float32Array(4 * MOST_TOUCHES);
    this.outward = new Float32Array(3 * MOST_TOUCHES);
    this.count = 0;
  }

  // Fill `touch` and `outward` with the footprints on a body, in the world; the weakest beyond what fits are left out.
  gather(body, frame) {
    const { first, body: bodies, point, outward, peak } = this.take.pressure, near = Math.round(frame);
    const pose = poseAt(this.take.poses, body, frame);
    this.count = 0;
    for (let k = first[near]; k < first[near + 1] && this.count < MOST_TOUCHES; k++) {
      if (bodies[k] !== body) continue;
      const at = add(pose.position, rotate(pose.orientation, [point[3 * k], point[3 * k + 1], point[3 * k + 2]]));
      const out = rotate(pose.orientation, [outward[3 * k], outward[3 * k + 1], outward[3 * k + 2]]);
      this.touch.set([...at, peak[k]], 4 * this.count);
      this.outward.set(out, 3 * this.count++);
    }
    return this.count;
  }
}

// The colour of a share of the scale, 0 … 1, as CSS takes it.
function rampColour(ramp, share) {
  const at = Math.min(1, Math.max(0, share)) * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(at));
  return `rgb(${ramp[i].map((c, k) => Math.round(255 * (c + (at - i) * (ramp[i + 1][k] - c)))).join(" ")})`;
}

function fillScale(root, { ramp, ticks, full }) {
  const bar = node("i"), marks = node("div"), title = node("b");
  title.textContent = "Pressure [kPa]";
  bar.style.background = `linear-gradient(to right, ${ramp.map((_, i) => rampColour(ramp, i / (ramp.length - 1))).join(", ")})`;
  for (const value of ticks) {
    const mark = node("span");
    mark.textContent = value === full ? `${value}+` : String(value);
    mark.style.left = `${100 * Math.sqrt(value / full)}%`;
    marks.append(mark);
  }
  root.append(title, bar, marks);
}
