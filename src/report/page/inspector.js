// Values of a plot in words: of what is nearest to the pointer, and by keyboard where the plot has
// the focus.
const mostValues = 14;  // of one place

// `plot`: how many stops there are (`count`), which one is nearest to a place (`at`, -1 if none is
// near), what a stop says (`tell`: lines of text, each with a colour or none, marks as places, a
// rule at an x), and what choosing one does (`choose`, may be missing).
function inspect(host, svg, plot) {
  let stop = -1;
  const tip = element("div", { class: "tip", role: "status", hidden: "" });
  const marks = svgElement("g", { class: "hover" });
  svg.append(marks);
  host.append(tip);
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "application");
  const title = svg.querySelector("title");  // which the browser would show beside the values
  title.remove();
  svg.setAttribute("aria-label", title.textContent + ". Arrow keys read the values" +
    (plot.choose ? " and set the time." : "."));

  const hide = () => {
    tip.hidden = true;
    marks.replaceChildren();
  };
  const show = (next, pointer) => {
    stop = next;
    if (stop < 0) return hide();
    const { lines, at, rule, path } = plot.tell(stop);
    tip.replaceChildren(...lines.slice(0, mostValues).map(tipLine));
    if (lines.length > mostValues) tip.append(element("div", {}, "\u2026 and " + (lines.length - mostValues) + " more"));
    marks.replaceChildren(...at.map(([x, y]) => svgElement("circle", { class: "ring", cx: x, cy: y, r: 4 })));
    if (path) marks.prepend(svgElement("path", { class: "traced", d: path }));
    if (rule) marks.prepend(svgElement("line", { class: "rule", x1: rule.x, x2: rule.x, y1: rule.top, y2: rule.bottom }));
    tip.hidden = false;
    placeTip(host, svg, tip, pointer ?? at[0] ?? [rule?.x ?? 0, 20]);
  };
  const showUnder = (event) => {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const pointer = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    show(plot.at(...pointer), pointer);
  };
  const choose = () => { if (stop >= 0 && plot.choose) plot.choose(stop); };
  svg.addEventListener("pointermove", (event) => {
    showUnder(event);
    if (event.buttons === 1) choose();
  });
  svg.addEventListener("pointerdown", (event) => {
    if (plot.choose && event.isTrusted) svg.setPointerCapture(event.pointerId);
    showUnder(event);
    choose();
  });
  for (const name of ["pointerleave", "blur"]) svg.addEventListener(name, hide);
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || plot.count === 0) return;
    if (event.key === "Escape") return hide();
    const from = plot.start ? plot.start() : stop;
    const far = Math.max(2, Math.round(plot.count / 10));
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, PageUp: -far, PageDown: far, Home: -Infinity, End: Infinity };
    if (steps[event.key] === undefined) return;
    event.preventDefault();
    show(Math.max(0, Math.min(plot.count - 1, from + steps[event.key])));
    choose();
  });
}

function tipLine({ text, shade }) {
  const line = element("div", {}, text);
  if (shade === undefined) return line;
  line.prepend(element("span", { class: "swatch", color: shade }, "\u25a0 "));
  return line;
}

// Beside the place, inside the host.
function placeTip(host, svg, tip, [x, y]) {
  const box = svg.getBoundingClientRect(), outer = host.getBoundingClientRect();
  const scale = box.width / svg.viewBox.baseVal.width;
  const left = box.left - outer.left + x * scale, top = box.top - outer.top + y * scale;
  const width = tip.offsetWidth, height = tip.offsetHeight;
  tip.style.left = Math.max(0, left + 14 + width > outer.width ? left - 14 - width : left + 14) + "px";
  tip.style.top = Math.max(0, Math.min(top - height / 2, outer.height - height)) + "px";
}

function valueText(name, value, unit) {
  return name + " = " + (numberText(value, 6) + " " + unitText(unit)).trim();
}

// The nearest of some places within reach; -1 if there is none.
function nearestPlace(places, x, y, reach) {
  let best = -1, least = reach * reach;
  places.forEach(([px, py], i) => {
    const square = (px - x) * (px - x) + (py - y) * (py - y);
    if (square < least) [best, least] = [i, square];
  });
  return best;
}
