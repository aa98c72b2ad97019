// The page of `reenact calibrate`: what is drawn over the picture, and the panel beside it.

function draw() {
  const frame = frameShown();
  const solved = solvedShown();
  picture.setAttribute("viewBox", box.join(" "));
  const area = picture.getBoundingClientRect();
  const px = Math.max(box[2] / area.width, box[3] / area.height) || 1; // picture pixels per pixel of the screen
  for (const old of picture.querySelectorAll("g")) old.remove();
  if (solved && element("draw").checked) picture.append(drawnBody(solved, frame, px));
  const marks = made("g");
  for (const joint of joints) {
    const point = frame && frame.points[joint.name];
    if (!point) continue;
    const isAsked = joints[asked] === joint;
    const attributes = { class: `mark ${joint.side} ${isAsked ? "asked" : ""}`, cx: point[0], cy: point[1], r: 4.5 * px };
    const mark = made("circle", { ...attributes, "stroke-width": (isAsked ? 3 : 1.2) * px });
    mark.append(made("title", {}, joint.label));
    marks.append(mark);
  }
  picture.append(marks);
  drawPanel(frame, solved);
}

function drawnBody(solved, frame, px) {
  const group = made("g", { class: stale ? "stale" : "" });
  for (const shape of solved.shapes) {
    const side = shape.segment.endsWith("_left") ? "left" : shape.segment.endsWith("_right") ? "right" : "";
    const points = shape.corners.map((corner) => corner.join(",")).join(" ");
    group.append(made("polygon", { class: `shape ${side}`, points, "stroke-width": 1.2 * px }));
  }
  for (const [name, [u, v]] of Object.entries(solved.seen)) {
    const clicked = frame && frame.points[name];
    if (clicked) {
      group.append(made("line", { class: "miss", x1: clicked[0], y1: clicked[1], x2: u, y2: v, "stroke-width": 1.5 * px }));
    }
    group.append(made("circle", { class: "seen", cx: u, cy: v, r: 6.5 * px, "stroke-width": 1.2 * px }));
  }
  return group;
}

function drawPanel(frame, solved) {
  const joint = joints[asked];
  element("joint").textContent = joint ? `Click the ${joint.label}` : "All joints are done";
  element("hint").textContent = joint ? joint.hint : "Solve, or go to another frame.";
  const list = element("joints");
  list.replaceChildren();
  joints.forEach((each, i) => {
    const state = [frame && each.name in frame.points && "done", frame && frame.skipped.has(each.name) && "skipped",
      i === asked && "asked"].filter(Boolean).join(" ");
    const row = document.createElement("li");
    row.className = `${each.side} ${state}`;
    row.textContent = each.label;
    const error = document.createElement("span");
    if (solved && each.name in solved.errors && !stale) {
      error.textContent = `${solved.errors[each.name].toFixed(1)} px`;
      error.className = solved.errors[each.name] > solved.far ? "far" : "";
    }
    row.append(error);
    row.addEventListener("click", () => choose(i));
    list.append(row);
    const dot = document.querySelector(`#figure [data-joint="${each.name}"]`);
    if (dot) dot.setAttribute("class", `${each.side} ${state}`);
  });
  drawFrames();
  element("now").textContent = shown === null ? "" : `${shown.toFixed(3)} s`;
  if (shown !== null && document.activeElement !== element("slide")) element("slide").value = shown;
  element("standing").checked = frame ? frame.standing : true;
  element("clear").disabled = !frame;
  element("undo").disabled = !(frame && frame.history.length);
  element("skip").disabled = asked < 0;
  element("solve").disabled = busy || !frames.some((one) => Object.keys(one.points).length);
  element("save").disabled = busy || !solution;
  drawCamera();
}

function drawFrames() {
  const row = element("frames");
  row.replaceChildren();
  for (const frame of frames) {
    const chip = document.createElement("button");
    chip.textContent = `${frame.time.toFixed(2)} s · ${Object.keys(frame.points).length} joints`;
    if (Math.abs(frame.time - shown) < 1e-6) chip.setAttribute("aria-current", "true");
    chip.addEventListener("click", () => go(frame.time));
    row.append(chip);
  }
}

function drawCamera() {
  const row = element("camera");
  row.replaceChildren();
  row.className = `headline ${stale ? "stale" : ""}`;
  element("warnings").replaceChildren();
  if (!solution) return;
  const { focal_px, tilt_deg, roll_deg, height } = solution.camera;
  const at = solution.frames.indexOf(solvedShown());
  const figures = [[`${focal_px[0].toFixed(0)} px ± ${focal_px[1].toFixed(0)} %`, "focal length"],
    [`${tilt_deg[0].toFixed(1)}° ± ${tilt_deg[1].toFixed(1)}°`, "tilt, down"],
    [`${roll_deg[0].toFixed(1)}° ± ${roll_deg[1].toFixed(1)}°`, "roll"],
    [`${height[0].toFixed(2)} m ± ${height[1].toFixed(2)} m`, "camera's height"],
    [`${solution.distance[Math.max(at, 0)].toFixed(2)} m`, "to the person"], [`${solution.rms_px.toFixed(1)} px`, "rms"]];
  for (const [value, label] of figures) {
    const cell = document.createElement("div");
    const bold = document.createElement("b");
    const small = document.createElement("span");
    bold.textContent = value;
    small.textContent = label;
    cell.append(bold, small);
    row.append(cell);
  }
  for (const warning of stale ? [] : solution.warnings) {
    const item = document.createElement("li");
    item.textContent = warning;
    element("warnings").append(item);
  }
}

function choose(index) {
  asked = index;
  draw();
}
