// Lines, bars, histograms, scatter plots and heat maps: each draws one choice of its block at a
// width in pixels.
function drawLines(choice, width, title) {
  const log = { x: choice.x.log === true, y: choice.y.log === true };
  const series = choice.series.map((one) => ({ ...one, x: one.x ?? choice.times }));
  const positive = (values, needed) => (needed ? values.filter((value) => value > 0) : values);
  const xRange = range(positive(series.flatMap((one) => finite(one.x)), log.x));
  const yValues = series.flatMap((one) => [...finite(one.y), ...finite(one.low ?? []), ...finite(one.high ?? [])]);
  if (choice.zero) yValues.push(0);
  const yRange = range(positive(yValues, log.y));
  if (xRange === null || yRange === null) return [element("p", { class: "note" }, "There are no finite values.")];
  const extentY = log.y ? yRange : padded(yRange);
  const spread = choice.diagonal ? padded(range([...xRange, ...yRange])) : null;
  const extentX = spread ?? (choice.dots && !log.x ? padded(xRange) : xRange);
  const [lowY, highY] = spread ?? extentY;
  const height = Math.max(220, Math.min(320, width * 0.5));
  const frame = plotFrame(width, height, title, { ...choice.x, low: extentX[0], high: extentX[1] },
    { ...choice.y, low: lowY, high: highY });
  const { svg, px, py } = frame;
  if (choice.zero) svg.append(svgElement("line", { class: "rule", x1: frame.left, x2: frame.left + frame.innerWidth, y1: py(0), y2: py(0) }));
  if (spread) svg.append(svgElement("line", { class: "rule", x1: px(spread[0]), y1: py(spread[0]), x2: px(spread[1]), y2: py(spread[1]) }));
  series.forEach((one, index) => {
    if (one.low) svg.append(svgElement("path", { class: "band", fill: color(index), d: bandPath(one, px, py) }));
  });
  series.forEach((one, index) => drawSeries(svg, one, index, px, py, log));
  const parts = [];
  if (series.length > 1 || series[0].label !== choice.label) {
    const named = series.map((one, index) => ({ label: one.label, index: one.color ?? index, kind: one.dots ? "dots" : one.style ? "solid" : "line" })).filter((entry) => entry.label !== "");
    if (named.length > 0 && named.length <= 16) parts.push(legend(named));
  }
  parts.push(svg);
  if (choice.times) parts.push(reading(frame, choice, series));
  return parts;
}

function drawSeries(svg, one, index, px, py, log) {
  const shade = color(one.color ?? index);
  if (one.dots) {
    const group = svgElement("g", { fill: shade, class: "dots" });
    one.y.forEach((value, i) => {
      if (value === null || one.x[i] === null) return;
      group.append(svgElement("circle", { cx: px(one.x[i]), cy: py(value), r: 2 }));
    });
    svg.append(group);
    return;
  }
  const style = one.style ? " " + one.style : "";
  svg.append(svgElement("path", { class: "series" + style, stroke: shade, "stroke-dasharray": one.style ? "" : dash(index),
    d: pathOf(one.x, one.y, px, py, log) }));
}

function bandPath(one, px, py) {
  const there = one.x.map((_, i) => i).filter((i) => one.low[i] !== null && one.high[i] !== null);
  if (there.length === 0) return "";
  const point = (i, values) => round(px(one.x[i])) + " " + round(py(values[i]));
  return "M" + there.map((i) => point(i, one.high)).join("L") + "L" + there.reverse().map((i) => point(i, one.low)).join("L") + "Z";
}

// The values under the pointer, in words.
function reading(frame, choice, series) {
  const line = element("div", { class: "reading" });
  const rule = svgElement("line", { class: "rule", y1: frame.top, y2: frame.top + frame.innerHeight, visibility: "hidden" });
  frame.svg.append(rule);
  frame.svg.addEventListener("pointermove", (event) => {
    const box = frame.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * (frame.svg.viewBox.baseVal.width / box.width);
    let best = 0;
    choice.times.forEach((time, i) => {
      if (Math.abs(frame.px(time) - x) < Math.abs(frame.px(choice.times[best]) - x)) best = i;
    });
    const at = round(frame.px(choice.times[best]));
    rule.setAttribute("x1", at);
    rule.setAttribute("x2", at);
    rule.setAttribute("visibility", "visible");
    const values = series.map((one) => one.label + " = " + numberText(one.y[best]) + " " + unitText(choice.y.unit));
    line.textContent = choice.x.label + " = " + numberText(choice.times[best]) + " " + unitText(choice.x.unit) + ": " + values.join(", ");
  });
  frame.svg.addEventListener("pointerleave", () => {
    rule.setAttribute("visibility", "hidden");
    line.textContent = "";
  });
  return line;
}

