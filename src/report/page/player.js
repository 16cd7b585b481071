// The player of motions, or of one position that does not move: time, camera and what the reader
// chooses, by mouse, touch and keyboard.
const speeds = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50];

// A triangle, or while a motion plays the two bars that stop it.
function playSign(playing) {
  const shape = playing ? "M2 1H5V11H2ZM8 1H11V11H8Z" : "M2 1L12 6L2 11Z";
  return svgElement("svg", { viewBox: "0 0 13 12", class: "sign" }, svgElement("path", { d: shape, fill: "currentColor" }));
}

class Player {
  constructor(block, host) {
    this.block = block;
    this.host = host;
    this.still = block.kind === "pose";
    this.canvas = element("canvas", { tabindex: "0", role: "img", "aria-label":
      (this.still ? "Picture of the mechanism. Arrow" : "Animation of the mechanism. Space plays, comma and full stop step, arrow") +
      " keys turn the view, plus and minus zoom, 0 resets the view." });
    this.tip = element("div", { class: "tip", hidden: "" });
    this.message = element("p", { class: "notice warning" });
    this.playing = false;
    this.showNames = null;
    this.showShapes = this.showLoads = true;
    this.legend = element("ul", { class: "legend" });
    this.missing = element("p", { class: "note" });
    host.append(element("div", { class: "stage" }, this.canvas, this.tip), this.message);
    if (this.firstShown() < 0) {
      this.canvas.hidden = true;
      this.message.textContent = block.motions[0].error;
      this.motion = block.motions[0];
      return;
    }
    host.append(...(this.still ? [] : [this.timeControls()]), this.viewControls(), this.legend, this.missing);
    this.listen();
    if (!this.still) clock.follow((time, source) => { if (source !== this && time !== null) this.showTime(time); });
    this.choose(this.firstShown());
  }

  // The first motion that could be run; -1 if there is none.
  firstShown() {
    return this.block.motions.findIndex((motion) => !motion.error);
  }

  timeControls() {
    this.button = element("button", { type: "button", "aria-label": "play or pause" }, playSign(false));
    this.button.addEventListener("click", () => this.toggle());
    this.slider = element("input", { type: "range", min: "0", step: "1", value: "0", "aria-label": "time" });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.clock = element("span", { class: "clock" });
    this.speedChoice = choice("speed", speeds.map((speed) => speed + "\u00d7"), (index) => { this.speed = speeds[index]; });
    return element("div", { class: "controls" }, this.button, this.slider, this.clock, this.speedChoice);
  }

  viewControls() {
    const row = element("div", { class: "controls" });
    if (this.block.motions.length > 1)
      row.append(choice(this.block.choice || "design", this.block.motions.map((motion) => motion.label), (index) => this.choose(index),
        this.firstShown()));
    this.traceHost = element("span");
    const tick = (label, changed) => {
      const box = element("input", { type: "checkbox" });
      box.addEventListener("change", () => { changed(box.checked); this.draw(); });
      row.append(element("label", {}, box, label));
      return box;
    };
    row.append(this.traceHost);
    this.nameBox = tick(this.still ? "bodies" : "names", (on) => { this.showNames = on; });
    if (this.still) {
      this.jointBox = tick("joints", (on) => { this.showJoints = on; });
      this.pointBox = tick("points", (on) => { this.showPoints = on; });
    }
    this.shapeBox = tick("shapes", (on) => { this.showShapes = on; });
    this.shapeBox.checked = this.showShapes;
    this.loadBox = tick("forces", (on) => { this.showLoads = on; this.legend.hidden = !on; });
    this.loadBox.checked = this.showLoads;
    this.perspectiveBox = tick("perspective", (on) => { this.camera.perspective = on; });
    const reset = element("button", { type: "button" }, "reset view");
    reset.addEventListener("click", () => { this.camera.reset(); this.draw(); });
    row.append(reset);
    return row;
  }

  choose(index) {
    this.motion = this.block.motions[index];
    const failed = Boolean(this.motion.error);
    this.canvas.hidden = failed;
    this.message.hidden = !failed;
    this.message.textContent = failed ? this.motion.error : "";
    for (const row of this.host.querySelectorAll(".controls input, .controls button")) row.disabled = failed;
    if (failed) {
      this.playing = false;
      return;
    }
    this.shapes = new Shapes(this.motion);
    this.loads = new Loads(this.motion);
    this.loadBox.parentElement.hidden = this.loads.isEmpty();
    this.legend.hidden = !this.showLoads || this.loads.isEmpty();
    this.missing.hidden = (this.motion.missing ?? []).length === 0;
    this.missing.textContent = "Not drawn, since there was nothing to be read: " + (this.motion.missing ?? []).join(", ") + ".";
    this.shapeBox.parentElement.hidden = this.shapes.isEmpty();
    this.camera = new Camera(this.motion, this.shapes.outline());
    this.camera.perspective = this.perspectiveBox.checked;
    if (this.showNames === null) this.showNames = this.motion.bodies.length <= 12;
    this.nameBox.checked = this.showNames;
    if (this.still) {
      this.showJoints = this.jointBox.checked = this.motion.joints.length <= 12;
      this.showPoints = false;
      this.frame = 0;
      this.trace = -1;
      this.draw();
      return;
    }
    const duration = this.motion.time[this.motion.time.length - 1] - this.motion.time[0];
    // So that it plays for some 5 s.
    this.speed = speeds.reduce((best, speed) => (Math.abs(Math.log(duration / 5 / speed)) < Math.abs(Math.log(duration / 5 / best)) ? speed : best), 1);
    this.speedChoice.querySelector("select").value = String(speeds.indexOf(this.speed));
    this.trace = this.longestPath();
    this.traceHost.replaceChildren(choice("trace of", ["nothing", ...this.motion.places],
      (chosen) => { this.trace = chosen - 1; this.draw(); }, this.trace + 1));
    this.slider.max = String(this.motion.time.length - 1);
    this.show(Math.min(this.frame ?? 0, this.motion.time.length - 1));
  }

