// The page of `reenact calibrate`: frames are fetched, joints clicked, camera and poses solved by the server.
"use strict";

const given = JSON.parse(document.getElementById("data").textContent);
const [WIDTH, HEIGHT] = given.size;
const element = (id) => document.getElementById(id);
const made = (name, attributes = {}, text = "") => {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.textContent = text;
  return one;
};
const picture = element("picture");
const FIELDS = { person: { height: "height", mass: "mass" },
  known: { focal_px: "focal_px", tilt_deg: "tilt_deg", roll_deg: "roll_deg", height: "camera_height" } };

const joints = [...given.joints];
for (const frame of given.start.frames) {
  for (const name of Object.keys(frame.points)) {
    if (!joints.some((joint) => joint.name === name)) {
      const side = name.endsWith("_left") ? "left" : name.endsWith("_right") ? "right" : "";
      joints.push({ name, side, label: name, hint: "from the file of clicks" });
    }
  }
}
const frames = []; // {time, standing, points: {joint: [u, v]}, skipped: Set, history: [joint, what was there before]}
let shown = null; // the time of the frame in the picture
let asked = 0; // index of the joint to be clicked next
let box = [0, 0, WIDTH, HEIGHT]; // what is seen of the picture
let solution = null;
let stale = false; // clicks or numbers have changed since the solution
let busy = false;
let request = 0;

const frameShown = () => frames.find((frame) => Math.abs(frame.time - shown) < 1e-6);
const solvedShown = () => solution && solution.frames.find((frame) => Math.abs(frame.time - shown) < 1e-6);

function frameForClicks() {
  let frame = frameShown();
  if (!frame) {
    frame = { time: shown, standing: element("standing").checked, points: {}, skipped: new Set(), history: [] };
    frames.push(frame);
    frames.sort((a, b) => a.time - b.time);
  }
  return frame;
}

function changed() {
  stale = true;
  say("", "");
  draw();
}

function say(word, message, tone = "") {
  element("status").textContent = word;
  element("status").dataset.status = tone;
  element("message").textContent = message;
  element("message").dataset.status = tone === "bad" ? "bad" : "";
}

// Time

async function go(time) {
  const mine = ++request;
  try {
    const answer = await fetch(`/frame?time=${Math.max(0, time)}`);
    if (!answer.ok) throw new Error((await answer.json()).error);
    const blob = await answer.blob();
    if (mine !== request) return false; // another one was asked for meanwhile
    const before = picture.querySelector("image");
    if (before) URL.revokeObjectURL(before.getAttribute("href"));
    const image = made("image", { href: URL.createObjectURL(blob), width: WIDTH, height: HEIGHT });
    if (before) before.replaceWith(image); else picture.prepend(image);
    shown = Number(answer.headers.get("X-Frame-Time"));
    asked = nextJoint(-1);
    if (!busy && element("status").dataset.status === "bad") say("", "");
    draw();
    return true;
  } catch (error) {
    if (mine === request) say("Error", error.message, "bad");
    return false;
  }
}

async function step(sign) { // where frames are not evenly spaced, the next one may be farther than it should be
  const from = shown;
  for (let i = 1; i <= 8 && shown === from; i++) {
    if (!await go(from + sign * i / given.rate)) return;
  }
}

// Joints

function nextJoint(after) {
  const frame = frameShown();
  const open = (joint) => !frame || !(joint.name in frame.points || frame.skipped.has(joint.name));
  const order = [...joints.keys()].slice(0, given.joints.length);
  const later = order.find((i) => i > after && open(joints[i]));
  return later ?? order.find((i) => open(joints[i])) ?? -1;
}

function put(u, v) {
  if (asked < 0 || shown === null) return;
  if (u < 0 || v < 0 || u > WIDTH || v > HEIGHT) return;
  const frame = frameForClicks();
  const name = joints[asked].name;
  frame.history.push([name, frame.points[name] ?? null, frame.skipped.has(name)]);
  frame.points[name] = [Math.round(u * 10) / 10, Math.round(v * 10) / 10];
  frame.skipped.delete(name);
  asked = nextJoint(asked);
  changed();
}

function skip() {
  if (asked < 0 || shown === null) return;
  const frame = frameForClicks();
  const name = joints[asked].name;
  frame.history.push([name, frame.points[name] ?? null, frame.skipped.has(name)]);
  delete frame.points[name];
  frame.skipped.add(name);
  asked = nextJoint(asked);
  changed();
}

function undo() {
  const frame = frameShown();
  if (!frame || !frame.history.length) return;
  const [name, point, skipped] = frame.history.pop();
  delete frame.points[name];
  frame.skipped.delete(name);
  if (point) frame.points[name] = point;
  if (skipped) frame.skipped.add(name);
  asked = joints.findIndex((joint) => joint.name === name);
  changed();
}

function clear() {
  const at = frames.indexOf(frameShown());
  if (at < 0) return;
  frames.splice(at, 1);
  asked = nextJoint(-1);
  changed();
}

// Solving

