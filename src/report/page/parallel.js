// Designs as lines across parallel axes. A range dragged on an axis, or set by keys, leaves only
// the designs within it; a result gives the colours. Designs without a result end on a rail below.
const rampStops = [[60, 140, 220], [160, 110, 210], [235, 80, 150]];  // seen on white and on black
const stateLines = [{ width: 1.2, dash: "" }, { width: 1.2, dash: "5 3" }, { width: 1.4, dash: "2 2.5" }];

function rampColor(share) {
  const at = Math.max(0, Math.min(1, share)) * (rampStops.length - 1), k = Math.min(rampStops.length - 2, Math.floor(at));
  return "rgb(" + rampStops[k].map((from, i) => Math.round(from + (rampStops[k + 1][i] - from) * (at - k))).join(",") + ")";
}

class Parallel {
  constructor(block, changed) {
    this.block = block;
    this.changed = changed;
    this.ranges = new Map();  // of values, by axis
    this.results = block.axes.map((_, k) => k).filter((k) => !block.axes[k].is_parameter);
    this.colored = this.results[0];
    this.extents = block.axes.map((axis) => range(axis.values) ?? [0, 1]);
  }

  passes(design) {
    return [...this.ranges].every(([k, [low, high]]) => {
      const value = this.block.axes[k].values[design];
      return value !== null && value >= low && value <= high;
    });
  }

  shade(design) {
    const state = this.block.states[design];
    if (state > 0) return states[state].shade;
    const [low, high] = this.extents[this.colored];
    return rampColor(high > low ? (this.block.axes[this.colored].values[design] - low) / (high - low) : 0.5);
  }

  // Wider than its place, which scrolls, where axes would lie too close.
  draw(room, title) {
    const { axes } = this.block;
    const width = Math.max(room, 98 + 70 * (axes.length - 1));
    this.height = 320;
    const left = 64, right = 34, rail = this.block.states.includes(2);
    this.top = 46;
    this.bottom = this.height - (rail ? 34 : 14);
    this.step = (width - left - right) / (axes.length - 1);
    this.px = (k) => left + k * this.step;
    this.scales = axes.map((_, k) => linearScale(...padded(this.extents[k]), 5));
    this.py = (k, value) => (value === null ? this.height - 12 : this.bottom - this.scales[k].place(value) * (this.bottom - this.top));
    this.svg = svgElement("svg", { viewBox: "0 0 " + width + " " + this.height, role: "img" }, svgElement("title", {}, title));
    this.svg.style.minWidth = width + "px";
    if (rail) this.svg.append(svgElement("line", { class: "rule", x1: left, x2: width - right, y1: this.height - 12, y2: this.height - 12 }),
      svgElement("text", { x: left - 8, y: this.height - 8, "text-anchor": "end" }, "failed"));
    this.lines = this.block.states.map((state, design) => svgElement("path", { class: "design", stroke: this.shade(design),
      "stroke-dasharray": stateLines[state].dash, "stroke-width": stateLines[state].width, d: this.path(design) }));
    // What is rare, on top.
    const order = this.lines.map((_, i) => i).sort((a, b) => this.block.states[a] - this.block.states[b]);
    const group = svgElement("g", { opacity: Math.max(0.5, Math.min(0.9, 90 / this.lines.length)) }, ...order.map((i) => this.lines[i]));
    this.svg.append(group, ...axes.map((_, k) => this.axis(k)));
    this.filter();
    return { parts: [legend(this.entries()), this.svg], svg: this.svg, title, legend: this.entries(), stops: this.stops(), table: () => this.table() };
  }

  path(design) {
    return this.block.axes.map((axis, k) => (k === 0 ? "M" : "L") + round(this.px(k)) + " " + round(this.py(k, axis.values[design]))).join("");
  }

  entries() {
    const [low, high] = this.extents[this.colored], { name } = this.block.axes[this.colored];
    const ramp = [0, 0.5, 1].map((share) => ({ kind: "solid", shade: rampColor(share), label: (share === 0 ? name + " = " : "") + numberText(low + share * (high - low), 3) }));
    const count = (state) => this.block.states.filter((one) => one === state).length;
    return [...ramp, ...[1, 2].filter((state) => count(state) > 0).map((state) => ({ kind: "dashed", shade: states[state].shade, label: states[state].label + " (" + count(state) + ")" }))];
  }

  // An axis with its ticks, its name above it, and the range that is chosen on it.
  axis(k) {
    const { name, unit } = this.block.axes[k], x = this.px(k);
    const node = svgElement("g", { class: "across", tabindex: "0", role: "application" });
    this.brushes ??= [];
    this.brushes[k] = svgElement("rect", { class: "brush", x: x - 7, width: 14, visibility: "hidden" });
    node.append(svgElement("line", { class: "axis", x1: x, x2: x, y1: this.top, y2: this.bottom }), this.brushes[k]);
    for (const [value, text] of this.scales[k].ticks)
      node.append(svgElement("text", { class: "halo", x: x - 5, y: this.py(k, value) + 3.8, "text-anchor": "end" }, text));
    const anchor = k === 0 ? "start" : k === this.block.axes.length - 1 ? "end" : "middle";
    node.append(svgElement("text", { x: k === 0 ? 4 : anchor === "end" ? x + 30 : x, y: k % 2 === 0 ? 14 : 30, "text-anchor": anchor },
      ...fitted(name, unit, this.scales[k].power, 1.8 * this.step)));
    const area = svgElement("rect", { class: "area", x: x - 14, width: 28, y: this.top - 6, height: this.bottom - this.top + 12 });
    node.append(area);
    this.listen(k, node, area);
    return node;
  }

