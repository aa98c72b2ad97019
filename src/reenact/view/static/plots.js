// Curves over time on 2D canvases: axes, lines, and a cursor that moves with the motion; a click seeks.

const MARGIN = { left: 46, right: 10, top: 8, bottom: 20 };
const SEEN = 0.25; // of its bound: a curve that comes nearer is shown with it
const number = (v) => String(+v.toPrecision(6)).replace("-", "−");

class Plots {
  constructor(take, root, seek) {
    Object.assign(this, { take, root, seek, panels: [], group: null });
    new ResizeObserver(() => this.redraw()).observe(root);
  }

  show(index) {
    this.group = index;
    const group = this.take.curves.groups[index];
    this.panels = (group ? group.plots : []).map((plot) => this.panel(plot));
    this.root.replaceChildren(...this.panels.map((panel) => panel.element));
    this.redraw();
  }

  panel(plot) {
    const element = node("div", "plot"), header = node("header"), title = node("b"), keys = node("div", "keys"), area = node("div", "area");
    title.textContent = `${plot.title} [${plot.unit}]` + (plot.bound ? ` within ±${+plot.bound.toPrecision(3)}` : "");
    const readouts = plot.curves.map((curve) => {
      const key = node("span"), line = node("i", curve.style === "reference" ? "dashed" : ""), value = node("output");
      line.style.borderColor = `var(--${curve.style})`;
      key.append(line, curve.label, " ", value);
      keys.append(key);
      return value;
    });
    const canvas = node("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${title.textContent} over time`);
    area.append(canvas);
    header.append(title, keys);
    element.append(header, area);
    const panel = { plot, element, canvas, readouts, range: rangeOf(plot), still: document.createElement("canvas") };
    this.listen(panel);
    return panel;
  }

  listen(panel) {
    const go = (event) => {
      const box = panel.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
      this.seek(Math.min(1, Math.max(0, share)) * this.take.duration);
    };
    panel.canvas.addEventListener("pointerdown", (event) => {
      panel.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    panel.canvas.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  }

  redraw() {
    for (const panel of this.panels) this.drawStill(panel);
    this.drawCursor(this.time || 0);
  }

  drawStill(panel) {
    const { canvas, still, plot, range } = panel, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    for (const c of [canvas, still]) Object.assign(c, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const pen = still.getContext("2d"), style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    panel.x = (t) => MARGIN.left + (t / (this.take.duration || 1)) * (width - MARGIN.left - MARGIN.right);
    panel.y = (v) => MARGIN.top + ((range.high - v) / (range.high - range.low)) * (height - MARGIN.top - MARGIN.bottom);
    this.drawAxes(panel, pen, colour, width, height);
    const clip = new Path2D();
    clip.rect(MARGIN.left, 0, width - MARGIN.left - MARGIN.right, height - MARGIN.bottom + 2);
    pen.save();
    pen.clip(clip);
    for (const curve of [...plot.curves].reverse()) this.drawLine(panel, pen, curve, colour(curve.style));
    pen.restore();
  }

  drawAxes(panel, pen, colour, width, height) {
    pen.font = "11px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const v of ticks(panel.range.low, panel.range.high, Math.max(2, Math.floor(height / 42)))) {
      const y = Math.round(panel.y(v)) + 0.5;
      pen.strokeStyle = colour(v === 0 ? "muted" : "line");
      stroke(pen, [[MARGIN.left, y], [width - MARGIN.right, y]]);
      pen.fillStyle = colour("muted");
      pen.fillText(number(v), MARGIN.left - 7, y, MARGIN.left - 8);
    }
    if (panel.plot.bound) this.drawBounds(panel, pen, colour, width);
    pen.textBaseline = "alphabetic";
    const times = ticks(0, this.take.duration, Math.max(2, Math.floor(width / 80)));
    times.forEach((t, i) => {
      pen.textAlign = i === 0 ? "left" : panel.x(t) > width - 34 ? "right" : "center";
      pen.fillText(`${+t.toPrecision(4)}${i === times.length - 1 ? " s" : ""}`, panel.x(t), height - 5);
    });
  }

  drawBounds(panel, pen, colour, width) {
    const { bound } = panel.plot, { low, high } = panel.range;
    pen.strokeStyle = colour("bad");
    pen.setLineDash([2, 3]);
    for (const v of [-bound, bound])
      if (v > low && v < high) stroke(pen, [[MARGIN.left, panel.y(v)], [width - MARGIN.right, panel.y(v)]]);
    pen.setLineDash([]);
  }

  drawLine(panel, pen, curve, colour) {
    const { time } = this.take.curves, start = this.take.start;
    pen.strokeStyle = colour;
    pen.lineWidth = curve.style === "reference" ? 1.5 : 1.8;
    pen.lineJoin = "round";
    pen.setLineDash(curve.style === "reference" ? [5, 4] : []);
    pen.beginPath();
    let down = false;
    curve.values.forEach((v, i) => {
      if (Number.isNaN(v)) down = false;
      else {
        pen[down ? "lineTo" : "moveTo"](panel.x(time[i] - start), panel.y(v));
        down = true;
      }
    });
    pen.stroke();
    pen.setLineDash([]);
  }

  drawCursor(time) {
    this.time = time;
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
    for (const panel of this.panels) {
      if (!panel.x) continue;
      const pen = panel.canvas.getContext("2d"), x = panel.x(time), i = this.sample(time);
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, panel.canvas.width, panel.canvas.height);
      pen.drawImage(panel.still, 0, 0);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.strokeStyle = style.getPropertyValue("--cursor");
      pen.lineWidth = 1;
      const line = Math.floor(x) + 0.5; // on whole pixels, or it blurs
      stroke(pen, [[line, MARGIN.top - 4], [line, panel.canvas.clientHeight - MARGIN.bottom]]);
      panel.plot.curves.forEach((curve, k) => {
        const v = curve.values[i];
        panel.readouts[k].textContent = Number.isNaN(v) ? "–" : (Math.abs(v) < 10 ? v.toFixed(2) : v.toFixed(1)).replace("-", "−");
        if (Number.isNaN(v)) return;
        pen.fillStyle = style.getPropertyValue(`--${curve.style}`);
        pen.beginPath();
        pen.arc(x, panel.y(v), 3.2, 0, 2 * Math.PI);
        pen.fill();
      });
    }
  }

  // The plotted sample nearest to a time.
  sample(time) {
    const at = this.take.curves.time, n = at.length;
    if (n < 2) return 0;
    return Math.min(n - 1, Math.max(0, Math.round((time + this.take.start - at[0]) / (at[1] - at[0]))));
  }
}

function node(tag, className = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  return element;
}

function stroke(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

// The span of all curves with a little room, never narrower than what can be read.
function rangeOf(plot) {
  let low = Infinity, high = -Infinity;
  for (const curve of plot.curves)
    for (const v of curve.values)
      if (!Number.isNaN(v)) (low = Math.min(low, v)), (high = Math.max(high, v));
  if (low > high) [low, high] = [0, 1];
  if (plot.bound && Math.max(-low, high) > SEEN * plot.bound) (low = Math.min(low, -plot.bound)), (high = Math.max(high, plot.bound));
  const least = { "°": 10, "N·m": 10, N: 100, m: 0.2, "m/s": 0.5 }[plot.unit] || 1e-6;
  const middle = (low + high) / 2, half = Math.max((high - low) / 2, least / 2) * 1.08;
  return { low: middle - half, high: middle + half };
}

// Round numbers across a range, about `count` of them.
function ticks(low, high, count) {
  const rough = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k === 0 ? 0 : k * step);
  return out;
}
