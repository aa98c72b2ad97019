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
const frames = []; // {time, standing, spread_px, points: {joint: [u, v]}, skipped: Set, history: [joint, what was there before]}
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
    person: { sex: element("sex").value, ...read("person") }, known: { ...read("known"), lens: given.start.known.lens },
    frames: frames.filter((frame) => Object.keys(frame.points).length)
      .map(({ time, standing, points, skipped, spread_px = null }) =>
        ({ time, standing, points, hidden: [...skipped], spread_px })),
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
