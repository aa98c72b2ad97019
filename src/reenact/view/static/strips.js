// When each part touches and how hard: one bar per part over time, coloured by its load; a click seeks.

class Strips {
  constructor(take, root, seek) {
    Object.assign(this, { take, root });
    this.canvases = root ? [...root.querySelectorAll("canvas")] : [];
    for (const canvas of this.canvases) {
      const go = (event) => {
        const box = canvas.getBoundingClientRect();
        seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * take.duration);
      };
      canvas.addEventListener("pointerdown", (event) => (canvas.setPointerCapture(event.pointerId), go(event)));
      canvas.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    }
    if (root) new ResizeObserver(() => this.redraw()).observe(root);
  }

  redraw() {
    const { frames, pressure } = this.take, ratio = window.devicePixelRatio || 1;
    for (const canvas of this.canvases) {
      const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
      if (!width || !height) continue;
      Object.assign(canvas, { width, height });
      const pen = canvas.getContext("2d"), load = pressure.load.subarray(canvas.dataset.part * frames, (+canvas.dataset.part + 1) * frames);
      for (let x = 0; x < width; x++) {
        const from = Math.floor((x / width) * frames), to = Math.max(from + 1, Math.floor(((x + 1) / width) * frames));
        const most = load.subarray(from, to).reduce((a, b) => Math.max(a, b), 0); // a brief touch is not lost
        if (most < pressure.least) continue;
        pen.fillStyle = rampColour(pressure.ramp, 0.12 + 0.88 * Math.sqrt(most / pressure.stripLoad));
        pen.fillRect(x, 0, 1, height);
      }
    }
  }

  drawCursor(time) {
    if (this.root) this.root.style.setProperty("--now", `${(100 * time) / (this.take.duration || 1)}%`);
  }
}
