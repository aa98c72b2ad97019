// A state machine at work: the present state lit in its graph, told in words and marked on the time line.

const TAKEN = 0.2; // seconds for which a transition stays bright

class MachineView {
  constructor(take, seek) {
    this.machine = take.machine;
    this.seek = seek;
    this.rate = take.rate;
    this.time = 0;
    this.shown = null;
    this.root = document.getElementById("course");
    if (!this.machine) return;
    const graph = document.querySelector("#machine .graph");
    this.nodes = [...graph.querySelectorAll(".state")];
    this.edges = [...graph.querySelectorAll(".edge[data-from]")];
    this.visits = this.machine.visits;
    this.blocks = this.root ? [...this.root.querySelectorAll("[data-visit]")] : [];
    if (!this.visits.length) return;
    for (const node of this.nodes) node.addEventListener("click", () => this.goTo(Number(node.dataset.state)));
    graph.classList.add("alive");
    this.listen(take);
  }

  listen(take) {
    for (const track of this.root.querySelectorAll(".track")) {
      const go = (event) => {
        const box = track.getBoundingClientRect();
        this.seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * take.duration);
      };
      track.addEventListener("pointerdown", go);
      track.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    }
  }

  // The visit that a time lies in.
  visit(time) {
    let low = 0, high = this.visits.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.visits[middle][0] <= time + 1e-6) low = middle;
      else high = middle;
    }
    return low;
  }

  // The next time in a state after now, or its first one.
  goTo(state) {
    const begins = this.visits.filter(([, s]) => s === state).map(([begin]) => begin);
    if (!begins.length) return;
    const begin = begins.find((each) => each > this.time + 1e-3) ?? begins[0];
    this.seek(Math.ceil(begin * this.rate - 1e-3) / this.rate); // the first frame shown in it
  }

  show(time, duration) {
    this.time = time;
    if (this.root) this.root.style.setProperty("--now", time / (duration || 1));
    if (!this.machine || !this.visits.length) return;
    const at = this.visit(time), [begin, state] = this.visits[at];
    const from = at > 0 && time - begin < TAKEN ? this.visits[at - 1][1] : null;
    const { name, until, onTime, stays } = this.machine.states[state];
    const ends = stays ? "stays" : onTime ? "until its time is up" : `until the ${until} touches`;
    const title = name === `${state + 1}` ? `state ${name}` : `${state + 1} ${name}`;
    document.getElementById("state-now").textContent = title;
    document.getElementById("machine-now").textContent = `${title}, for ${(time - begin).toFixed(2)} s, ${ends}`;
    const key = `${at} ${from}`;
    if (key === this.shown) return;
    this.shown = key;
    for (const node of this.nodes) node.classList.toggle("now", Number(node.dataset.state) === state);
    for (const edge of this.edges)
      edge.classList.toggle("taken", from !== null && Number(edge.dataset.from) === from && Number(edge.dataset.to) === state);
    for (const block of this.blocks) block.classList.toggle("now", Number(block.dataset.visit) === at);
  }
}

// Bars of torque as shares of what each joint may use.
class TorqueBars {
  constructor(take, root, plots, choose) {
    Object.assign(this, { take, plots });
    this.bars = (root ? [...root.querySelectorAll(".bar")] : []).map((element) => {
      const group = Number(element.dataset.group), plot = take.curves.groups[group].plots.find((p) => p.bound);
      element.addEventListener("click", () => choose(group));
      return { element, plot, fill: element.querySelector("i"), text: element.querySelector("output") };
    });
  }

  show(time) {
    if (!this.bars.length) return;
    const sample = this.plots.sample(time);
    for (const { element, plot, fill, text } of this.bars) {
      const share = plot.curves[0].values[sample] / plot.bound, width = Math.min(1, Math.abs(share) || 0);
      fill.style.left = `${share < 0 ? 50 - 50 * width : 50}%`;
      fill.style.width = `${50 * width}%`;
      text.textContent = Number.isNaN(share) ? "–" : `${Math.round(100 * share)} %`.replace("-", "−");
      element.classList.toggle("full", Math.abs(share) >= 0.995);
    }
  }
}
