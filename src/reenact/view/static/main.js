// Puts the parts together: one `update` draws whatever changed, at most once per displayed frame.

const $ = (id) => document.getElementById(id);
const take = loadTake();
const shown = { ghost: take.ghost !== null, contacts: true, centres: true, sides: false, pressure: false, target: false, balance: true, camera: true };
const camera = new Camera(take);
const player = new Player(take, () => request());
const plots = new Plots(take, $("plots"), (time) => player.seek(time));
const strips = new Strips(take, $("touch"), (time) => player.seek(time));
const poses = new PoseStrip($("poses"), (time) => player.seek(time));
const machine = new MachineView(take, (time) => player.seek(time));
const torques = new TorqueBars(take, $("torques"), plots, (group) => pick(group));
const film = new Film(take, $("film"), () => request());
const FLAGS = ["ghost", "contacts", "centres", "sides", "pressure", "target", "balance", "camera"];
let renderer = null;
let waiting = false;

try {
  renderer = new Renderer($("view"), take);
} catch (error) {
  $("no-webgl").hidden = false;
}

function request() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame((now) => {
    waiting = false;
    player.tick(now);
    update();
    if (player.playing) request();
  });
}

function update() {
  const frame = player.at;
  camera.track(frame);
  if (renderer) renderer.draw(frame, camera, shown);
  plots.drawCursor(frame / take.rate);
  strips.drawCursor(frame / take.rate);
  poses.mark(frame / take.rate);
  machine.show(frame / take.rate, take.duration);
  torques.show(frame / take.rate);
  film.show(frame / take.rate);
  $("scrub").value = player.time;
  $("clock").textContent = `${(frame / take.rate).toFixed(2)} / ${take.duration.toFixed(2)} s`;
  $("play").dataset.playing = player.playing;
  $("speed").value = String(player.speed);
  $("follow").setAttribute("aria-pressed", camera.follow);
  $("through").setAttribute("aria-pressed", camera.through !== null);
  for (const name of FLAGS) $(name).setAttribute("aria-pressed", shown[name]);
  $("legend").dataset.sides = shown.sides && !shown.pressure;
  $("scale").hidden = !shown.pressure;
}

function flip(name) {
  if (name === "follow") {
    camera.follow = !camera.follow;
    if (camera.follow) camera.shift = [0, 0, 0];
  } else if (!$(name).disabled) shown[name] = !shown[name];
  camera.allowBelow(shown.pressure);
  request();
}

// See the scene from where the video was filmed, or from where one was before.
function lookThrough() {
  if (!film.view) return;
  camera.through = camera.through ? null : film.view;
  request();
}

function choose(by) {
  const count = take.curves.groups.length;
  if (!count) return;
  pick(($("group").selectedIndex + by + count) % count);
}

function pick(group) {
  $("group").selectedIndex = group;
  plots.show(group);
}

function fillControls() {
  take.curves.groups.forEach((group) => $("group").append(new Option(group.name)));
  const first = take.video ? 0 : Math.max(0, take.curves.groups.findIndex((group) => /knee/i.test(group.name)));
  $("group").selectedIndex = first;
  plots.show(first);
  $("scrub").max = take.duration;
  $("ghost").disabled = !take.ghost;
  for (const name of ["target", "balance"]) {
    $(name).hidden = !(take.machine && take.machine[name]);
    $(name).disabled = !(take.machine && take.machine[name]);
  }
  for (const name of ["camera", "through"]) $(name).hidden = !take.video;
  fillScale($("scale"), take.pressure);
  const names = { left: "left", right: "right", ...(take.ghost ? { ghost: "reference" } : {}), force: "contact force", ...(take.pushes.force.length ? { push: "push" } : {}), ...(take.machine ? { target: "target pose" } : {}), ...(take.machine && take.machine.balance ? { balance: `balance vector d${take.machine.balanceScale > 1 ? `, ${take.machine.balanceScale} ×` : ""}` } : {}), com: "centre of mass", cop: "centre of pressure" };
  for (const [key, label] of Object.entries(names)) {
    const item = node("span"), dot = node("i");
    dot.style.background = `rgb(${take.colours[key].map((c) => Math.round(255 * c)).join(" ")})`;
    item.append(dot, label);
    if (key === "left" || key === "right") item.className = "side";
    $("legend").append(item);
  }
}

function listen() {
  $("play").onclick = () => player.toggle();
  $("back").onclick = () => player.step(-1);
  $("forth").onclick = () => player.step(1);
  $("scrub").oninput = () => player.seek(Number($("scrub").value));
  $("speed").onchange = () => (player.speed = Number($("speed").value));
  $("group").onchange = () => plots.show($("group").selectedIndex);
  $("group-back").onclick = () => choose(-1);
  $("group-forth").onclick = () => choose(1);
  for (const name of ["follow", ...FLAGS]) $(name).onclick = () => flip(name);
  const reset = () => (camera.reset(), request());
  $("reset").onclick = reset;
  $("through").onclick = lookThrough;
  $("help-open").onclick = () => $("help").showModal();
  camera.listen($("view"), request);
  listenToKeys({
    " ": () => player.toggle(),
    ArrowLeft: () => player.seek(player.time - 0.1),
    ArrowRight: () => player.seek(player.time + 0.1),
    ArrowUp: () => player.faster(1),
    ArrowDown: () => player.faster(-1),
    ",": () => player.step(-1),
    ".": () => player.step(1),
    Home: () => player.seek(0),
    End: () => player.seek(take.duration),
    "[": () => choose(-1),
    "]": () => choose(1),
    f: () => flip("follow"),
    g: () => flip("ghost"),
    t: () => flip("target"),
    b: () => flip("balance"),
    c: () => flip("contacts"),
    k: () => flip("pressure"),
    m: () => flip("centres"),
    s: () => flip("sides"),
    v: () => film.root && film.next(),
    w: () => take.video && flip("camera"),
    l: lookThrough,
    r: reset,
    "?": () => $("help").showModal(),
  });
  new ResizeObserver(request).observe($("view"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (renderer) renderer.readTheme();
    plots.redraw();
    strips.redraw();
    request();
  });
}

fillControls();
listen();
update();

// For tests and for scripts that drive the page.
window.reenact = {
  get time() { return player.time; },
  get frame() { return player.frame; },
  get playing() { return player.playing; },
  get speed() { return player.speed; },
  get drawn() { return renderer !== null; },
  get follow() { return camera.follow; },
  get shown() { return { ...shown }; },
  get plotted() { return $("group").value; },
  duration: take.duration,
  frames: take.frames,
  seek: (time) => (player.seek(time), player.tick(performance.now()), update()),
  play: () => player.play(),
  pause: () => player.pause(),
  camera,
  film,
};
