// What a reader takes along: a plot as SVG or PNG, its numbers as CSV, a scene as PNG.
// All of it works without a network.

// Texts that a spreadsheet would run as formulas get an apostrophe before them.
function csvField(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = String(value ?? "").replace(/^(?=\s*[=+\-@])/, "'");
  return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

// `heads` are [name, unit].
function csvText({ heads, rows }) {
  const first = heads.map(([name, unit]) => (unit ? name + " [" + unit + "]" : name));
  return [first, ...rows].map((row) => row.map(csvField).join(",") + "\n").join("");
}

function download(name, blob) {
  const link = element("a", { download: name.replace(/[^\p{L}\p{N}._-]+/gu, "-"), href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const drawnProperties = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "font-size", "font-weight", "text-anchor"];

// The plot as a file of its own, on white: no class and no variable of the page.
function standaloneSvg({ svg, legend: entries }, title) {
  const copy = svg.cloneNode(true);
  for (const node of copy.querySelectorAll(".hover, .cursor, .area")) node.remove();
  const { width, height } = svg.viewBox.baseVal;
  const head = svgElement("g", {}, svgElement("text", { class: "heading", x: 4, y: 15 }, title));
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = "11px sans-serif";
  let x = 4, y = 32;
  for (const entry of entries ?? []) {
    const room = 46 + ruler.measureText(entry.label).width;
    if (x > 4 && x + room > width) [x, y] = [4, y + 16];
    head.append(svgElement("g", { transform: "translate(" + round(x) + " " + (y - 9) + ")" }, ...legendSample(entry)),
      svgElement("text", { x: x + 27, y }, entry.label));
    x += room;
  }
  const top = entries?.length ? y + 8 : 24;
  const whole = svgElement("svg", { xmlns: svgSpace, viewBox: "0 0 " + width + " " + round(height + top), width, height: height + top,
    "font-family": "sans-serif" }, svgElement("rect", { class: "paper", width, height: height + top }), head,
    svgElement("g", { transform: "translate(0 " + round(top) + ")" }, ...copy.childNodes));
  const host = element("div", { class: "aside" }, whole);
  document.documentElement.classList.add("printing");
  document.body.append(host);
  for (const node of whole.querySelectorAll("*")) {
    const style = getComputedStyle(node);
    for (const name of drawnProperties) node.setAttribute(name, style.getPropertyValue(name));
    // A halo would lie on its text where a program does not know the order of painting.
    if (node.tagName === "text") node.setAttribute("stroke", "none");
  }
  for (const node of whole.querySelectorAll("*")) for (const name of ["class", "style", "tabindex"]) node.removeAttribute(name);
  host.remove();
  document.documentElement.classList.remove("printing");
  return new XMLSerializer().serializeToString(whole);
}

async function pngOf(text) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const canvas = element("canvas", { width: image.width * 2, height: image.height * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// A button that opens a small list; Escape and a click elsewhere close it.
function menu(label, ...items) {
  const summary = element("summary", {}, label);
  const node = element("details", { class: "menu" }, summary, element("div", { class: "items" }, ...items));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    summary.focus();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => { if (!node.contains(event.target)) node.open = false; });
  return node;
}

function button(label, pressed, description = "") {
  const node = element("button", { type: "button", ...(description ? { "aria-label": description } : {}) }, label);
  node.addEventListener("click", pressed);
  return node;
}

// `shown` gives what is drawn now: {svg, legend, table}.
function saveMenu(title, shown) {
  const name = page.title + " " + title;
  const svg = () => standaloneSvg(shown(), shown().title);
  const save = (kind, blobOf) => button(kind, async () => {
    if (shown().svg) download(name + "." + kind.toLowerCase(), await blobOf());
  }, "save " + title + " as " + kind);
  return menu("save",
    save("SVG", () => new Blob([svg()], { type: "image/svg+xml" })),
    save("PNG", () => pngOf(svg())),
    save("CSV", () => new Blob([csvText(shown().table())], { type: "text/csv" })));
}

function saveScene(title, canvas) {
  const name = page.title + " " + title + ".png";
  return button("save PNG", () => canvas.toBlob((blob) => { if (blob) download(name, blob); }, "image/png"), "save " + title + " as PNG");
}
