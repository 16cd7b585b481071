// Lines, bands and dots: one plot, or several above each other with a common horizontal axis. Those
// over time show the time of the page and set it.
const namedLines = 16;  // more have no legend

// `panels`: {label, unit, log, zero, diagonal, series}, each with a vertical axis of its own.
function drawPanels(x, panels, width, title) {
  const positive = (values, needed) => (needed ? values.filter((value) => value > 0) : values);
  const all = panels.flatMap((panel) => panel.series);
  const xRange = range(positive(all.flatMap((one) => finite(one.x)), x.log));
  const yRanges = panels.map((panel) => rangeOf(panel, positive));
  if (xRange === null || yRanges.includes(null)) return { parts: [element("p", { class: "note" }, "There are no finite values.")] };
  const spread = panels[0].diagonal ? padded(range([...xRange, ...yRanges[0]])) : null;
  const extentX = spread ?? (all.some((one) => one.dots || one.states) && !x.log ? padded(xRange) : xRange);
  const height = panels.length > 1 ? 190 : Math.max(220, Math.min(320, width * 0.5));
  const ys = panels.map((panel, k) => {
    const [low, high] = spread ?? (panel.log ? yRanges[k] : padded(yRanges[k]));
    return { ...panel, low, high };
  });
  const frames = stackedFrames(width, panels.map((_, k) => height + (k === panels.length - 1 && k > 0 ? 22 : 0)), title,
    { ...x, low: extentX[0], high: extentX[1] }, ys);
  const { svg } = frames[0];
  panels.forEach((panel, k) => drawPanel(frames[k], panel, x.log, spread));
  const entries = legendOf(all);
  const named = entries.length > 1 || entries[0]?.label !== panels[0].label ? entries : [];
  return { parts: [...(named.length > 0 ? [legend(named)] : []), svg], svg, title, legend: named,
    cursor: x.is_time ? timeCursor(frames, extentX) : undefined,
    stops: stopsOf(x, panels, frames), table: () => tableOfLines(x, panels) };
}

function rangeOf(panel, positive) {
  const values = panel.series.flatMap((one) => [...finite(one.y), ...finite(one.low ?? []), ...finite(one.high ?? [])]);
  if (panel.zero) values.push(0);
  return range(positive(values, panel.log));
}

function legendOf(all) {
  const lines = all.filter((one) => one.label !== "")
    .map((one) => ({ label: one.label, index: one.color, kind: one.dots ? "dots" : one.style ? "solid" : "line" }));
  const seen = new Set(all.flatMap((one) => one.states ?? []));
  const marks = seen.size > 1 || (seen.size === 1 && !seen.has(0)) ? [0, 1, 2].filter((state) => seen.has(state)) : [];
  return [...(lines.length <= namedLines ? lines : []), ...marks.map((state) => ({ label: states[state].label, kind: "state", state }))];
}

function drawPanel(frame, panel, logX, spread) {
  const { svg, px, py, left, innerWidth, top, innerHeight } = frame;
  const log = { x: logX === true, y: panel.log === true };
  if (panel.zero) svg.append(svgElement("line", { class: "rule", x1: left, x2: left + innerWidth, y1: py(0), y2: py(0) }));
  if (spread) svg.append(svgElement("line", { class: "rule", x1: px(spread[0]), y1: py(spread[0]), x2: px(spread[1]), y2: py(spread[1]) }));
  for (const one of panel.series) if (one.low) svg.append(svgElement("path", { class: "band", fill: color(one.color), d: bandPath(one, px, py) }));
  for (const one of panel.series) drawSeries(svg, one, px, py, log);
  // Above all lines: an evaluation that failed has no value, and lies on the axis.
  for (const state of [0, 1, 2]) {
    const places = panel.series.filter((one) => one.states).flatMap((one) => one.x.flatMap((value, i) =>
      one.states[i] !== state ? [] : state === 2 ? [[px(value), top + innerHeight - 5]]
        : one.y[i] === null || (log.y && one.y[i] <= 0) ? [] : [[px(value), py(one.y[i])]]));
    if (places.length > 0) svg.append(stateMarks(state, places));
  }
}

function drawSeries(svg, one, px, py, log) {
  const shade = color(one.color);
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
  svg.append(svgElement("path", { class: "series" + style, stroke: shade, "stroke-dasharray": one.style ? "" : dash(one.color),
    d: pathOf(one.x, one.y, px, py, log) }));
}

function bandPath(one, px, py) {
  const there = one.x.map((_, i) => i).filter((i) => one.low[i] !== null && one.high[i] !== null);
  if (there.length === 0) return "";
  const point = (i, values) => round(px(one.x[i])) + " " + round(py(values[i]));
  return "M" + there.map((i) => point(i, one.high)).join("L") + "L" + there.reverse().map((i) => point(i, one.low)).join("L") + "Z";
}