function drawBars(choice, width, title) {
  const { names, series } = choice;
  const thick = series.length === 1 ? 13 : 9, gap = 8;
  const rowHeight = series.length * thick + gap;
  const nameLength = Math.min(30, Math.max(...names.map((name) => [...name].length)));
  const left = Math.min(width * 0.4, 10 + nameLength * plotFont), right = series.length === 1 ? 74 : 16, top = 4;
  const height = top + names.length * rowHeight + 38;
  const extent = range([0, ...series.flatMap((one) => [...finite(one.values), ...finite(one.low), ...finite(one.high)])]);
  const [low, high] = [extent[0] < 0 ? 1.04 : 0, extent[1] > 0 ? 1.04 : 0].map((factor, i) => extent[i] * factor);
  const scale = linearScale(low, high, Math.max(2, Math.round((width - left - right) / 80)));
  const px = (value) => left + scale.place(value) * (width - left - right);
  const bottom = height - 34;
  const svg = svgElement("svg", { viewBox: "0 0 " + width + " " + height, role: "img" }, svgElement("title", {}, title));
  for (const [value, text] of scale.ticks)
    svg.append(svgElement("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: bottom }),
      svgElement("text", { x: px(value), y: bottom + 14, "text-anchor": "middle" }, text));
  names.forEach((name, row) => {
    const y = top + row * rowHeight + gap / 2;
    const label = svgElement("text", { x: left - 6, y: y + (rowHeight - gap) / 2 + 4, "text-anchor": "end" },
      shorten(name, Math.round((left - 10) / plotFont)));
    label.append(svgElement("title", {}, name));
    svg.append(label);
    series.forEach((one, index) => drawBar(svg, one, index, row, y + index * thick, thick, px));
    if (series.length === 1)
      svg.append(svgElement("text", { class: "soft", x: width - 2, y: y + thick / 2 + 4, "text-anchor": "end" }, numberText(series[0].values[row], 4)));
  });
  svg.append(svgElement("line", { class: "axis", x1: px(0), x2: px(0), y1: top, y2: bottom }),
    svgElement("text", { x: left + (width - left - right) / 2, y: height - 4, "text-anchor": "middle" }, withUnit(choice.axis ?? choice.label, choice.unit, scale.power)));
  const parts = [];
  if (series.length > 1 || series[0].label !== "") parts.push(legend(series.map((one, index) => ({ label: one.label, index, kind: "bar" }))));
  return [...parts, svg];
}

function drawBar(svg, one, index, row, y, thick, px) {
  const value = one.values[row];
  if (value === null || value === undefined) return;
  const shade = one.label === "" && value < 0 ? color(1) : color(index);
  svg.append(svgElement("rect", { x: Math.min(px(0), px(value)), y: y + 1, width: Math.abs(px(value) - px(0)), height: thick - 2, fill: shade }));
  const low = one.low[row], high = one.high[row];
  if (low === null || low === undefined || high === null || high === undefined) return;
  const middle = round(y + thick / 2), start = round(y + 2), end = round(y + thick - 2);
  svg.append(svgElement("path", { class: "whisker", d: "M" + round(px(low)) + " " + start + "V" + end + "M" + round(px(low)) + " " + middle +
    "H" + round(px(high)) + "M" + round(px(high)) + " " + start + "V" + end }));
}

// The labels of a row that stay apart: the middle one first, then from the outside in.
function withoutOverlap(labels) {
  const middle = (labels.length - 1) / 2;
  const order = labels.map((_, i) => i).sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle) || a - b);
  if (order.length > 0) order.unshift(order.pop());
  const kept = new Set();
  for (const i of order)
    if ([...kept].every((k) => Math.abs(labels[k].at - labels[i].at) >= (labels[k].room + labels[i].room) / 2)) kept.add(i);
  return kept;
}

