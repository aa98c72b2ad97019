// What stands beside the body: arrows of forces, centres, the balance vector, and the cameras that saw it.

const FRUSTUM = 0.5; // how deep the drawn frustum of a camera is [m]

class Marks {
  constructor(take, meshes) {
    this.take = take;
    this.meshes = meshes;
  }

  at(frame, shown) {
    return [...(shown.contacts ? this.forces(frame) : []), ...(shown.centres ? this.centres(frame) : []), ...(shown.balance ? this.balance(frame) : [])];
  }

  // What the ground does to the body begins where it touches; a push ends where it strikes.
  forces(frame) {
    const { contacts, pushes, colours, arrows } = this.take;
    return [
      ...this.arrows(contacts, frame, colours.force, 1, () => 0),
      ...this.arrows(pushes, frame, colours.push, arrows.pushScale, (length) => length + arrows.pushGap),
    ];
  }

  arrows(forces, frame, colour, scale, back) {
    const { mass, arrows } = this.take, out = [];
    const near = Math.round(frame);
    for (let k = forces.first[near]; k < forces.first[near + 1]; k++) {
      const force = forces.force.slice(3 * k, 3 * k + 3), point = Array.from(forces.point.slice(3 * k, 3 * k + 3));
      const size = Math.hypot(...force), length = Math.min(arrows.longest, (scale * arrows.perWeight * size) / (mass * 9.81));
      const direction = scaled(force, 1 / size);
      out.push(...this.arrow(add(point, scaled(direction, -back(length))), direction, length, colour));
    }
    return out;
  }

  // From a point along a unit vector; nothing where it would be too short to see.
  arrow(point, direction, length, colour) {
    if (length < 0.02) return [];
    const { shaft, cone } = this.take.markers, orientation = fromZ(direction), head = Math.min(0.09, 0.5 * length);
    const at = (z) => add(point, scaled(direction, z)), thick = 0.35 * head / 2.6;
    return [
      { mesh: this.meshes[shaft], colour, position: at((length - head) / 2), orientation, stretch: [thick, thick, length - head] },
      { mesh: this.meshes[cone], colour, position: at(length - head / 2), orientation, stretch: [0.36 * head, 0.36 * head, head] },
    ];
  }

  // A camera as the edges of what it sees, half a metre deep, with a roof where up is.
  frustum({ size: [w, h], focal, centre, position, axes: [right, down, ahead] }) {
    const at = (u, v) => {
      const ray = add(add(scaled(right, (u - centre[0]) / focal[0]), scaled(down, (v - centre[1]) / focal[1])), ahead);
      return add(position, scaled(ray, FRUSTUM));
    };
    const corners = [at(0, 0), at(w, 0), at(w, h), at(0, h)], roof = at(w / 2, -0.25 * h);
    const edges = corners.flatMap((corner, i) => [[position, corner], [corner, corners[(i + 1) % 4]]]);
    return [...edges, [corners[0], roof], [roof, corners[1]]].map(([from, to]) => {
      const along = sub(to, from), length = Math.hypot(...along);
      return { mesh: this.meshes[this.take.markers.shaft], colour: this.take.colours.camera, position: scaled(add(from, to), 0.5), orientation: fromZ(along), stretch: [0.008, 0.008, length] };
    });
  }

  // The balance vector of a state machine, on the ground from the centre of pressure.
  balance(frame) {
    const { machine, cop, colours } = this.take, near = Math.round(frame);
    const foot = machine && machine.balance && pointAt(cop, frame);
    if (!foot) return [];
    const d = [machine.balance[2 * near], machine.balance[2 * near + 1], 0], size = Math.hypot(...d);
    return size > 0 ? this.arrow(add(foot, [0, 0, 0.02]), scaled(d, 1 / size), machine.balanceScale * size, colours.balance) : [];
  }

  centres(frame) {
    const { markers, colours, com, cop } = this.take, out = [];
    const mass = pointAt(com, frame), pressure = pointAt(cop, frame);
    if (mass) out.push({ mesh: this.meshes[markers.ball], colour: colours.com, position: mass, stretch: [0.035, 0.035, 0.035] });
    if (pressure) out.push({ mesh: this.meshes[markers.shaft], colour: colours.cop, position: add(pressure, [0, 0, 0.004]), stretch: [0.045, 0.045, 0.006] });
    return out;
  }
}