// A line across all panels at the time of the page.
function timeCursor(frames, [low, high]) {
  const last = frames[frames.length - 1];
  const line = svgElement("line", { class: "cursor", y1: frames[0].top, y2: last.top + last.innerHeight, visibility: "hidden" });
  frames[0].svg.append(line);
  return (time) => {
    const isInside = time !== null && time >= low && time <= high;
    line.setAttribute("visibility", isInside ? "visible" : "hidden");
    if (!isInside) return;
    for (const name of ["x1", "x2"]) line.setAttribute(name, round(frames[0].px(time)));
  };
}

// What the inspector walks along: the places of a cloud, or every x of any line.
function stopsOf(x, panels, frames) {
  if (panels[0].diagonal) return stopsOfCloud(x, panels[0], frames[0]);
  const all = panels.flatMap((panel, k) => panel.series.map((one) => ({ ...one, unit: panel.unit, py: frames[k].py, isLog: panel.log })));
  const shared = all.every((one) => one.x === all[0].x);
  const xs = shared ? all[0].x : [...new Set(all.flatMap((one) => finite(one.x)))].sort((a, b) => a - b);
  const last = frames[frames.length - 1];
  const index = (one, value) => {
    const i = shared ? xs.indexOf(value) : nearest(one.x, value);
    return value < one.x[0] || value > one.x[one.x.length - 1] ? -1 : i;
  };
  return {
    count: xs.length,
    at: (px) => nearestStop(xs, px, frames[0].px),
    start: x.is_time && clock.time !== null ? () => nearest(xs, clock.time) : undefined,
    choose: x.is_time ? (stop) => clock.set(xs[stop], frames[0].svg) : undefined,
    tell: (stop) => {
      const values = all.map((one) => ({ one, i: index(one, xs[stop]) })).filter(({ i }) => i >= 0);
      const places = values.filter(({ one, i }) => one.y[i] !== null && !(one.isLog && one.y[i] <= 0));
      // The emphasised line first.
      values.sort((a, b) => (b.one.style === "strong") - (a.one.style === "strong"));
      return { at: places.slice(0, mostValues).map(({ one, i }) => [frames[0].px(one.x[i]), one.py(one.y[i])]),
        rule: { x: frames[0].px(xs[stop]), top: frames[0].top, bottom: last.top + last.innerHeight },
        lines: [{ text: valueText(x.label, xs[stop], x.unit) }, ...values.map(({ one, i }) => lineAt(one, i))] };
    },
  };
}

// Places on the axis ascend, on a logarithmic one as well.
function nearestStop(xs, at, px) {
  let low = 0, high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (px(xs[middle]) < at) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at - px(xs[low - 1]) <= px(xs[low]) - at ? low - 1 : low;
}

function lineAt(one, i) {
  const name = one.name ?? one.label;
  const state = one.states?.[i] > 0 ? ", " + states[one.states[i]].label : "";
  const band = one.low ? " (" + numberText(one.low[i], 6) + " to " + numberText(one.high[i], 6) + ")" : "";
  return { text: valueText(name === "" ? "value" : name, one.y[i], one.unit) + band + state, shade: color(one.color) };
}

function stopsOfCloud(x, panel, frame) {
  const { x: xs, y: ys } = panel.series[0];
  const there = xs.map((_, i) => i).filter((i) => xs[i] !== null && ys[i] !== null).sort((a, b) => xs[a] - xs[b]);
  const places = there.map((i) => [frame.px(xs[i]), frame.py(ys[i])]);
  return {
    count: there.length,
    at: (px, py) => nearestPlace(places, px, py, 20),
    tell: (stop) => ({ at: [places[stop]],
      lines: [{ text: valueText(x.label, xs[there[stop]], x.unit) }, { text: valueText(panel.label, ys[there[stop]], panel.unit) }] }),
  };
}

// A column for each line where they share their x, otherwise a row for each point.
function tableOfLines(x, panels) {
  const all = panels.flatMap((panel) => panel.series.map((one) => ({ ...one, unit: panel.unit, name: one.name ?? (one.label || panel.label) })));
  const first = all[0];
  if (all.every((one) => one.states === undefined && one.x.length === first.x.length && one.x.every((value, i) => value === first.x[i])))
    return { heads: [[x.label, x.unit], ...all.flatMap((one) => [[one.name, one.unit],
      ...(one.low ? [[one.name + " 5 %", one.unit], [one.name + " 95 %", one.unit]] : [])])],
      rows: first.x.map((value, i) => [value, ...all.flatMap((one) => [one.y[i], ...(one.low ? [one.low[i], one.high[i]] : [])])]) };
  const hasStates = all.some((one) => one.states);
  return { heads: [["line", ""], [x.label, x.unit], [panels[0].label, panels[0].unit], ...(hasStates ? [["state", ""]] : [])],
    rows: all.flatMap((one) => one.x.map((value, i) => [one.name, value, one.y[i],
      ...(hasStates ? [states[one.states?.[i] ?? 0].label] : [])])) };
}

function drawLines(choice, width, title) {
  const series = choice.series.map((one, index) => ({ ...one, x: one.x ?? choice.times, color: one.color ?? index }));
  return drawPanels(choice.x, [{ ...choice.y, zero: choice.zero, diagonal: choice.diagonal, series }], width, title);
}
