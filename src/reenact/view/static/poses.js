// The strip of poses below the time line: the nearest one is marked, a click goes to its time.

class PoseStrip {
  constructor(root, seek) {
    this.buttons = [...root.querySelectorAll("button")];
    this.times = this.buttons.map((button) => Number(button.dataset.time));
    this.marked = null;
    this.buttons.forEach((button, i) => (button.onclick = () => seek(this.times[i])));
  }

  mark(time) {
    const away = this.times.map((t) => Math.abs(t - time)), nearest = this.buttons[away.indexOf(Math.min(...away))];
    if (nearest === this.marked) return;
    if (this.marked) this.marked.removeAttribute("aria-current");
    nearest.setAttribute("aria-current", "time");
    this.marked = nearest;
  }
}
