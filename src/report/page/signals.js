// Any set of signals over time: those of one unit share an axis, others lie in plots above each
// other. The list to choose from shows whole names.
const mostAtFirst = 8;  // lines

// The first group, without what is zero all the time.
function signalsAtFirst(signals) {
  const first = signals.filter((one) => one.group === signals[0].group);
  const moving = first.filter((one) => one.y.some((value) => value !== null && value !== 0));
  return new Set((moving.length > 0 ? moving : first).slice(0, mostAtFirst));
}

// A name that also stands alone: that of a gradient's signal is only its parameter.
function nameOf(signal) {
  return signal.label.startsWith(signal.group) ? signal.label : signal.group + ", " + signal.label;
}

// `chosen` in plots by their units, in the order of the signals.
function panelsOf(block, chosen) {
  const panels = new Map();
  const groups = new Set([...chosen].map((one) => one.group));
  block.signals.filter((one) => chosen.has(one)).forEach((one, index) => {
    if (!panels.has(one.unit)) panels.set(one.unit, { unit: one.unit, series: [] });
    panels.get(one.unit).series.push({ ...one, x: block.times, color: index, name: nameOf(one),
      label: groups.size > 1 ? nameOf(one) : one.label });
  });
  return [...panels.values()].map((panel) => ({ ...panel, label: labelOf(panel.series) }));
}

function labelOf(series) {
  if (series.every((one) => one.group === series[0].group) && series.length > 1) return series[0].group;
  return series.length <= 3 ? series.map((one) => one.name).join(", ") : series.length + " signals";
}

function signalChooser(block, chosen, changed) {
  const boxes = [], count = element("span");
  const list = element("div");
  const refresh = () => {
    for (const { box, signals } of boxes) {
      const on = signals.filter((one) => chosen.has(one)).length;
      box.checked = on === signals.length;
      box.indeterminate = on > 0 && on < signals.length;
    }
    count.textContent = chosen.size + " of " + block.signals.length + " signals";
  };
  const tick = (text, signals, css) => {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      for (const one of signals) chosen[box.checked ? "add" : "delete"](one);
      refresh();
      changed();
    });
    boxes.push({ box, signals });
    return element("label", { class: css }, box, text);
  };
  const groups = new Map();
  for (const one of block.signals) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  for (const [group, signals] of groups) {
    const isAlone = signals.length === 1;
    const rows = isAlone ? [] : signals.map((one) => tick(one.label, [one], "inner"));
    list.append(element("div", { class: "group", role: "group", "aria-label": group },
      tick(withUnit(isAlone ? nameOf(signals[0]) : group, signals[0].unit), signals, "outer"), ...rows));
  }
  const filter = element("input", { type: "search", placeholder: "find", "aria-label": "find signals" });
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const row of list.children) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  const reset = (signals) => () => {
    chosen.clear();
    for (const one of signals) chosen.add(one);
    refresh();
    changed();
  };
  refresh();
  const row = element("div", { class: "controls" }, button("none", reset([])), button("first", reset(signalsAtFirst(block.signals))));
  if (groups.size > 8) row.prepend(filter);
  const node = menu("", row, element("div", { class: "choices" }, list));
  node.classList.add("wide-menu");
  node.querySelector("summary").append(count);
  node.querySelector("summary").setAttribute("aria-label", "choose signals");
  return node;
}

function signalsBlock(block) {
  const chosen = signalsAtFirst(block.signals);
  const { controls, redraw } = plotBlock(block, true, (width) => {
    if (chosen.size === 0) return { parts: [element("p", { class: "note" }, "No signal is chosen.")] };
    return drawPanels(block.x, panelsOf(block, chosen), width, block.title);
  });
  if (block.signals.length > 1) controls.prepend(signalChooser(block, chosen, redraw));
}