const number = (id) => (element(id).value === "" ? null : Number(element(id).value));

function message() {
  const read = (part) => Object.fromEntries(Object.entries(FIELDS[part]).map(([key, id]) => [key, number(id)]));
  return {
    format: "reenact-clicks", version: 1, video: given.video, size: given.size,
    person: { sex: element("sex").value, ...read("person") }, known: read("known"),
    frames: frames.filter((frame) => Object.keys(frame.points).length)
      .map(({ time, standing, points, skipped }) => ({ time, standing, points, hidden: [...skipped] })),
  };
}

async function ask(path) {
  if (busy) return;
  busy = true;
  say("Solving", "a second or two for each frame");
  draw();
  try {
    const sent = JSON.stringify(message());
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: sent });
    const content = await answer.json();
    if (!answer.ok) throw new Error(content.error);
    solution = content;
    stale = sent !== JSON.stringify(message());
    const words = `${content.rms_px.toFixed(1)} px rms, worst ${content.worst.joint} ${content.worst.error_px.toFixed(1)} px`;
    if (content.saved.length) say("Saved", content.saved.join(", "), "good");
    else say("Solved", words, content.warnings.length ? "" : "good");
  } catch (error) {
    say("Error", error.message, "bad");
  }
  busy = false;
  draw();
}

// Drawing

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

// Pointer and keys

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  return [point.x, point.y];
}

let pressed = null;
picture.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  pressed = { x: event.clientX, y: event.clientY, point: at(event), moved: false };
  picture.setPointerCapture(event.pointerId);
});
picture.addEventListener("pointermove", (event) => {
  if (!pressed) return;
  pressed.moved ||= Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 5;
  if (!pressed.moved) return;
  const [u, v] = at(event);
  box[0] += pressed.point[0] - u;
  box[1] += pressed.point[1] - v;
  draw();
});
picture.addEventListener("pointerup", (event) => {
  if (pressed && !pressed.moved) put(...at(event));
  pressed = null;
});
picture.addEventListener("pointercancel", () => { pressed = null; });
picture.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [u, v] = at(event);
  const wide = Math.min(WIDTH, Math.max(WIDTH / 30, box[2] * Math.exp(0.0015 * event.deltaY)));
  const share = wide / box[2];
  box = wide >= WIDTH ? [0, 0, WIDTH, HEIGHT] : [u - (u - box[0]) * share, v - (v - box[1]) * share, wide, wide * HEIGHT / WIDTH];
  draw();
}, { passive: false });

const KEYS = {
  z: undo, Backspace: undo, s: skip, Enter: () => ask("/solve"), 0: () => { box = [0, 0, WIDTH, HEIGHT]; draw(); },
  ArrowLeft: () => step(-1), ArrowRight: () => step(1),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action || event.target.closest("select, input:not([type=range]):not([type=checkbox])")) return;
  if (event.key === "Enter" && event.target.closest("button")) return;
  event.preventDefault();
  action();
});
element("back").addEventListener("click", KEYS.ArrowLeft);
element("ahead").addEventListener("click", KEYS.ArrowRight);
element("undo").addEventListener("click", undo);
element("skip").addEventListener("click", skip);
element("clear").addEventListener("click", clear);
element("solve").addEventListener("click", () => ask("/solve"));
element("save").addEventListener("click", () => ask("/save"));
element("draw").addEventListener("change", draw);
element("standing").addEventListener("change", (event) => {
  if (shown === null) return;
  frameForClicks().standing = event.target.checked;
  changed();
});
for (const id of ["sex", ...Object.values(FIELDS.person), ...Object.values(FIELDS.known)]) {
  element(id).addEventListener("input", changed);
}
for (const dot of document.querySelectorAll("#figure [data-joint]")) {
  dot.addEventListener("click", () => choose(joints.findIndex((joint) => joint.name === dot.dataset.joint)));
}
element("slide").addEventListener("input", (event) => go(Number(event.target.value)));
element("slide").addEventListener("change", (event) => event.target.blur());
window.addEventListener("resize", draw);
window.addEventListener("beforeunload", (event) => { if (stale) event.preventDefault(); });

function begin() {
  const { person, known } = given.start;
  element("sex").value = person.sex;
  for (const [part, values] of [["person", person], ["known", known]]) {
    for (const [key, id] of Object.entries(FIELDS[part])) element(id).value = values[key] ?? "";
  }
  for (const { time, standing, points, hidden } of given.start.frames) {
    frames.push({ time, standing, points: { ...points }, skipped: new Set(hidden), history: [] });
  }
  for (const time of given.times) {
    if (frames.every((frame) => Math.abs(frame.time - time) > 1e-6)) {
      frames.push({ time, standing: true, points: {}, skipped: new Set(), history: [] });
    }
  }
  frames.sort((a, b) => a.time - b.time);
  const slide = element("slide");
  slide.min = 0;
  slide.step = 1 / given.rate;
  slide.max = given.duration === null ? 60 : Math.max(0, given.duration - 1 / given.rate);
  go(frames.length ? frames[0].time : 0);
}

begin();
