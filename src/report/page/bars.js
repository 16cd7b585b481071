// Bars by name, and gradients as a tornado: sorted by size, signed, the smallest ones summed up.
const mostRows = 15;  // of a tornado at first

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
    series.forEach((one, index) => drawBar(svg, one, index, row, y + index * thick, thick, px, choice.rest === row));
    if (series.length === 1)
      svg.append(svgElement("text", { class: "soft", x: width - 2, y: y + thick / 2 + 4, "text-anchor": "end" }, numberText(series[0].values[row], 4)));
  });
  svg.append(svgElement("line", { class: "axis", x1: px(0), x2: px(0), y1: top, y2: bottom }),
    svgElement("text", { x: width / 2, y: height - 4, "text-anchor": "middle" }, ...fitted(choice.axis ?? choice.label, choice.unit, scale.power, width)));
  const entries = series.length > 1 || series[0].label !== "" ? series.map((one, index) => ({ label: one.label, index, kind: "bar" })) : [];
  const place = (row) => top + (row + 0.5) * rowHeight;
  const tell = choice.tell ?? ((row) => series.map((one, index) => ({
    text: valueText(one.label || choice.axis || choice.label, one.values[row], choice.unit) + intervalText(one, row), shade: color(index) })));
  return { parts: [...(entries.length > 0 ? [legend(entries)] : []), svg], svg, title, legend: entries,
    stops: { count: names.length, at: (_, y) => (y > bottom ? -1 : Math.max(0, Math.min(names.length - 1, Math.floor((y - top) / rowHeight)))),
      tell: (row) => ({ lines: [{ text: names[row] }, ...tell(row)], at: [[px(finite([series[0].values[row]])[0] ?? 0), place(row)]] }) },
    table: choice.table ?? (() => tableOfBars(choice)) };
}

function intervalText(one, row) {
  return finite([one.low[row] ?? null]).length === 0 ? "" : " (" + numberText(one.low[row]) + " to " + numberText(one.high[row]) + ")";
}

function tableOfBars({ names, series, label, unit }) {
  const hasEnds = series.some((one) => one.low.length > 0);
  return { heads: [["name", ""], ...series.flatMap((one) => [[one.label || label, unit],
    ...(hasEnds ? [[(one.label || label) + " low", unit], [(one.label || label) + " high", unit]] : [])])],
    rows: names.map((name, row) => [name, ...series.flatMap((one) => [one.values[row], ...(hasEnds ? [one.low[row], one.high[row]] : [])])]) };
}

function drawBar(svg, one, index, row, y, thick, px, isRest) {
  const value = one.values[row];
  if (value === null || value === undefined) return;
  const shade = isRest ? "var(--soft)" : one.label === "" && value < 0 ? color(1) : color(index);
  svg.append(svgElement("rect", { x: Math.min(px(0), px(value)), y: y + 1, width: Math.abs(px(value) - px(0)), height: thick - 2, fill: shade }));
  const low = one.low[row], high = one.high[row];
  if (low === null || low === undefined || high === null || high === undefined) return;
  const middle = round(y + thick / 2), start = round(y + 2), end = round(y + thick - 2);
  svg.append(svgElement("path", { class: "whisker", d: "M" + round(px(low)) + " " + start + "V" + end + "M" + round(px(low)) + " " + middle +
    "H" + round(px(high)) + "M" + round(px(high)) + " " + start + "V" + end }));
}

// One objective as a choice of bars.
function tornado(block, slopes, isScaled, isWhole) {
  const scaled = (values, k) => ((values[k] ?? null) === null || block.parameters[k].scale === null ? null : values[k] * block.parameters[k].scale);
  const raw = (values, k) => values[k] ?? null;
  const size = (k) => Math.abs(scaled(slopes.values, k) ?? 0);
  const order = block.parameters.map((_, k) => k).sort((a, b) => size(b) - size(a));
  const value = isScaled ? scaled : raw;
  const shown = isWhole || order.length <= mostRows + 1 ? order : order.slice(0, mostRows);
  const others = order.slice(shown.length);
  const hasRest = isScaled && others.length > 0;
  const column = (values) => (values.length === 0 ? [] : shown.map((k) => value(values, k)));
  const names = shown.map((k) => withUnit(block.parameters[k].name, isScaled ? "" : block.parameters[k].unit));
  const bars = { label: "", values: column(slopes.values), low: column(slopes.low), high: column(slopes.high) };
  if (hasRest) {
    names.push(others.length + " others, sizes summed");
    bars.values.push(others.reduce((total, k) => total + size(k), 0));
  }
  const kinds = [...new Set(block.parameters.map((one) => one.scale_name).filter((name) => name !== ""))];
  const unit = slopes.unit;
  return { label: slopes.label, names, series: [bars], rest: hasRest ? shown.length : -1, hidden: others.length,
    axis: "derivative of " + slopes.what + (isScaled ? " \u00d7 " + kinds.join(" or ") + " of the parameter" : ""),
    unit: unit + (isScaled || unit === "" ? "" : " per unit of the parameter"),
    tell: (row) => (row === shown.length ? [{ text: valueText("sum of sizes", bars.values[row], unit) }] : tellSlope(block.parameters[shown[row]], slopes, shown[row], scaled)),
    table: () => tableOfSlopes(block, slopes, order, scaled) };
}

function tellSlope(parameter, slopes, k, scaled) {
  const perUnit = slopes.unit + (parameter.unit ? " per " + parameter.unit : "");
  return [{ text: valueText("derivative", slopes.values[k], perUnit) + intervalText(slopes, k) },
    { text: parameter.scale === null ? "its value is 0: nothing to scale it by" : valueText(parameter.scale_name, parameter.scale, parameter.unit) },
    { text: valueText("product", scaled(slopes.values, k), slopes.unit) }];
}

function tableOfSlopes(block, slopes, order, scaled) {
  const hasEnds = slopes.low.length > 0;
  return { heads: [["parameter", ""], ["unit", ""], ["derivative of " + slopes.what, slopes.unit + " per unit"], ...(hasEnds ? [["low", ""], ["high", ""]] : []),
    ["scale", ""], ["scale is", ""], ["derivative times scale", slopes.unit]],
    rows: order.map((k) => [block.parameters[k].name, block.parameters[k].unit, slopes.values[k], ...(hasEnds ? [slopes.low[k], slopes.high[k]] : []),
      block.parameters[k].scale, block.parameters[k].scale_name, scaled(slopes.values, k)]) };
}

function gradientBlock(block) {
  let chosen = 0, isScaled = true, isWhole = false;
  const { controls, redraw } = plotBlock(block, false, (width) => drawBars(tornado(block, block.choices[chosen], isScaled, isWhole), width,
    block.title + ": " + block.choices[chosen].what));
  if (block.parameters.length > mostRows + 1) {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => { isWhole = box.checked; redraw(); });
    controls.prepend(element("label", {}, box, "all " + block.parameters.length));
  }
  controls.prepend(choice("", ["scaled", "raw derivatives"], (index) => { isScaled = index === 0; redraw(); }, 0, "scale"));
  if (block.choices.length > 1)
    controls.prepend(choice("", block.choices.map((one) => one.label), (index) => { chosen = index; redraw(); }, 0, "objective"));
}