  // The place that moves most says most of a motion.
  longestPath() {
    const { places, positions, time } = this.motion;
    const lengths = places.map((_, place) => {
      let length = 0;
      for (let i = 1; i < time.length; ++i) {
        const [a, b] = [((i - 1) * places.length + place) * 3, (i * places.length + place) * 3];
        length += Math.hypot(positions[b] - positions[a], positions[b + 1] - positions[a + 1], positions[b + 2] - positions[a + 2]);
      }
      return length;
    });
    const longest = Math.max(...lengths);
    return longest > 0 ? lengths.indexOf(longest) : -1;
  }

  show(frame, isTold = false) {
    if (this.motion.error) return;
    this.frame = frame;
    this.time = this.motion.time[frame];
    this.slider.value = String(frame);
    this.clock.textContent = "t = " + this.motion.time[frame].toFixed(3) + " s";
    this.draw();
    if (!isTold) clock.set(this.time, this);
  }

  // What somebody else has set: the frame nearest to it, and it stays.
  showTime(time) {
    if (this.motion.error) return;
    if (this.playing) this.toggle();
    this.show(nearest(this.motion.time, time), true);
  }

  draw() {
    if (this.motion.error) return;
    const width = Math.max(200, this.canvas.clientWidth), height = Math.round(Math.max(240, Math.min(460, width * 0.5)));
    const density = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * density) || this.canvas.height !== Math.round(height * density)) {
      this.canvas.width = Math.round(width * density);
      this.canvas.height = Math.round(height * density);
      this.canvas.style.aspectRatio = width + " / " + height;
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(density, 0, 0, density, 0, 0);
    this.scene = new Scene(context, width, height, this.motion, this.camera, this.frame,
      this.showShapes && !this.shapes.isEmpty() ? this.shapes : null, this.showLoads ? this.loads : null);
    if (this.showLoads) this.loads.tell(this.legend, this.frame);
    this.scene.draw(this.trace, { bodies: this.showNames, joints: this.showJoints, points: this.showPoints });
  }

  // Says what lies under the pointer.
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const lines = this.motion.error ? [] : thingsAt(this.scene, [x, y]);
    this.tip.hidden = lines.length === 0;
    if (lines.length === 0) return;
    this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
    this.tip.style.left = Math.max(0, Math.min(x + 14, box.width - this.tip.offsetWidth - 4)) + "px";
    this.tip.style.top = (y + 18 + this.tip.offsetHeight > box.height ? y - this.tip.offsetHeight - 8 : y + 18) + "px";
  }

  toggle() {
    this.playing = !this.playing && !this.motion.error;
    this.button.replaceChildren(playSign(this.playing));
    if (!this.playing) return;
    const times = this.motion.time;
    if (this.frame === times.length - 1) this.show(0);
    let before = null;
    const step = (now) => {
      if (!this.playing) return;
      if (before !== null) this.advance((now - before) / 1000 * this.speed);
      before = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  advance(seconds) {
    const times = this.motion.time;
    const end = times[times.length - 1];
    let time = this.time + seconds;
    if (time > end) time = times[0];
    let frame = time < this.time ? 0 : Math.min(this.frame, times.length - 1);
    while (frame + 1 < times.length && times[frame + 1] <= time) ++frame;
    if (frame !== this.frame) this.show(frame);
    this.time = time;
  }

  listen() {
    const pointers = new Map();
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const name of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
    this.canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) {
        this.point(event);
        return;
      }
      this.tip.hidden = true;
      const now = [event.clientX, event.clientY];
      if (pointers.size === 2) this.pinch(pointers, event.pointerId, now);
      else if (event.shiftKey || event.buttons === 4) this.camera.shift = [this.camera.shift[0] + now[0] - before[0], this.camera.shift[1] + now[1] - before[1]];
      else this.camera.orbit((now[0] - before[0]) * 0.008, (now[1] - before[1]) * 0.008);
      pointers.set(event.pointerId, now);
      this.draw();
    });
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0012));
    }, { passive: false });
    this.canvas.addEventListener("dblclick", () => { this.camera.reset(); this.draw(); });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  pinch(pointers, moved, now) {
    const [other] = [...pointers].filter(([id]) => id !== moved).map(([, point]) => point);
    const distance = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
    this.zoom(distance(now) / distance(pointers.get(moved)));
  }

  zoom(factor) {
    this.camera.zoom = Math.max(0.05, Math.min(50, this.camera.zoom * factor));
    this.draw();
  }

  key(event) {
    if (this.motion.error) return;
    const last = this.motion.time.length - 1;
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.camera.orbit(-0.1, 0), ArrowRight: () => this.camera.orbit(0.1, 0),
      ArrowUp: () => this.camera.orbit(0, -0.1), ArrowDown: () => this.camera.orbit(0, 0.1),
      "+": () => this.zoom(1.15), "-": () => this.zoom(1 / 1.15), "0": () => this.camera.reset(), s: () => this.shapeBox.click(), f: () => this.loadBox.click(),
      ".": () => this.show(Math.min(last, this.frame + 1)), ",": () => this.show(Math.max(0, this.frame - 1)),
      Home: () => this.show(0), End: () => this.show(last),
    };
    if (this.still) for (const name of [" ", ".", ",", "Home", "End"]) delete actions[name];
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
    this.draw();
  }
}
