// One frame of a motion on a canvas: bodies, joints, springs, the ground, a trace.
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = [chain[chain.length - 2], chain[chain.length - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

function sceneColors() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return { paper: value("--paper"), ink: value("--ink"), soft: value("--soft"), line: value("--line"), grid: value("--grid"), mark: value("--s6"),
    body: (index) => value("--s" + (index % 6)) };
}

class Scene {
  // `shapes`: null where skeletons alone are shown; `loads`: null where forces are not.
  constructor(context, width, height, motion, camera, frame, shapes, loads) {
    Object.assign(this, { context, width, height, motion, camera, frame, shapes, loads, colors: sceneColors() });
    context.clearRect(0, 0, width, height);
    context.fillStyle = this.colors.paper;
    context.fillRect(0, 0, width, height);
    context.lineJoin = "round";
    context.lineCap = "round";
    context.font = "11px system-ui, sans-serif";
  }

  place(index, frame = this.frame) {
    const start = (frame * this.motion.places.length + index) * 3;
    const point = this.motion.positions.slice(start, start + 3);
    return point[0] === null || point.length < 3 ? null : this.camera.project(point, this.width, this.height);
  }

  stroke(points, color, width, closed = false) {
    const { context } = this;
    context.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    if (closed) context.closePath();
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }

  dot([x, y], radius, fill, edge, square = false) {
    const { context } = this;
    context.beginPath();
    if (square) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = edge;
    context.lineWidth = 1.3;
    context.stroke();
  }

  // `names`: which things have theirs written beside them, {bodies, joints, points}.
  draw(trace, names) {
    if (!this.isSolid("ground")) this.drawGround();
    for (const joint of this.motion.joints) this.drawAxis(joint);
    if (this.shapes !== null) this.shapes.draw(this);
    if (trace >= 0) this.drawTrace(trace);
    const bodies = this.motion.bodies.map((body, index) => ({ body, index, corners: body.corners.map((i) => this.place(i)).filter((p) => p !== null) }));
    bodies.sort((a, b) => this.depth(a.corners) - this.depth(b.corners));
    for (const { body, index, corners } of bodies) if (!this.isSolid(body.name)) this.drawBody(body, index, corners);
    for (const link of this.motion.links) this.drawLink(link);
    for (const joint of this.motion.joints) if (!this.isCovered(joint)) this.drawJoint(joint);
    for (const load of this.motion.loads) this.drawLoad(load);
    if (this.loads !== null) this.loads.draw(this);
    if (names.points) this.motion.places.forEach((place, index) => this.drawLabel(place, this.place(index), 11));
    if (names.joints) for (const joint of this.motion.joints) this.drawLabel(joint.name, this.place(joint.child), -9);
    if (names.bodies) for (const { body, index, corners } of bodies) this.drawName(body.name, index, corners);
    this.drawScale();
    this.drawAxes();
  }

  // Whether the body is drawn as its shapes.
  isSolid(name) {
    return this.shapes !== null && this.shapes.has(this.motion.bodies.findIndex((body) => body.name === name));
  }

  // Whether a joint lies within shapes on both of its sides, or on one if the other is the ground or a frame.
  isCovered(joint) {
    const [parent, child] = [joint.parent, joint.child].map((place) => this.motion.places[place].split(".")[0]);
    return this.isSolid(child) ? this.isSolid(parent) || parent === "ground" : joint.type === "fixed" && this.isSolid(parent);
  }

  depth(corners) {
    return corners.reduce((total, corner) => total + corner[2], 0) / Math.max(1, corners.length);
  }

  drawBody(body, index, corners) {
    if (corners.length === 0) return;
    const color = this.colors.body(index);
    const outline = hull(corners);
    const long = Math.max(...corners.map((a) => Math.hypot(a[0] - corners[0][0], a[1] - corners[0][1])));
    const centre = this.place(body.com);
    if (long < 9 && this.shapes !== null) {
      this.dot(corners[0], 2, color, color, true);  // a frame among solid bodies
      return;
    }
    if (long < 9) {
      if (centre !== null) this.stroke([corners[0], centre], color, 3.2);
      this.dot(corners[0], 6, color, color, true);
    }
    if (outline.length > 2) {
      this.context.globalAlpha = 0.18;
      this.context.beginPath();
      outline.forEach(([x, y], i) => (i === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y)));
      this.context.fillStyle = color;
      this.context.fill();
      this.context.globalAlpha = 1;
    }
    this.stroke(outline, color, 3.2, outline.length > 2);
    if (centre !== null) this.drawCentre(centre, color);
  }

  // The sign of a centre of mass: a circle with two quarters filled.
  drawCentre([x, y], color) {
    const { context } = this;
    this.dot([x, y], 4.2, this.colors.paper, color);
    context.fillStyle = color;
    for (const start of [0, Math.PI]) {
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, 4.2, start, start + Math.PI / 2);
      context.fill();
    }
  }

  drawJoint(joint) {
    const parent = this.place(joint.parent), child = this.place(joint.child);
    const sliding = joint.type === "prismatic" || joint.type === "cylindrical" || joint.type === "planar";
    if (sliding && parent !== null && child !== null) {
      this.context.setLineDash([4, 4]);
      this.stroke([parent, child], this.colors.soft, 1);
      this.context.setLineDash([]);
    }
    if (child === null) return;
    const round = joint.type === "spherical" || joint.type === "cardan";
    this.dot(child, round ? 4.6 : 3.6, round ? this.colors.soft : this.colors.paper, this.colors.ink, sliding || joint.type === "fixed");
  }

  // The axis that a joint turns about or slides along, where the position says it.
  drawAxis(joint) {
    const axes = this.motion.axes ?? {};
    const axis = Object.hasOwn(axes, joint.name) ? axes[joint.name] : undefined;
    const at = this.motion.positions.slice(joint.parent * 3, joint.parent * 3 + 3);
    if (axis === undefined || axis[0] === null || at[0] === null || !(Math.hypot(...axis) > 0)) return;
    const half = scaled(unit(axis), 0.09 * this.camera.radius);
    const [from, to] = [sum(at, scaled(half, -1)), sum(at, half)].map((point) => this.camera.project(point, this.width, this.height));
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 4) return;  // seen along the axis
    this.context.setLineDash([7, 3, 1, 3]);
    this.stroke([from, to], this.colors.soft, 1.2);
    this.context.setLineDash([]);
  }

  // A force has a direction that may change: its sign is a diamond, that of a torque an open arc.
  drawLoad(load) {
    const at = this.place(load.at);
    if (at === null) return;
    const { context } = this;
    const [x, y] = at;
    context.beginPath();
    if (load.kind === "torque") context.arc(x, y, 9, -2.4, 2.2);
    else [[x, y - 7], [x + 7, y], [x, y + 7], [x - 7, y]].forEach((p, i) => (i === 0 ? context.moveTo(...p) : context.lineTo(...p)));
    if (load.kind !== "torque") context.closePath();
    context.strokeStyle = this.colors.mark;
    context.lineWidth = 2;
    context.stroke();
  }

  drawLabel(text, at, below) {
    if (at !== null) this.write(shorten(text, 22), at[0] + 7, at[1] + below + 4, this.colors.soft);
  }

  // Text with a halo, wholly on the canvas where its place is there.
  write(text, left, below, color) {
    const { context, width, height } = this;
    const inside = left > -60 && left < width + 20 && below > -20 && below < height + 20;
    const x = inside ? Math.max(3, Math.min(width - context.measureText(text).width - 3, left)) : left;
    const y = inside ? Math.max(11, Math.min(height - 4, below)) : below;
    context.lineWidth = 3;
    context.strokeStyle = this.colors.paper;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  drawLink(link) {
    const from = this.place(link.from), to = this.place(link.to);
    if (from === null || to === null) return;
    const dx = to[0] - from[0], dy = to[1] - from[1], length = Math.hypot(dx, dy);
    if (link.kind === "rod" || length < 12) {
      this.stroke([from, to], this.colors.soft, 1.4);
      return;
    }
    const turns = link.kind === "bushing" ? 5 : 20, side = 6;
    const points = [from];
    for (let i = 0; i <= turns; ++i) {
      const along = 0.12 + (0.76 * i) / turns;
      const across = i === 0 || i === turns ? 0 : i % 2 === 0 ? -side : side;
      points.push([from[0] + dx * along - (dy / length) * across, from[1] + dy * along + (dx / length) * across]);
    }
    this.stroke([...points, to], this.colors.soft, 1.4);
  }

  drawGround() {
    for (const index of this.motion.ground) {
      const at = this.place(index);
      if (at === null) continue;
      const [x, y] = at;
      this.stroke([[x, y], [x - 8, y + 12], [x + 8, y + 12]], this.colors.soft, 1.2, true);
      for (let k = -10; k <= 8; k += 4.5) this.stroke([[x + k + 3, y + 12.6], [x + k, y + 17]], this.colors.soft, 1);
    }
  }

  drawTrace(index) {
    const count = this.motion.time.length;
    const path = (end) => Array.from({ length: end }, (_, i) => this.place(index, i)).filter((point) => point !== null);
    this.stroke(path(count), this.colors.line, 1.2);
    this.stroke(path(this.frame + 1), this.colors.soft, 1.6);
    const at = this.place(index);
    if (at !== null) this.dot(at, 2.6, this.colors.ink, this.colors.ink);
  }

  drawName(name, index, corners) {
    const small = corners.every((corner) => Math.hypot(corner[0] - corners[0][0], corner[1] - corners[0][1]) < 9);
    if (corners.length === 0 || (small && this.shapes !== null && !this.isSolid(name))) return;
    const middle = corners.reduce((total, p) => [total[0] + p[0] / corners.length, total[1] + p[1] / corners.length], [0, 0]);
    // Beside the bar, above it where there is a choice.
    const last = corners[corners.length - 1];
    let side = [last[1] - corners[0][1], corners[0][0] - last[0]];
    const length = Math.hypot(...side);
    if (length < 9) side = [0, -length || -1];
    else if (side[1] > 0.02 * length) side = [-side[0], -side[1]];
    const away = 15 / Math.max(Math.hypot(...side), 1);
    const solid = this.isSolid(name);  // then the name stands on the body, legible whatever colour that has
    const [x, y] = solid ? [middle[0], middle[1] + 4] : [middle[0] + side[0] * away, middle[1] + side[1] * away + 4];
    const text = shorten(name, 18);
    this.write(text, x - this.context.measureText(text).width / 2, y, solid ? this.colors.ink : this.colors.body(index));
  }

  // A length to compare with; in perspective there is none.
  drawScale() {
    if (this.camera.perspective) return;
    const scale = this.camera.scale(this.width, this.height);
    let length = niceStep(80 / scale, 1);
    if (length * scale > 160) length /= 2;
    const x = 14, y = this.height - 14;
    this.stroke([[x, y - 4], [x, y], [x + length * scale, y], [x + length * scale, y - 4]], this.colors.ink, 1.2);
    this.context.fillStyle = this.colors.ink;
    this.context.fillText(numberText(length) + " m", x + 4, y - 6);
  }

  drawAxes() {
    const { context, camera } = this;
    const centre = [this.width - 38, this.height - 34];
    ["x", "y", "z"].forEach((name, k) => {
      const end = [centre[0] + camera.right[k] * 22, centre[1] - camera.up[k] * 22];
      if (Math.hypot(end[0] - centre[0], end[1] - centre[1]) < 3) return;
      this.stroke([centre, end], this.colors.soft, 1.2);
      context.fillStyle = this.colors.soft;
      context.fillText(name, centre[0] + camera.right[k] * 29 - 3, centre[1] - camera.up[k] * 29 + 4);
    });
  }
}
