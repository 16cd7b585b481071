// Vectors, and the camera that looks at a motion: planar ones along their normal, others from
// above and aside.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const unit = (a) => scaled(a, 1 / Math.hypot(...a));

// Turns `a` about the unit vector `axis`.
function turned(a, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return sum(sum(scaled(a, c), scaled(cross(axis, a), s)), scaled(axis, dot(axis, a) * (1 - c)));
}

// Eigenvalues, ascending, and eigenvectors of a symmetric 3 by 3 matrix, by Jacobi's rotations.
function eigen(matrix) {
  const a = matrix.map((row) => [...row]);
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 30; ++sweep)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-300) continue;
      const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; ++k) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  return [0, 1, 2].map((k) => ({ value: a[k][k], vector: [v[0][k], v[1][k], v[2][k]] })).sort((x, y) => x.value - y.value);
}

function moments(vectors) {
  const matrix = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (const vector of vectors)
    for (let i = 0; i < 3; ++i) for (let j = 0; j < 3; ++j) matrix[i][j] += vector[i] * vector[j];
  return eigen(matrix);
}

// Every place at every time; missing ones are left out.
function allPlaces(motion) {
  const points = [];
  for (let i = 0; i + 2 < motion.positions.length; i += 3)
    if (motion.positions[i] !== null) points.push(motion.positions.slice(i, i + 3));
  return points;
}

// Across a line of places: to look along z, y or x, whichever lies best across it and `up`.
function normalOfLine(line, up) {
  const tilt = (axis) => Math.abs(dot(axis, line)) + Math.abs(dot(axis, up));
  const axes = [[0, 0, 1], [0, -1, 0], [1, 0, 0]];
  const best = axes.reduce((least, axis) => (tilt(axis) < tilt(least) - 1e-9 ? axis : least));
  return unit(sum(best, scaled(line, -dot(best, line))));
}

// The normal of a planar motion; null if it is spatial. Moves along one line, or none, lie in many
// planes: then the places say which one.
function normalOf(motion, points) {
  const width = motion.places.length * 3;
  const moves = [];
  for (let i = width; i + 2 < motion.positions.length; i += 3)
    if (motion.positions[i] !== null) moves.push([0, 1, 2].map((k) => motion.positions[i + k] - motion.positions[(i % width) + k]));
  const centre = scaled(points.reduce(sum, [0, 0, 0]), 1 / points.length);
  const spread = moments(points.map((point) => sum(point, scaled(centre, -1))));
  for (const [small, middle, large] of [moments(moves), spread]) {
    if (!(large.value > 0) || middle.value < 1e-9 * large.value) continue;  // a point or a line says no plane
    if (small.value > 1e-9 * large.value) return null;
    const normal = small.vector;
    const leading = normal.reduce((best, value) => (Math.abs(value) > Math.abs(best) + 1e-9 ? value : best), 0);
    return scaled(normal, Math.sign(leading));
  }
  const line = spread[2];
  return normalOfLine(line.value > 0 ? unit(line.vector) : [0, 0, 0], motion.up === null ? [0, 1, 0] : unit(motion.up));
}

// Whether points spread little along a direction: what moves in a plane may be as thick as a robot.
function isFlat(points, normal) {
  const spread = (axis) => { const [low, high] = range(points.map((point) => dot(point, axis))) ?? [0, 0]; return high - low; };
  return spread(normal) <= 0.12 * Math.max(...[[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(spread));
}

class Camera {
  // `outline`: more points to be shown.
  constructor(motion, outline = []) {
    const points = allPlaces(motion);
    this.world = motion.up === null ? [0, 0, 1] : unit(motion.up);
    const normal = normalOf(motion, points);
    if (normal !== null && isFlat(outline, normal)) this.lookAlong(normal, motion.up === null);
    else this.lookFromAbove();
    this.frame([...points, ...outline]);
    this.start = { right: this.right, up: this.up, toward: this.toward };
    this.reset();
  }

  lookAlong(normal, noGravity) {
    this.toward = normal;
    let up = noGravity ? [0, 1, 0] : this.world;
    if (Math.abs(dot(up, normal)) > 0.9) up = Math.abs(normal[1]) < 0.9 ? [0, 1, 0] : [0, 0, -1];
    this.up = unit(sum(up, scaled(normal, -dot(up, normal))));
    this.right = cross(this.up, this.toward);
    this.world = this.up;
  }

  lookFromAbove() {
    const other = Math.abs(this.world[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const a = unit(cross(this.world, other));
    const b = cross(a, this.world);
    this.toward = unit(sum(sum(scaled(a, -0.75), scaled(b, 0.5)), scaled(this.world, 0.42)));
    this.right = unit(cross(this.world, this.toward));
    this.up = cross(this.toward, this.right);
  }

  // The box of all that moves, as it is seen at first.
  frame(points) {
    const along = (axis) => range(points.map((point) => dot(point, axis))) ?? [0, 0];
    const boxes = [this.right, this.up, this.toward].map(along);
    const middle = boxes.map(([low, high]) => (low + high) / 2);
    this.centre = sum(sum(scaled(this.right, middle[0]), scaled(this.up, middle[1])), scaled(this.toward, middle[2]));
    this.extent = boxes.map(([low, high]) => high - low);
    this.radius = Math.max(Math.hypot(...this.extent) / 2, 1e-9);
  }

  reset() {
    Object.assign(this, this.start);
    this.zoom = 1;
    this.shift = [0, 0];
  }

  orbit(dx, dy) {
    for (const [axis, angle] of [[this.world, -dx], [this.right, -dy]])
      for (const name of ["right", "up", "toward"]) this[name] = turned(this[name], axis, angle);
  }

  scale(width, height) {
    const room = 34;
    const fit = Math.min((width - 2 * room) / Math.max(this.extent[0], 1e-9), (height - 2 * room) / Math.max(this.extent[1], 1e-9));
    return Math.min(fit, (4 * Math.min(width, height)) / this.radius) * this.zoom;
  }

  // How much larger than in the middle things look at this depth.
  nearness(depth) {
    return this.perspective ? 1 / Math.max(0.2, 1 - depth / (4 * this.radius)) : 1;
  }

  // Place on the canvas, and depth towards the viewer.
  project(point, width, height) {
    const offset = sum(point, scaled(this.centre, -1));
    const depth = dot(offset, this.toward);
    const scale = this.scale(width, height) * this.nearness(depth);
    return [width / 2 + this.shift[0] + dot(offset, this.right) * scale, height / 2 + this.shift[1] - dot(offset, this.up) * scale, depth];
  }
}
