// The video that a take was made from, at the same time as the 3D view: alone, with the body, the mask, or where they differ.

const FILM_MODES = ["video", "body", "mask", "mismatch"];
const VEIL = 0.45; // how much the body covers
const DIM = { video: 1, body: 1, mask: 0.75, mismatch: 0.35 }; // brightness of the video below
const PARTS = { both: "rgb(240 200 60)", mask: "rgb(226 60 70)", body: "rgb(60 130 240)" };

class Film {
  constructor(take, root, changed) {
    this.root = root;
    this.views = take.video || [];
    this.mode = "body";
    this.at = -1;
    if (!root) return;
    this.colours = ["centre", "left", "right"].map((side) => css(take.colours[side]));
    this.canvas = $("film-canvas");
    this.layers = {}; // pictures drawn aside, by name
    this.changed = changed;
    for (const view of this.views) prepare(view);
    this.choose(0);
    this.listen();
    this.fillParts();
  }

  listen() {
    for (const button of this.root.querySelectorAll("[data-film]")) button.onclick = () => this.switchTo(button.dataset.film);
    const select = $("film-view");
    if (select) select.onchange = () => (this.choose(Number(select.value)), this.changed());
    new ResizeObserver(() => ((this.drawn = null), this.changed())).observe(this.canvas);
  }

  fillParts() {
    for (const [key, label] of [["both", "both"], ["mask", "mask alone"], ["body", "body alone"]]) {
      const item = node("span"), dot = node("i");
      dot.style.background = PARTS[key];
      item.append(dot, label);
      $("film-parts").append(item);
    }
  }

  // Pictures are loaded when their view is first chosen; what is waited for is drawn once it is there.
  choose(index) {
    this.view = this.views[index];
    const load = (text, kind) => {
      const image = new Image();
      image.onload = () => ((this.drawn = null), this.changed());
      image.src = `data:image/${kind};base64,${text}`;
      return image;
    };
    this.view.images ??= this.view.pictures.map((text) => load(text, this.view.kind));
    this.view.cuts ??= this.view.masks.map((text) => load(text, "png"));
    this.root.parentElement.style.setProperty("--aspect", this.view.size[0] / this.view.size[1]);
    $("film-remark").textContent = this.view.remark;
    this.drawn = null;
  }

  switchTo(mode) {
    this.mode = mode;
    this.drawn = null;
    this.changed();
  }

  next() {
    this.switchTo(FILM_MODES[(FILM_MODES.indexOf(this.mode) + 1) % FILM_MODES.length]);
  }

