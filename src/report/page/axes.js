// Frames of plots: scales, ticks and axes with units.
const plotFont = 7;  // width of a digit in pixels

function niceStep(span, count) {
  const raw = span / Math.max(1, count);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const fraction = raw / power;
  return (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10) * power;
}

function linearTicks(low, high, count) {
  const step = niceStep(high - low, count);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); ++i) ticks.push(i * step);
  return { values: ticks, step };
}

// A power of ten that is taken out of the labels where they would be long.
function commonPower(low, high) {
  const size = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))) + 1e-9);
  return size >= 5 || size <= -3 ? 3 * Math.floor(size / 3) : 0;
}

function linearScale(low, high, count) {
  if (low === high) {
    const room = Math.abs(low) * 0.05 || 1;
    low -= room;
    high += room;
  }
  const { values, step } = linearTicks(low, high, count);
  const power = commonPower(low, high);
  const unit = Math.pow(10, power);
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9)));
  return {
    power,
    place: (value) => (value - low) / (high - low),
    ticks: values.map((value) => [value, minus((value / unit).toFixed(decimals)).replace(/^\u2212(0(\.0+)?)$/, "$1")]),
  };
}

function logScale(low, high, count) {
  let first = Math.floor(Math.log10(low) + 1e-9), last = Math.ceil(Math.log10(high) - 1e-9);
  if (first === last) last += 1;
  const every = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const ticks = [];
  for (let power = first; power <= last; power += every)
    ticks.push([Math.pow(10, power), "10" + superscript(String(power))]);
  return { power: 0, place: (value) => (Math.log10(value) - first) / (last - first), ticks };
}

// Room at both ends so that marks do not lie on the axes.
function padded(extent, share = 0.04) {
  const room = (extent[1] - extent[0]) * share;
  return [extent[0] - room, extent[1] + room];
}

function scaleOf(axis, count) {
  return axis.log ? logScale(axis.low, axis.high, count) : linearScale(axis.low, axis.high, count);
}

// A text with its unit in so many pixels: the name gives way, the unit stays.
function fitted(label, unit, power, room) {
  const tail = withUnit("", unit, power);
  const text = svgElement("title", {}, label + tail);
  return [shorten(label, Math.max(6, Math.floor(room / 6) - tail.length)) + tail, text];
}

// Plots above each other, of these heights, with a common horizontal axis; `x` and each of `ys` are
// {low, high, label, unit, log}. Gives places of values.
function stackedFrames(width, heights, title, x, ys) {
  const scales = ys.map((y, k) => scaleOf(y, Math.round(heights[k] / 45)));
  const longest = Math.max(...scales.flatMap((scale) => scale.ticks.map(([, text]) => text.length)), 1);
  const left = 26 + longest * plotFont, right = 14, gap = 14, bottom = 36;
  const innerWidth = width - left - right;
  const xScale = scaleOf(x, Math.max(2, Math.round(innerWidth / 85)));
  const height = heights.reduce((total, one) => total + one, 0);
  const svg = svgElement("svg", { viewBox: "0 0 " + width + " " + height, role: "img" }, svgElement("title", {}, title));
  const px = (value) => left + xScale.place(value) * innerWidth;
  let above = 0;
  const panels = ys.map((y, k) => {
    const isLast = k === ys.length - 1;
    const top = above + 8, innerHeight = heights[k] - 8 - (isLast ? bottom : gap);
    above += heights[k];
    const panel = { svg, px, py: (value) => top + (1 - scales[k].place(value)) * innerHeight, left, top, innerWidth, innerHeight };
    drawAxes(panel, xScale.ticks, scales[k].ticks, isLast);
    svg.append(svgElement("text", { transform: "translate(12 " + round(top + innerHeight / 2) + ") rotate(-90)", "text-anchor": "middle" },
      ...fitted(y.label, y.unit, scales[k].power, innerHeight)));
    return panel;
  });
  svg.append(svgElement("text", { x: left + innerWidth / 2, y: height - 5, "text-anchor": "middle" }, ...fitted(x.label, x.unit, xScale.power, innerWidth)));
  return panels;
}

function drawAxes({ svg, px, py, left, top, innerWidth, innerHeight }, xTicks, yTicks, hasTexts) {
  for (const [value, text] of xTicks) {
    svg.append(svgElement("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: top + innerHeight }));
    if (hasTexts) svg.append(svgElement("text", { x: px(value), y: top + innerHeight + 15, "text-anchor": "middle" }, text));
  }
  for (const [value, text] of yTicks)
    svg.append(svgElement("line", { class: "grid", x1: left, x2: left + innerWidth, y1: py(value), y2: py(value) }),
      svgElement("text", { x: left - 6, y: py(value) + 3.8, "text-anchor": "end" }, text));
  svg.append(svgElement("path", { class: "axis", d: "M" + round(left) + " " + round(top) + "V" + round(top + innerHeight) + "H" + round(left + innerWidth) }));
}

function plotFrame(width, height, title, x, y) {
  return stackedFrames(width, [height], title, x, [y])[0];
}

// A line through values; it breaks where one is missing.
function pathOf(xs, ys, px, py, log) {
  let path = "", pen = "M";
  for (let i = 0; i < ys.length; ++i) {
    const usable = xs[i] !== null && ys[i] !== null && !(log.x && xs[i] <= 0) && !(log.y && ys[i] <= 0);
    if (usable) path += pen + round(px(xs[i])) + " " + round(py(ys[i]));
    pen = usable ? "L" : "M";
  }
  return path;
}

// How designs went: a dot, a cross, a triangle, which also tell them apart without colours.
const states = [
  { label: "feasible", shade: "var(--s0)", path: (x, y) => "M" + round(x - 2.2) + " " + round(y) + "a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0Z" },
  { label: "infeasible", shade: "var(--s1)", path: (x, y) => "M" + round(x - 3.2) + " " + round(y - 3.2) + "l6.4 6.4m0 -6.4l-6.4 6.4" },
  { label: "failed", shade: "var(--error)", path: (x, y) => "M" + round(x - 4) + " " + round(y + 3.5) + "h8l-4 -7Z" },
];

// Marks of one state at some places, as one path.
function stateMarks(state, places, shade = states[state].shade) {
  const d = places.map(([x, y]) => states[state].path(x, y)).join("");
  return svgElement("path", { class: "state", fill: state === 1 ? "none" : shade, stroke: shade, d });
}

function legendSample({ index, kind, state, shade }) {
  const paint = shade ?? color(index);
  if (kind === "bar") return [svgElement("rect", { x: 2, y: 1, width: 18, height: 8, fill: paint })];
  if (kind === "dots") return [svgElement("circle", { cx: 11, cy: 5, r: 2.6, fill: paint })];
  if (kind === "state") return [stateMarks(state, [[11, 5]], shade)];
  return [svgElement("line", { class: "series", x1: 0, x2: 22, y1: 5, y2: 5, stroke: paint,
    "stroke-dasharray": kind === "solid" ? "" : kind === "dashed" ? "5 3" : dash(index) })];
}

function legend(entries) {
  const list = element("ul", { class: "legend" });
  for (const entry of entries)
    list.append(element("li", {}, svgElement("svg", { viewBox: "0 0 22 10", "aria-hidden": "true" }, ...legendSample(entry)), entry.label));
  return list;
}
