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

// An SVG with axes; `x` and `y` are {low, high, label, unit, log}. Gives places of values.
function plotFrame(width, height, title, x, y) {
  const yScale = scaleOf(y, Math.round(height / 55));
  const longest = Math.max(...yScale.ticks.map(([, text]) => text.length), 1);
  const left = 26 + longest * plotFont, right = 14, top = 8, bottom = 36;
  const xScale = scaleOf(x, Math.max(2, Math.round((width - left) / 85)));
  const svg = svgElement("svg", { viewBox: "0 0 " + width + " " + height, role: "img" }, svgElement("title", {}, title));
  const innerWidth = width - left - right, innerHeight = height - top - bottom;
  const px = (value) => left + xScale.place(value) * innerWidth;
  const py = (value) => top + (1 - yScale.place(value)) * innerHeight;
  for (const [value, text] of xScale.ticks) {
    svg.append(svgElement("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: top + innerHeight }),
      svgElement("text", { x: px(value), y: top + innerHeight + 15, "text-anchor": "middle" }, text));
  }
  for (const [value, text] of yScale.ticks) {
    svg.append(svgElement("line", { class: "grid", x1: left, x2: left + innerWidth, y1: py(value), y2: py(value) }),
      svgElement("text", { x: left - 6, y: py(value) + 3.8, "text-anchor": "end" }, text));
  }
  svg.append(svgElement("path", { class: "axis", d: "M" + round(left) + " " + top + "V" + (top + innerHeight) + "H" + round(left + innerWidth) }),
    svgElement("text", { x: left + innerWidth / 2, y: height - 5, "text-anchor": "middle" }, withUnit(x.label, x.unit, xScale.power)),
    svgElement("text", { transform: "translate(12 " + round(top + innerHeight / 2) + ") rotate(-90)", "text-anchor": "middle" },
      withUnit(y.label, y.unit, yScale.power)));
  return { svg, px, py, left, top, innerWidth, innerHeight };
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

function legend(entries) {
  const list = element("ul", { class: "legend" });
  for (const { label, index, kind } of entries) {
    const sample = svgElement("svg", { viewBox: "0 0 22 10", "aria-hidden": "true" });
    if (kind === "bar") sample.append(svgElement("rect", { x: 2, y: 1, width: 18, height: 8, fill: color(index) }));
    else if (kind === "dots") sample.append(svgElement("circle", { cx: 11, cy: 5, r: 2.6, fill: color(index) }));
    else sample.append(svgElement("line", { class: "series", x1: 0, x2: 22, y1: 5, y2: 5, stroke: color(index), "stroke-dasharray": kind === "solid" ? "" : dash(index) }));
    list.append(element("li", {}, sample, label));
  }
  return list;
}