  // The frame of the video nearest to a time of the take.
  nearest(time) {
    const at = this.view.time;
    let low = 0, high = at.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (at[middle] <= time) low = middle;
      else high = middle;
    }
    return low + 1 < at.length && at[low + 1] - time < time - at[low] ? low + 1 : low;
  }

  show(time) {
    if (!this.root) return;
    const view = this.view, k = view.time.length ? this.nearest(time) : -1;
    const over = k < 0 || Math.abs(view.time[k] - time) > 1.5 * view.spacing + 1e-3;
    const state = `${k} ${over} ${this.mode}`;
    if (this.drawn === state) return;
    this.drawn = state;
    this.at = k;
    for (const button of this.root.querySelectorAll("[data-film]")) button.setAttribute("aria-pressed", button.dataset.film === this.mode);
    $("film-parts").hidden = this.mode !== "mismatch";
    const value = k >= 0 ? view.mismatch[k] : NaN;
    const known = Number.isNaN(value) ? "no mask" : `mismatch ${value.toFixed(2)}`;
    $("film-said").textContent = over ? "the video does not show this moment" : `${view.name}, ${view.time[k].toFixed(2)} s: ${known}`;
    this.draw(over ? -1 : k);
  }

  draw(k) {
    const { canvas, view } = this, ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d"), scale = Math.min(width / view.size[0], height / view.size[1]);
    const fit = { scale, left: (width - scale * view.size[0]) / 2, top: (height - scale * view.size[1]) / 2 };
    this.fit = fit;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (k < 0) return;
    const place = (image, onto) => onto.drawImage(image, fit.left, fit.top, scale * view.size[0], scale * view.size[1]);
    const image = view.images[k], cut = view.cuts[k];
    pen.fillStyle = "#000";
    pen.fillRect(fit.left, fit.top, scale * view.size[0], scale * view.size[1]);
    pen.globalAlpha = DIM[this.mode];
    if (image && image.complete && image.naturalWidth) place(image, pen);
    pen.globalAlpha = 1;
    pen.save();
    pen.beginPath();
    pen.rect(fit.left, fit.top, scale * view.size[0], scale * view.size[1]);
    pen.clip();
    const mask = (onto) => cut && cut.complete && cut.naturalWidth && place(cut, onto);
    if (this.mode === "body") this.drawBody(pen, k, ratio);
    if (this.mode === "mask") this.lay(pen, "mask", mask, null, css([0.9, 0.12, 0.31]), 0.55);
    if (this.mode === "mismatch") {
      const body = (onto) => this.fillShapes(onto, k, () => "#fff");
      this.lay(pen, "a", body, (onto) => this.combine(onto, "destination-in", "b", mask), PARTS.both, 0.85);
      this.lay(pen, "a", mask, (onto) => this.combine(onto, "destination-out", "b", body), PARTS.mask, 0.85);
      this.lay(pen, "a", body, (onto) => this.combine(onto, "destination-out", "b", mask), PARTS.body, 0.85);
    }
    pen.restore();
  }

  // A picture aside, as large as the screen and empty.
  aside(name) {
    const { width, height } = this.canvas;
    const layer = (this.layers[name] ??= document.createElement("canvas"));
    Object.assign(layer, { width, height }); // which empties it
    return layer;
  }

  // Something drawn aside, cut by something else, in one colour, laid over the screen.
  lay(pen, name, draw, cut, colour, strength) {
    const layer = this.aside(name), onto = layer.getContext("2d");
    draw(onto);
    if (cut) cut(onto);
    onto.globalCompositeOperation = "source-in";
    onto.fillStyle = colour;
    onto.fillRect(0, 0, layer.width, layer.height);
    pen.globalAlpha = strength;
    pen.drawImage(layer, 0, 0);
    pen.globalAlpha = 1;
  }

  combine(onto, how, name, draw) {
    const layer = this.aside(name);
    draw(layer.getContext("2d"));
    onto.globalCompositeOperation = how;
    onto.drawImage(layer, 0, 0);
  }

  drawBody(pen, k, ratio) {
    const veil = this.aside("a"), rim = this.aside("b"), line = rim.getContext("2d");
    this.fillShapes(veil.getContext("2d"), k, (side) => this.colours[side], 0.6 * ratio);
    this.eachShape(k, (path) => {
      Object.assign(line, { lineWidth: 3 * ratio, strokeStyle: "#fff", lineJoin: "round" });
      line.stroke(path);
    });
    line.globalCompositeOperation = "destination-out"; // the outline of the whole lies outside of it
    this.fillShapes(line, k, () => "#fff");
    pen.globalAlpha = VEIL;
    pen.drawImage(veil, 0, 0);
    pen.globalAlpha = 1;
    pen.drawImage(rim, 0, 0);
  }

  fillShapes(pen, k, colour, seam = 0) {
    this.eachShape(k, (path, side) => {
      pen.fillStyle = colour(side);
      pen.fill(path);
      if (!seam) return;
      Object.assign(pen, { lineWidth: seam, strokeStyle: "rgb(0 0 0 / 0.5)" });
      pen.stroke(path);
    });
  }

  // The body's shapes in a frame as paths on the screen, the farthest first.
  eachShape(k, act) {
    const { firstShape, firstCorner, corners, side } = this.view, { scale, left, top } = this.fit;
    for (let i = firstShape[k]; i < firstShape[k + 1]; i++) {
      const path = new Path2D();
      for (let c = firstCorner[i]; c < firstCorner[i + 1]; c++) path.lineTo(left + scale * corners[2 * c], top + scale * corners[2 * c + 1]);
      path.closePath();
      act(path, side[i]);
    }
  }
}

function prepare(view) {
  for (const name of ["time", "mismatch", "firstShape", "side", "firstCorner", "corners"]) view[name] = decode(view[name]);
  const n = view.time.length;
  view.spacing = n > 1 ? (view.time[n - 1] - view.time[0]) / (n - 1) : 1;
}

function css(colour) {
  return `rgb(${colour.map((c) => Math.round(255 * c)).join(" ")})`;
}
