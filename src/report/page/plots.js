// Histograms, scatter plots and heat maps.
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
    svg.append(svgElement("rect", { x: x + 0.5, y: py(count), width: Math.max(0.5, px(edges[i + 1]) - x - 1), height: py(0) - py(count), fill: color(0) }));
  });
  const inside = marks.filter(({ value }) => value !== null && value >= ends[0] && value <= ends[1]);
  const labelled = withoutOverlap(inside.map(({ value, label }) => ({ at: px(value), room: label.length * plotFont + 4 })));
  inside.forEach(({ value, label }, i) => {
    const rule = svgElement("line", { class: "rule", x1: px(value), x2: px(value), y1: py(0), y2: 16 });
    rule.append(svgElement("title", {}, label + ": " + numberText(value)));
    svg.append(rule);
    if (labelled.has(i)) svg.append(svgElement("text", { class: "mark", x: px(value), y: 14, "text-anchor": "middle" }, label));
  });
  const middle = (i) => px((edges[i] + edges[i + 1]) / 2);
  return { parts: [svg], svg, title, table: () => ({ heads: [["from", choice.unit], ["to", choice.unit], ["designs", ""]],
    rows: counts.map((count, i) => [edges[i], edges[i + 1], count]) }),
    stops: { count: counts.length, at: (x) => nearest(counts.map((_, i) => middle(i)), x),
      tell: (i) => ({ at: [[middle(i), py(counts[i])]], lines: [{ text: numberText(edges[i]) + " to " + numberText(edges[i + 1]) + " " + unitText(choice.unit) },
        { text: valueText("designs", counts[i], "") }] }) } };
}

function drawScatter(block, x, y, width, title) {
  const xs = block.x[x], ys = block.y[y];
  const xRange = range(xs.values), yRange = range(ys.values);
  if (xRange === null || yRange === null) return { parts: [element("p", { class: "note" }, "There are no finite values.")] };
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
  const there = xs.values.map((_, i) => i).filter((i) => xs.values[i] !== null && ys.values[i] !== null).sort((a, b) => xs.values[a] - xs.values[b]);
  const places = there.map((i) => [px(xs.values[i]), py(ys.values[i])]);
  return { parts: [svg], svg, title, table: () => ({ heads: [["design", ""], ...[...block.x, ...block.y].map((one) => [one.name, one.unit])],
    rows: block.designs.map((design, i) => [design, ...[...block.x, ...block.y].map((one) => one.values[i])]) }),
    stops: { count: there.length, at: (atX, atY) => nearestPlace(places, atX, atY, 16),
      tell: (stop) => ({ at: [places[stop]], lines: [{ text: "design " + block.designs[there[stop]] },
        ...[xs, ys].map((one) => ({ text: valueText(one.name, one.values[there[stop]], one.unit) }))] }) } };
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
      svg.append(svgElement("rect", { x: left + j * cell, y: i * tall, width: cell - 1, height: tall - 1,
        fill: value === null ? "var(--grid)" : color(value < 0 ? 1 : 0), "fill-opacity": value === null ? 1 : Math.min(1, Math.abs(value)) * 0.6 + 0.04 }));
      if (cell > 30)
        svg.append(svgElement("text", { x: left + (j + 0.5) * cell - 0.5, y: i * tall + tall / 2 + 4, "text-anchor": "middle" },
          value === null ? "\u2013" : minus(value.toFixed(2).replace(/^-(0\.00)$/, "$1"))));
    });
  });
  const cellAt = (x, y) => {
    const [i, j] = [Math.floor(y / tall), Math.floor((x - left) / cell)];
    return Math.min(i, j) < 0 || Math.max(i, j) >= count ? -1 : i * count + j;
  };
  return { parts: [svg], svg, title, table: () => ({ heads: [["", ""], ...names.map((name) => [name, ""])],
    rows: names.map((name, i) => [name, ...values.slice(i * count, (i + 1) * count)]) }),
    stops: { count: values.length, at: cellAt, tell: (stop) => ({
      at: [[left + ((stop % count) + 0.5) * cell, (Math.floor(stop / count) + 0.5) * tall]],
      lines: [{ text: names[Math.floor(stop / count)] + ", " + names[stop % count] + ": " + numberText(values[stop], 6) }] }) } };
}
