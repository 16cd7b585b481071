// Forces as arrows, torques as arrows about their axes, all forces and all torques to one scale, and
// a legend of what they are now.
const longestArrow = 70, mostLoads = 16;

class Loads {
  constructor(motion) {
    const vector = (load, frame) => load.values.slice(3 * frame, 3 * frame + 3);
    const size = (v) => (v.length < 3 || v.includes(null) ? 0 : Math.hypot(...v));
    const largest = (load) => motion.time.reduce((most, _, frame) => Math.max(most, size(vector(load, frame))), 0);
    const all = (motion.forces ?? []).map((load) => ({ ...load, largest: largest(load) }));
    // Where there are many, those that matter most of their kind.
    this.largest = {};
    for (const load of all) this.largest[load.unit] = Math.max(this.largest[load.unit] ?? 0, load.largest);
    const weight = (load) => load.largest / this.largest[load.unit];
    const kept = new Set([...all].sort((a, b) => weight(b) - weight(a)).slice(0, mostLoads));
    this.left = all.length - kept.size;
    this.shown = all.filter((load) => kept.has(load));
    this.at = (load, frame) => { const v = vector(load, frame); return size(v) > 0 ? v : null; };
  }

  isEmpty() {
    return this.shown.length === 0;
  }

  color(index) {
    return "var(--s" + [1, 3, 4, 2, 0, 5][index % 6] + ")";
  }

  draw(scene) {
    this.shown.forEach((load, index) => {
      const v = this.at(load, scene.frame);
      if (v === null) return;
      const length = longestArrow * (Math.hypot(...v) / this.largest[load.unit]);
      if (length < 2) return;
      const color = scene.colors.body([1, 3, 4, 2, 0, 5][index % 6]);
      const place = (which) => { const start = 3 * (scene.frame * scene.motion.places.length + which); return scene.motion.positions.slice(start, start + 3); };
      const ends = load.from === null ? [[load.at, 1]] : [[load.at, 1], [load.from, -1]];
      for (const [which, sign] of ends) this.drawOne(scene, place(which), scaled(unit(v), sign), length, color, load.unit === "N m");
    });
  }

  drawOne(scene, at, direction, length, color, isTorque) {
    if (at[0] === null) return;
    const { camera, width, height } = scene;
    const way = length / (camera.scale(width, height) * camera.nearness(dot(sum(at, scaled(camera.centre, -1)), camera.toward)));
    const [from, to] = [at, sum(at, scaled(direction, way))].map((point) => camera.project(point, width, height));
    const towards = dot(direction, camera.toward);
    // About an axis that points at the viewer, or away: an arc that turns as the torque does.
    if (isTorque && Math.abs(towards) > 0.9) drawArc(scene, from, Math.sign(towards), length, color);
    else drawArrow(scene, from, clipped(from, to, width, height), color, isTorque);
  }

  // What acts now, in the order in which the model has it.
  tell(list, frame) {
    const items = this.shown.map((load, index) => {
      const v = this.at(load, frame);
      const sign = svgElement("svg", { viewBox: "0 0 22 10" }, svgElement("path", { d: "M1 5H18M13 1L19 5L13 9", fill: "none", stroke: this.color(index), "stroke-width": 2 }));
      return element("li", {}, sign, load.name + ": " + numberText(v === null ? 0 : Math.hypot(...v), 3) + " " + unitText(load.unit));
    });
    const longest = Object.entries(this.largest).filter(([, size]) => size > 0).map(([kind, size]) => numberText(size, 3) + " " + unitText(kind));
    items.push(element("li", {}, "longest arrow: " + longest.join(", ") + (this.left > 0 ? "; " + this.left + " smaller ones are not shown" : "")));
    list.replaceChildren(...items);
  }
}

// The end of a line within the canvas; null if it begins outside.
function clipped(from, to, width, height) {
  const edge = 6;
  const inside = (x, most) => x >= edge && x <= most - edge;
  if (!inside(from[0], width) || !inside(from[1], height)) return null;
  let part = 1;
  [width, height].forEach((most, k) => {
    const way = to[k] - from[k];
    if (from[k] + way * part > most - edge) part = (most - edge - from[k]) / way;
    if (from[k] + way * part < edge) part = (edge - from[k]) / way;
  });
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}

function drawHead(scene, tip, angle, size, color) {
  const side = (turn) => [tip[0] - size * Math.cos(angle + turn), tip[1] - size * Math.sin(angle + turn)];
  scene.stroke([side(0.45), tip, side(-0.45)], color, 2.2);
}

// The head of a torque is doubled, as that of a vector of rotation.
function drawArrow(scene, from, to, color, isDoubled) {
  if (to === null || Math.hypot(to[0] - from[0], to[1] - from[1]) < 1.5) return;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]), angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const size = Math.min(9, 0.6 * length);
  scene.stroke([from, to], color, 2.2);
  drawHead(scene, to, angle, size, color);
  if (isDoubled) drawHead(scene, [to[0] - 0.6 * size * Math.cos(angle), to[1] - 0.6 * size * Math.sin(angle)], angle, size, color);
}

// Counter-clockwise where the axis points at the viewer; the longer, the larger the torque.
function drawArc(scene, [x, y], sign, length, color) {
  const radius = 14, sweep = 0.35 + (4.6 * length) / longestArrow, start = -Math.PI / 2;
  const steps = 24, angle = (k) => start - (sign * sweep * k) / steps;
  const points = Array.from({ length: steps + 1 }, (_, k) => [x + radius * Math.cos(angle(k)), y + radius * Math.sin(angle(k))]);
  if (points.some(([a, b]) => a < 2 || b < 2 || a > scene.width - 2 || b > scene.height - 2)) return;
  scene.stroke(points, color, 2.2);
  const [before, tip] = points.slice(-2);
  drawHead(scene, tip, Math.atan2(tip[1] - before[1], tip[0] - before[0]), Math.min(7, 3 + length / 10), color);
}
