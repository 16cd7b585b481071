// Builds the page from its data: a head, then a block after the other.
const page = JSON.parse(document.getElementById("data").textContent);
const redraws = [];  // what follows the width of the page and the colours

// A block with a title, and with what is chosen beside it.
function titled(block, kind, wide) {
  const head = element("div", { class: "title" }, element("h2", {}, block.title));
  const node = element("section", { class: "block " + kind + (wide ? " wide" : ""), "aria-label": block.title }, head);
  document.getElementById("blocks").append(node);
  return { node, head };
}

function addNote(node, text) {
  if (text) node.append(element("p", { class: "note" }, text));
}

const builders = {
  facts(block) {
    const { node } = titled(block, "facts", false);
    const list = element("dl");
    for (const [label, value, unit] of block.items)
      list.append(element("dt", {}, label), element("dd", {}, typeof value === "number" ? (numberText(value, 6) + " " + unitText(unit)).trim() : value));
    node.append(list);
  },

  notice(block) {
    const role = block.level === "information" ? "note" : "alert";
    document.getElementById("blocks").append(element("p", { class: "notice wide " + block.level, role }, block.text));
  },

  table(block) {
    const wide = block.wide === true || block.columns.length > 5;
    const node = element("section", { class: "block table" + (wide ? " wide" : "") + (block.rows.length > 22 ? " long" : "") });
    const head = element("tr");
    for (const column of block.columns)
      head.append(element("th", { scope: "col", class: column.text ? "text" : "" }, withUnit(column.title, column.unit)));
    const body = element("tbody");
    for (const row of block.rows) body.append(element("tr", {}, ...row.map((cell, i) => tableCell(cell, block.columns[i]))));
    const host = element("div", { class: "scroll" }, element("table", {}, element("caption", {}, block.title), element("thead", {}, head), body));
    if (block.rows.length > 22) {
      host.tabIndex = 0;  // scrolled by keyboard
      host.setAttribute("role", "region");
      host.setAttribute("aria-label", block.title);
    }
    node.append(host);
    addNote(node, block.note);
    document.getElementById("blocks").append(node);
  },

  lines: (block) => choicePlot(block, true, drawLines),
  bars: (block) => choicePlot(block, false, drawBars),
  histogram: (block) => choicePlot(block, false, drawHistogram),
  heatmap: (block) => choicePlot(block, false, drawHeatmap),
  signals: signalsBlock,
  gradient: gradientBlock,
  parallel: parallelBlock,

  scatter(block) {
    let x = 0, y = 0;
    const { controls, redraw } = plotBlock(block, false, (width) => drawScatter(block, x, y, width, block.y[y].name + " against " + block.x[x].name));
    if (block.x.length > 1) controls.prepend(choice("against", block.x.map((one) => one.name), (index) => { x = index; redraw(); }));
    if (block.y.length > 1) controls.prepend(choice("of", block.y.map((one) => one.name), (index) => { y = index; redraw(); }));
  },

  pose(block) {
    const { node, head } = titled(block, "player", true);
    const player = new Player(block, node);
    addNote(node, "Circles are joints that turn, squares those that slide, full circles spherical and cardan ones, dash-dotted lines their axes; " +
      "quartered circles are centres of mass, long zigzags springs, short ones bushings, diamonds forces, arcs torques. Point at anything for its name; drag to turn, scroll to zoom.");
    keepDrawn(player.canvas, () => player.draw());
    head.append(element("div", { class: "controls" }, saveScene(block.title, player.canvas)));
  },

  animation(block) {
    const { node, head } = titled(block, "player", true);
    const player = new Player(block, node);
    keepDrawn(player.canvas, () => player.draw());
    head.append(element("div", { class: "controls" }, saveScene(block.title, player.canvas)));
    if (block === page.blocks.find((one) => one.kind !== "notice") && !wantsNoMotion && !player.canvas.hidden) player.toggle();
  },
};

function tableCell(cell, column) {
  if (column.text && column.title === "unit") return element("td", { class: "text unit" }, unitText(cell));
  if (column.text) return element("td", { class: "text" }, cell ?? "");
  const isEstimate = cell !== null && typeof cell === "object";
  // Estimates come with the digits that show the width of their interval.
  const node = element("td", {}, typeof cell === "string" ? cell : numberText(isEstimate ? cell.value : cell, isEstimate ? 15 : 6));
  if (isEstimate && cell.low !== null && cell.high !== null)
    node.append(element("span", { class: "interval" }, "[" + numberText(cell.low, 15) + ", " + numberText(cell.high, 15) + "]"));
  return node;
}

// A block with a plot: `draw` makes {parts, svg, title, legend, stops, cursor, table} at a width in
// pixels.
function plotBlock(block, wide, draw) {
  const { node, head } = titled(block, "plot " + block.kind, wide && block.narrow !== true);
  const host = element("div", { class: "stage" });
  let shown = {};
  const redraw = () => {
    shown = draw(plotWidth(host));
    host.replaceChildren(...shown.parts);
    if (shown.stops) inspect(host, shown.svg, shown.stops);
    shown.cursor?.(clock.time);
  };
  const controls = element("div", { class: "controls" }, saveMenu(block.title, () => shown));
  head.append(controls);
  node.append(host);
  addNote(node, block.note);
  keepDrawn(host, redraw);
  clock.follow((time) => shown.cursor?.(time));
  return { controls, redraw };
}

function choicePlot(block, wide, drawChoice) {
  let chosen = 0;
  const { controls, redraw } = plotBlock(block, wide, (width) => {
    const shown = block.choices[chosen];
    return drawChoice(shown, width, block.title + ": " + shown.label);
  });
  if (block.choices.length > 1)
    controls.prepend(choice("", block.choices.map((one) => one.label), (index) => { chosen = index; redraw(); }, 0, "what is shown"));
}

function plotWidth(host) {
  return Math.max(260, Math.round(host.clientWidth));
}

// Draws now, and again when the width changes.
function keepDrawn(host, draw) {
  let width = host.clientWidth;
  draw();
  redraws.push(draw);
  new ResizeObserver(() => {
    if (Math.abs(host.clientWidth - width) < 2) return;
    width = host.clientWidth;
    draw();
  }).observe(host);
}

function redrawAll() {
  for (const draw of redraws) draw();
}

document.title = page.title;
document.getElementById("head").append(element("h1", {}, page.title), element("p", {}, page.subtitle));
if (page.description) document.getElementById("head").append(element("p", {}, page.description));
for (const block of page.blocks) builders[block.kind](block);

// Paper is white, whatever the screen is.
window.addEventListener("beforeprint", () => { document.documentElement.classList.add("printing"); redrawAll(); });
window.addEventListener("afterprint", () => { document.documentElement.classList.remove("printing"); redrawAll(); });
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