  valueAt(k, event) {
    const box = this.svg.getBoundingClientRect();
    const y = (event.clientY - box.top) * (this.svg.viewBox.baseVal.height / box.height);
    const [low, high] = padded(this.extents[k]), share = (this.bottom - y) / (this.bottom - this.top);
    return low + Math.max(0, Math.min(1, share)) * (high - low);
  }

  // A drag makes a range, a click takes it away.
  listen(k, node, area) {
    let from = null;
    area.addEventListener("pointerdown", (event) => {
      if (event.isTrusted) area.setPointerCapture(event.pointerId);
      from = this.valueAt(k, event);
      this.choose(k, null);
    });
    area.addEventListener("pointermove", (event) => {
      if (from === null || !(event.buttons & 1)) return;
      const to = this.valueAt(k, event);
      this.choose(k, from === to ? null : [Math.min(from, to), Math.max(from, to)]);
    });
    for (const name of ["pointerup", "pointercancel"]) area.addEventListener(name, () => { from = null; });
    node.addEventListener("keydown", (event) => this.key(k, event));
  }

  // Arrows move the lower end, with shift the upper one; Delete takes the range away.
  key(k, event) {
    const end = event.shiftKey ? 1 : 0;
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
    if (event.key === "Delete" || event.key === "Backspace") this.choose(k, null);
    else if (steps[event.key] === undefined) return;
    else {
      const [low, high] = padded(this.extents[k]);
      const ends = [...(this.ranges.get(k) ?? [low, high])];
      ends[end] = Math.max(low, Math.min(high, ends[end] + steps[event.key] * (high - low) / 20));
      if (ends[0] <= ends[1]) this.choose(k, ends);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  choose(k, ends) {
    if (ends === null) this.ranges.delete(k);
    else this.ranges.set(k, ends);
    this.filter();
  }

  filter() {
    let left = 0;
    this.lines.forEach((line, design) => {
      const isIn = this.passes(design);
      left += isIn ? 1 : 0;
      line.classList.toggle("out", !isIn);
    });
    this.block.axes.forEach((axis, k) => {
      const ends = this.ranges.get(k), brush = this.brushes[k];
      brush.setAttribute("visibility", ends ? "visible" : "hidden");
      if (ends) {
        brush.setAttribute("y", round(this.py(k, ends[1])));
        brush.setAttribute("height", round(Math.max(2, this.py(k, ends[0]) - this.py(k, ends[1]))));
      }
      brush.parentNode.setAttribute("aria-label", withUnit(axis.name, axis.unit) + (ends ? ", from " + numberText(ends[0]) + " to " + numberText(ends[1]) : ", all values") +
        ". Arrow up and down move the lower end, with shift the upper one, Delete takes both away.");
    });
    this.changed(left + " of " + this.lines.length + " shown");
  }

  stops() {
    const there = () => this.lines.map((_, i) => i).filter((i) => this.passes(i));
    let shown = [];
    return {
      get count() { return (shown = there()).length; },
      at: (x, y) => {
        shown = there();
        const k = Math.max(0, Math.min(this.block.axes.length - 1, Math.round((x - this.px(0)) / this.step)));
        return nearestPlace(shown.map((i) => [this.px(k), this.py(k, this.block.axes[k].values[i])]), this.px(k), y, 12);
      },
      tell: (stop) => {
        const design = shown[stop], { axes, labels } = this.block;
        return { at: axes.map((axis, k) => [this.px(k), this.py(k, axis.values[design])]), path: this.path(design),
          lines: [{ text: labels[design] + (this.block.states[design] > 0 ? ", " + states[this.block.states[design]].label : "") },
            ...axes.map((axis) => ({ text: valueText(axis.name, axis.values[design], axis.unit) }))] };
      },
    };
  }

  table() {
    const { axes, labels } = this.block;
    return { heads: [["design", ""], ...axes.map((axis) => [axis.name, axis.unit]), ["state", ""]],
      rows: this.lines.map((_, i) => i).filter((i) => this.passes(i))
        .map((i) => [labels[i], ...axes.map((axis) => axis.values[i]), states[this.block.states[i]].label]) };
  }
}

function parallelBlock(block) {
  const count = element("span", { role: "status", class: "count" });
  const plot = new Parallel(block, (text) => { count.textContent = text; });
  const { controls, redraw } = plotBlock(block, true, (width) => plot.draw(width, block.title));
  controls.prepend(count, button("all", () => { plot.ranges.clear(); redraw(); }, "take all ranges away"));
  if (plot.results.length > 1)
    controls.prepend(choice("colour by", plot.results.map((k) => block.axes[k].name), (index) => { plot.colored = plot.results[index]; redraw(); }));
}
