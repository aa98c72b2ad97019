// The page of `reenact calibrate`: pointer, keys and buttons, and how it begins.

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
  for (const { time, standing, points, hidden, spread_px } of given.start.frames) {
    frames.push({ time, standing, spread_px, points: { ...points }, skipped: new Set(hidden), history: [] });
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
