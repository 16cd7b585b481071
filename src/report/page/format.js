// Numbers, units and elements: what all blocks are made of. Texts go in by textContent only.
const svgSpace = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  return fill(node, attributes, children);
}

function svgElement(name, attributes = {}, ...children) {
  const node = document.createElementNS(svgSpace, name);
  return fill(node, attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "color") node.style.color = value;
    else if (key === "fill" || key === "stroke") node.style.setProperty(key, value);
    else node.setAttribute(key, typeof value === "number" ? round(value) : value);
  }
  for (const child of children) node.append(child);
  return node;
}

// Coordinates of marks: a hundredth of a pixel is enough.
function round(value) {
  return String(Math.round(value * 100) / 100);
}

const superscripts = { "-": "\u207b", "0": "\u2070", "1": "\u00b9", "2": "\u00b2", "3": "\u00b3", "4": "\u2074",
  "5": "\u2075", "6": "\u2076", "7": "\u2077", "8": "\u2078", "9": "\u2079" };

function superscript(text) {
  return [...text].map((sign) => superscripts[sign] ?? sign).join("");
}

// "m^2/s^3" with raised exponents.
function unitText(unit) {
  return (unit ?? "").replace(/\^(-?\d+)/g, (_, digits) => superscript(digits));
}

function withUnit(label, unit, power = 0) {
  const factor = power === 0 ? "" : "10" + superscript(String(power));
  const text = [factor, unitText(unit)].filter((part) => part !== "").join(" ");
  return text === "" ? label : label + " [" + text + "]";
}

function minus(text) {
  return text.replace(/-/g, "\u2212");
}

// A number with at most 5 significant digits; what is missing is a dash.
function numberText(value, digits = 5) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "\u2013";
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size < -4 || size > 6) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    return minus(String(Number(mantissa))) + "\u00b7" + "10" + superscript(String(Number(power)));
  }
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return minus(String(value));
  return minus(String(Number(value.toPrecision(digits))));
}

function finite(values) {
  return values.filter((value) => value !== null && Number.isFinite(value));
}

function range(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? null : [low, high];
}

function color(index) {
  return "var(--s" + (index % 7) + ")";
}

const dashes = ["", "6 3", "2 2.5", "8 3 2 3", "1 3", "10 4", "4 2 1 2"];

function dash(index) {
  return dashes[(index + Math.floor(index / 7)) % dashes.length];  // no pair of colour and dashes comes twice in 49
}

function shorten(text, length) {
  const signs = [...text];
  return signs.length <= length ? text : signs.slice(0, length - 1).join("") + "\u2026";
}

// A choice with its label, or without one a description that is not seen; `changed` is told the
// index.
function choice(label, texts, changed, start = 0, description = label) {
  const select = element("select", { "aria-label": description });
  texts.forEach((text, index) => select.append(element("option", { value: String(index) }, text)));
  select.value = String(start);
  select.addEventListener("change", () => changed(Number(select.value)));
  return element("label", {}, label === "" ? "" : label, select);
}