function drawHistogram(choice, width, title) {
  const { edges, counts, marks } = choice;
  const height = Math.max(220, Math.min(300, width * 0.48));
  const top = Math.max(1, ...counts);
  const ends = range([edges[0], edges[edges.length - 1]]);
  const { svg, px, py } = plotFrame(width, height, title, { low: ends[0], high: ends[1], label: choice.label, unit: choice.unit },
    { low: 0, high: top * (marks.length > 0 ? 1.16 : 1.05), label: "designs", unit: "" });
  counts.forEach((count, i) => {
    const x = px(edges[i]);
    const bar = svgElement("rect", { x: x + 0.5, y: py(count), width: Math.max(0.5, px(edges[i + 1]) - x - 1), height: py(0) - py(count), fill: color(0) });
    bar.append(svgElement("title", {}, numberText(edges[i]) + " to " + numberText(edges[i + 1]) + ": " + count));
    svg.append(bar);
  });
  const inside = marks.filter(({ value }) => value !== null && value >= ends[0] && value <= ends[1]);
  const labelled = withoutOverlap(inside.map(({ value, label }) => ({ at: px(value), room: label.length * plotFont + 4 })));
  inside.forEach(({ value, label }, i) => {
    const rule = svgElement("line", { class: "rule", x1: px(value), x2: px(value), y1: py(0), y2: 16 });
    rule.append(svgElement("title", {}, label + ": " + numberText(value)));
    svg.append(rule);
    if (labelled.has(i)) svg.append(svgElement("text", { class: "mark", x: px(value), y: 14, "text-anchor": "middle" }, label));
  });
  return [svg];
}

function drawScatter(block, x, y, width, title) {
  const xs = block.x[x], ys = block.y[y];
  const xRange = range(xs.values), yRange = range(ys.values);
  if (xRange === null || yRange === null) return [element("p", { class: "note" }, "There are no finite values.")];
  const height = Math.max(240, Math.min(380, width * 0.6));
  const extentX = padded(xRange), extentY = padded(yRange);
  const { svg, px, py } = plotFrame(width, height, title, { low: extentX[0], high: extentX[1], label: xs.name, unit: xs.unit },
    { low: extentY[0], high: extentY[1], label: ys.name, unit: ys.unit });
  const group = svgElement("g", { class: "dots", fill: color(0), "fill-opacity": xs.values.length > 1000 ? 0.35 : 0.65 });
  xs.values.forEach((value, i) => {
    if (value === null || ys.values[i] === null) return;
    group.append(svgElement("circle", { cx: px(value), cy: py(ys.values[i]), r: 1.9 }));
  });
  svg.append(group);
  const slopes = block.slopes?.[y]?.[x] ?? [];
  slopes.forEach((slope, k) => {
    const i = block.slope_points[k];
    if (slope === null || xs.values[i] === null || ys.values[i] === null) return;
    const dx = px(xs.values[i] + (extentX[1] - extentX[0]) * 1e-3) - px(xs.values[i]);
    const dy = py(ys.values[i] + slope * (extentX[1] - extentX[0]) * 1e-3) - py(ys.values[i]);
    const scale = 11 / Math.hypot(dx, dy);
    const cx = px(xs.values[i]), cy = py(ys.values[i]);
    svg.append(svgElement("line", { class: "tangent", x1: cx - dx * scale, y1: cy - dy * scale, x2: cx + dx * scale, y2: cy + dy * scale }));
  });
  return [svg];
}

// A square matrix of numbers between -1 and 1.
function drawHeatmap(choice, width, title) {
  const { names, values } = choice;
  const count = names.length;
  const left = Math.min(width * 0.35, 12 + Math.max(...names.map((name) => [...name].length)) * plotFont);
  const cell = Math.min(58, (width - left - 8) / count), tall = Math.min(cell, 34);
  const svg = svgElement("svg", { viewBox: "0 0 " + width + " " + round(count * tall + 26), role: "img" }, svgElement("title", {}, title));
  names.forEach((name, i) => {
    const fits = Math.round((left - 12) / plotFont);
    svg.append(svgElement("text", { x: left - 6, y: i * tall + tall / 2 + 4, "text-anchor": "end" }, shorten(name, fits)),
      svgElement("text", { x: left + (i + 0.5) * cell, y: count * tall + 15, "text-anchor": "middle" }, shorten(name, Math.max(2, Math.floor(cell / plotFont)))));
    names.forEach((other, j) => {
      const value = values[i * count + j];
      const box = svgElement("rect", { x: left + j * cell, y: i * tall, width: cell - 1, height: tall - 1,
        fill: value === null ? "var(--grid)" : color(value < 0 ? 1 : 0), "fill-opacity": value === null ? 1 : Math.min(1, Math.abs(value)) * 0.6 + 0.04 });
      box.append(svgElement("title", {}, name + ", " + other + ": " + numberText(value)));
      svg.append(box);
      if (cell > 30)
        svg.append(svgElement("text", { x: left + (j + 0.5) * cell - 0.5, y: i * tall + tall / 2 + 4, "text-anchor": "middle" },
          value === null ? "\u2013" : minus(value.toFixed(2).replace(/^-(0\.00)$/, "$1"))));
    });
  });
  return [svg];
}
