// What lies under the pointer, for people: joints and loads first, then points, links and bodies.
function distanceToLine([x, y], a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const along = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / Math.max(dx * dx + dy * dy, 1e-12)));
  return Math.hypot(a[0] + along * dx - x, a[1] + along * dy - y);
}

function isInside([x, y], outline) {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [a, b] = [outline[i], outline[j]];
    if (a[1] > y !== b[1] > y && x < a[0] + ((y - a[1]) * (b[0] - a[0])) / (b[1] - a[1])) inside = !inside;
  }
  return inside;
}

function jointLines(joint, places) {
  const ends = joint.type + " joint " + joint.name + ": " + places[joint.parent] + " \u2013 " + places[joint.child];
  return [ends, ...(joint.acting ?? []).map((one) => "\u2003" + one)];
}

function placeText(name) {
  if (name.endsWith(".com")) return "centre of mass of " + name.slice(0, -4);
  return (name.includes(".") ? "point " : "origin of ") + name;
}

function thingsAt(scene, at) {
  const most = 8, reach = 8;
  const { motion } = scene;
  const place = (index) => scene.place(index);
  const near = (point) => point !== null && Math.hypot(point[0] - at[0], point[1] - at[1]) < reach;
  const lines = [];
  for (const joint of motion.joints) if (near(place(joint.child)) || near(place(joint.parent))) lines.push(...jointLines(joint, motion.places));
  for (const load of motion.loads ?? []) if (near(place(load.at))) lines.push(load.kind + " " + load.name + " at " + motion.places[load.at]);
  motion.places.forEach((name, index) => { if (near(place(index))) lines.push(placeText(name)); });
  for (const link of motion.links) {
    const [from, to] = [place(link.from), place(link.to)];
    if (from !== null && to !== null && distanceToLine(at, from, to) < reach)
      lines.push((link.kind === "rod" ? "distance" : link.kind) + " " + link.name + ": " + motion.places[link.from] + " \u2013 " + motion.places[link.to]);
  }
  const touched = scene.shapes === null ? undefined : scene.shapes.at(at);
  if (touched !== undefined) lines.push(touched < 0 ? "ground" : "body " + motion.bodies[touched].name);
  for (const body of motion.bodies) {
    if (scene.isSolid(body.name)) continue;
    const outline = hull(body.corners.map(place).filter((point) => point !== null));
    const onEdge = outline.some((corner, i) => distanceToLine(at, corner, outline[(i + 1) % outline.length]) < reach);
    if (onEdge || isInside(at, outline)) lines.push("body " + body.name);
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), "\u2026 and " + (lines.length - most + 1) + " more"];
}
