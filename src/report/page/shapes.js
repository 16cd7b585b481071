// Shapes of bodies: triangles, lighter where they face the light, painted from back to front.
const shades = 32;

// "#rrggbb" or "#rgb" as three numbers.
function colorNumbers(text) {
  const digits = text.length < 7 ? [1, 2, 3].map((k) => text[k] + text[k]) : [1, 3, 5].map((k) => text.slice(k, k + 2));
  return digits.map((pair) => parseInt(pair, 16));
}

// From what turns away from the light to what faces it. Neither black on a dark page nor white on a
// light one vanishes.
function shadesOf(color) {
  const base = colorNumbers(color);
  return Array.from({ length: shades }, (_, k) => {
    const light = 0.4 + (0.56 * k) / (shades - 1);
    return "rgb(" + base.map((part) => Math.round(Math.min(255, (part * 0.88 + 30) * light))).join(",") + ")";
  });
}

// The matrix of Euler parameters, row by row.
function rotationOf([w, x, y, z]) {
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
}

class Shapes {
  constructor(motion) {
    this.motion = motion;
    this.parts = (motion.shapes ?? []).map((shape) => ({ ...shape, points: Float32Array.from(shape.vertices, (n, i) => shape.low[i % 3] + n * shape.grain) }));
    this.carriers = 1 + Math.max(-1, ...this.parts.map((part) => part.carrier));
    this.bodies = new Set(this.parts.map((part) => part.body));
    const count = this.parts.reduce((total, part) => total + part.triangles.length / 3, 0);
    this.corners = new Float32Array(6 * count);  // on the canvas
    this.depths = new Float32Array(count);
    this.styles = new Array(count);
    this.owners = new Array(count);
    this.palettes = new Map();
  }

  isEmpty() {
    return this.parts.length === 0;
  }

  // Whether a body has shapes; of the ground -1.
  has(body) {
    return this.bodies.has(body);
  }

  // Place and rotation of a part's body; null where a motion has none.
  pose(part, frame) {
    if (part.carrier < 0) return { place: [0, 0, 0], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    const start = 7 * (frame * this.carriers + part.carrier);
    const numbers = this.motion.frames.slice(start, start + 7);
    return numbers.length < 7 || numbers.includes(null) ? null : { place: numbers.slice(0, 3), rotation: rotationOf(numbers.slice(3)) };
  }

  // Corners of the boxes about all parts at some times, for a camera that shows them all. What
  // stands still counts unless it is far larger than what moves, as a floor is.
  outline() {
    const step = Math.max(1, Math.floor(this.motion.time.length / 40));
    const boxes = { moving: [], fixed: [] };
    for (const part of this.parts) {
      const [x, y, z] = [0, 1, 2].map((k) => range(Array.from({ length: part.points.length / 3 }, (_, i) => part.points[3 * i + k])));
      for (let frame = 0; frame < (part.carrier < 0 ? 1 : this.motion.time.length); frame += step) {
        const pose = this.pose(part, frame);
        if (pose === null) continue;
        const [m, at] = [pose.rotation, pose.place];
        for (const a of x) for (const b of y) for (const c of z)
          boxes[part.carrier < 0 ? "fixed" : "moving"].push([0, 3, 6].map((row, k) => at[k] + m[row] * a + m[row + 1] * b + m[row + 2] * c));
      }
    }
    const reach = (points) => Math.max(0, ...[0, 1, 2].map((k) => { const [low, high] = range(points.map((point) => point[k])) ?? [0, 0]; return high - low; }));
    return reach(boxes.fixed) <= 2 * reach([...boxes.moving, ...allPlaces(this.motion)]) ? [...boxes.moving, ...boxes.fixed] : boxes.moving;
  }

  paletteOf(part, colors) {
    const color = part.color || (part.body < 0 ? colors.soft : colors.body(part.body));
    if (!this.palettes.has(color)) this.palettes.set(color, shadesOf(color));
    return this.palettes.get(color);
  }

  // Projects every triangle that can be seen; returns how many there are.
  project(scene) {
    const { camera, width, height } = scene;
    const scale = camera.scale(width, height);
    const axes = [camera.right, camera.up, camera.toward];
    const light = [0.36, 0.52, 0.775];  // from above the viewer's shoulder
    let count = 0;
    for (const part of this.parts) {
      const pose = this.pose(part, scene.frame);
      if (pose === null) continue;
      const palette = this.paletteOf(part, scene.colors);
      const m = axes.map((axis) => [0, 1, 2].map((k) => axis[0] * pose.rotation[k] + axis[1] * pose.rotation[3 + k] + axis[2] * pose.rotation[6 + k]));
      const origin = axes.map((axis) => dot(axis, sum(pose.place, scaled(camera.centre, -1))));
      const { points, triangles } = part;
      const seen = new Float32Array(points.length), flat = new Float32Array((2 * points.length) / 3);
      for (let i = 0, j = 0; i < points.length; i += 3, j += 2) {
        for (let k = 0; k < 3; ++k) seen[i + k] = origin[k] + m[k][0] * points[i] + m[k][1] * points[i + 1] + m[k][2] * points[i + 2];
        const near = scale * camera.nearness(seen[i + 2]);
        flat[j] = width / 2 + camera.shift[0] + seen[i] * near;
        flat[j + 1] = height / 2 + camera.shift[1] - seen[i + 1] * near;
      }
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
        const area = (flat[2 * b] - flat[2 * a]) * (flat[2 * c + 1] - flat[2 * a + 1]) - (flat[2 * c] - flat[2 * a]) * (flat[2 * b + 1] - flat[2 * a + 1]);
        if (area === 0 || (part.closed && area > 0)) continue;
        const u = [0, 1, 2].map((k) => seen[3 * b + k] - seen[3 * a + k]), v = [0, 1, 2].map((k) => seen[3 * c + k] - seen[3 * a + k]);
        const normal = cross(u, v), length = Math.hypot(...normal) || 1;
        const bright = Math.max(0, (dot(normal, light) / length) * (area > 0 ? -1 : 1));
        [a, b, c].forEach((corner, k) => {
          this.corners[6 * count + 2 * k] = flat[2 * corner];
          this.corners[6 * count + 2 * k + 1] = flat[2 * corner + 1];
        });
        this.depths[count] = seen[3 * a + 2] + seen[3 * b + 2] + seen[3 * c + 2];
        this.styles[count] = palette[Math.round(bright * (shades - 1))];
        this.owners[count++] = part.body;
      }
    }
    return count;
  }

  draw(scene) {
    const { context } = scene;
    const count = this.project(scene);
    this.order = Uint32Array.from({ length: count }, (_, k) => k).sort((a, b) => this.depths[a] - this.depths[b]);
    context.lineWidth = 1.1;  // closes the seams between triangles
    const at = this.corners;
    for (const k of this.order) {
      context.beginPath();
      context.moveTo(at[6 * k], at[6 * k + 1]);
      context.lineTo(at[6 * k + 2], at[6 * k + 3]);
      context.lineTo(at[6 * k + 4], at[6 * k + 5]);
      context.closePath();
      context.fillStyle = context.strokeStyle = this.styles[k];
      context.fill();
      context.stroke();
    }
  }

  // The body whose shape was drawn last at this place; undefined if there is none.
  at(point) {
    const corner = (k, i) => [this.corners[6 * k + 2 * i], this.corners[6 * k + 2 * i + 1]];
    for (let i = (this.order ?? []).length - 1; i >= 0; --i)
      if (isInside(point, [0, 1, 2].map((k) => corner(this.order[i], k)))) return this.owners[this.order[i]];
    return undefined;
  }
}
