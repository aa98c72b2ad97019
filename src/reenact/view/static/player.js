// Time: playing, seeking, stepping. Calls `changed` whenever what is shown may differ.

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

class Player {
  constructor(take, changed) {
    this.take = take;
    this.changed = changed;
    this.time = 0; // seconds since the first frame
    this.playing = false;
    this.speed = 1;
    this.last = null;
  }

  // The fractional frame shown now; a paused take shows whole frames.
  get at() {
    const frame = Math.min(this.take.frames - 1, this.time * this.take.rate);
    return this.playing ? frame : Math.round(frame);
  }

  get frame() {
    return Math.min(this.take.frames - 1, Math.round(this.time * this.take.rate));
  }

  play() {
    if (this.time >= this.take.duration - 1e-6) this.time = 0;
    this.playing = true;
    this.last = null;
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  seek(time) {
    this.time = Math.min(this.take.duration, Math.max(0, time));
    this.changed();
  }

  step(frames) {
    this.playing = false;
    this.seek((this.frame + frames) / this.take.rate);
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
    this.changed();
  }

  // Advance by the wall clock; at the end begin again.
  tick(now) {
    if (this.playing && this.last !== null) {
      this.time += ((now - this.last) / 1000) * this.speed;
      if (this.time > this.take.duration) this.time = this.take.duration > 0 ? this.time % this.take.duration : 0;
    }
    this.last = this.playing ? now : null;
  }
}
