"""Draws the pictures of the gallery: mechanisms at instants of their motion, as gradus computes it, beside a sensor over time.

    PYTHONPATH=build/release/python python3 docs/gallery/pictures.py [NAME ...]

writes NAME.svg beside this file, the same to the last byte each time. It needs the package gradus and NumPy.
"""

import math
import pathlib
import sys

import numpy as np

import gradus

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"
WIDTH, HEIGHT, SPLIT = 820, 360, 470  # px; the mechanism is drawn left of SPLIT, the sensor right of it
INK, FAINT = "#30353c", "#8a929c"
BLUE, RED, GREEN, ORANGE, VIOLET, GREY = "#2f6db5", "#c8443a", "#3a8f5c", "#d98b2b", "#7a5aa6", "#6b737d"


# What a picture consists of. -----------------------------------------------------------------------------------------
# A place is "body.point", "body", or (body, [x, y, z]) in axes of the body, where x, y and z may be expressions.
def circle(body, centre, axis, radius, count=48):
    """Places of a circle about an axis ("x", "y", "z") of a body; centre and radius may be expressions."""
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    places = []
    for k in range(count + 1):
        angle, point = 2 * math.pi * k / count, [f"({c})" for c in centre]
        point[first] += f" + ({radius})*{math.cos(angle):.12f}"
        point[second] += f" + ({radius})*{math.sin(angle):.12f}"
        places.append((body, point))
    return places


def rectangle(body, low, high):
    """Places of a rectangle in the plane x, y of a body, or x, z where corners have three numbers."""
    (a, b), (c, d) = (low[0], low[-1]), (high[0], high[-1])
    corners = ((a, b), (c, b), (c, d), (a, d), (a, b))
    return [(body, [x, 0, y] if len(low) == 3 else [x, y, 0]) for x, y in corners]


class Drawing:
    """Lines between places, at instants of a motion."""

    def __init__(self, model, instants, plot, view=None, spread=0.0, main=None, duration=None, options=None):
        self.model = model            # the file, in models/
        self.instants = instants      # s
        self.plot = plot              # (title, [(sensor or component, label, factor)])
        self.view = view              # None: x to the right, y up; or (azimuth, elevation) in degrees, z up
        self.spread = spread          # m between the instants, drawn side by side; 0: over each other
        self.main = main              # which of the instants is drawn in full; all if they are side by side
        self.duration = duration
        self.options = options or {}
        self.lines = []               # (places, colour, width, kind)
        self.paths = []               # (place, colour)
        self.pivots = []              # places on the ground
        self.pins = []                # places of joints
        self.labels = []              # (place, text, dx, dy in px)
        self.backdrop = []            # (points in space, colour, width), the same at all instants
        self.at_each = None           # function of an instant: more such lines, moved with it

    def line(self, *places, colour=BLUE, width=4.5, kind="line"):
        self.lines.append((places, colour, width, kind))
        return self

    def spring(self, a, b, colour=ORANGE):
        return self.line(a, b, colour=colour, width=1.6, kind="spring")

    def path(self, of, colour=RED):
        self.paths.append((of, colour))
        return self

    def pivot(self, *places):
        self.pivots.extend(places)
        return self

    def pin(self, *places):
        self.pins.extend(places)
        return self

    def label(self, of, text, dx=8, dy=-8):
        self.labels.append((of, text, dx, dy))
        return self

    def fixed(self, *points, colour=FAINT, width=1.4):
        self.backdrop.append((points, colour, width))
        return self

    def places(self):
        found = [p for places, *_ in self.lines for p in places] + [p for p, _ in self.paths] + self.pivots + self.pins
        return found + [p for p, *_ in self.labels]


# Motions. ------------------------------------------------------------------------------------------------------------
def key(of):
    return of if isinstance(of, str) else (of[0], *map(str, of[1]))


def motion_of(drawing):
    """Times [s], where all places are at these (by their keys), and the trajectory."""
    model = gradus.load(MODELS / drawing.model)
    data, names = model.data, {}
    for of in drawing.places():
        if key(of) in names:
            continue
        name = names[key(of)] = f"drawn_{len(names)}"
        if not isinstance(of, str):
            body, point = of
            holder = data.setdefault("ground", {}) if body == "ground" else data["bodies"][body]
            holder.setdefault("points", {})[name] = list(point)
            of = f"{body}.{name}"
        data.setdefault("sensors", {})[name] = {"position": of}
    duration = drawing.duration or data["analysis"]["duration"]
    frames = 600
    options = {"formulation": "auto", "step": duration / frames, **drawing.options}
    mechanism = model.compile(duration=duration, backend="cpu:1", **options)
    trajectory = mechanism.run(record_every=max(1, round(duration / frames / options["step"]))).trajectory
    return trajectory.time, {k: trajectory[name] for k, name in names.items()}, trajectory


# Drawing. ------------------------------------------------------------------------------------------------------------
class Page:
    """SVG, of two decimals."""

    def __init__(self):
        self.parts = []

    def polyline(self, points, colour, width, opacity=1.0, fill="none", dash="", fill_opacity=1.0):
        text = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.parts.append(f'<polyline points="{text}" fill="{fill}" stroke="{colour}" stroke-width="{width:g}"'
                          + (f' fill-opacity="{fill_opacity:g}"' if fill_opacity < 1 else "")
                          + (f' opacity="{opacity:g}"' if opacity < 1 else "")
                          + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    def dot(self, x, y, radius, fill, stroke=INK, width=1.3, opacity=1.0):
        self.parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" fill="{fill}" stroke="{stroke}"'
                          f' stroke-width="{width:g}"'
                          + (f' opacity="{opacity:g}"' if opacity < 1 else "") + "/>")

    def text(self, x, y, what, size=12, anchor="start", colour=INK, turned=False):
        turn = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if turned else ""
        what = what.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{turn}>'
                          f"{what}</text>")

    def whole(self, title):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'font-family="Helvetica, Arial, sans-serif" stroke-linecap="round" stroke-linejoin="round">\n'
                f"<title>{title}</title>\n"
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def projection(view):
    """From space to (right, up)."""
    if view is None:
        return lambda p: np.asarray(p, float)[..., :2]
    azimuth, elevation = np.radians(view)
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    up = np.array([-np.sin(elevation) * np.cos(azimuth), -np.sin(elevation) * np.sin(azimuth), np.cos(elevation)])
    return lambda p: np.stack([np.asarray(p, float) @ right, np.asarray(p, float) @ up], axis=-1)


def zigzag(a, b, coils=9, width=5.0):
    """A spring between two points [px]."""
    a, b = np.array(a), np.array(b)
    along = b - a
    length = np.hypot(*along)
    if length < 1e-9:
        return [a, b]
    across = np.array([-along[1], along[0]]) / length * width
    inner = [a + along * (0.15 + 0.7 * (k + 0.5) / (2 * coils)) + across * (1 if k % 2 else -1) for k in range(2 * coils)]
    return [a, a + 0.15 * along, *inner, b - 0.15 * along, b]


def draw_mechanism(page, drawing, time, where):
    project = projection(drawing.view)
    rows = [int(np.argmin(np.abs(time - t))) for t in drawing.instants]
    offsets = [np.array([k * drawing.spread, 0.0]) for k in range(len(rows))]
    at = {k: project(p) for k, p in where.items()}
    moved = {n: [(np.array(project(points)) + offsets[n], colour, width) for points, colour, width in
                 (drawing.at_each(time[row]) if drawing.at_each else [])] for n, row in enumerate(rows)}
    backdrop = [(project(points), colour, width) for points, colour, width in drawing.backdrop]

    seen = [at[key(p)][row] + offsets[n] for places, *_ in drawing.lines for p in places for n, row in enumerate(rows)]
    seen += [p for k, _ in drawing.paths for p in at[key(k)]]
    seen += [p for points, *_ in backdrop for p in points] + [p for some in moved.values() for points, *_ in some for p in points]
    low, high = np.min(seen, axis=0), np.max(seen, axis=0)
    margin = 34
    scale = min((SPLIT - 2 * margin) / max(high[0] - low[0], 1e-9), (HEIGHT - 2 * margin) / max(high[1] - low[1], 1e-9))
    centre = (low + high) / 2

    def px(p):
        return SPLIT / 2 + scale * (p[0] - centre[0]), HEIGHT / 2 - scale * (p[1] - centre[1])

    for points, colour, width in backdrop:
        page.polyline([px(p) for p in points], colour, width)
    for of in drawing.pivots:
        x, y = px(at[key(of)][0])
        page.polyline([(x - 9, y + 14), (x, y), (x + 9, y + 14), (x - 9, y + 14)], GREY, 1.4, fill="#e3e6ea")
        page.polyline([(x - 13, y + 14), (x + 13, y + 14)], GREY, 1.4)
    for of, colour in drawing.paths:
        page.polyline([px(p) for p in at[key(of)]], colour, 1.4, dash="1 4")
    order = [n for n in range(len(rows)) if n != drawing.main] + ([drawing.main] if drawing.main is not None else [])
    for n in order:
        full = drawing.main is None or n == drawing.main
        opacity = 1.0 if full else 0.22
        for points, colour, width in moved[n]:
            page.polyline([px(p) for p in points], colour, width, opacity)
        for places, colour, width, kind in drawing.lines:
            points = [px(at[key(p)][rows[n]] + offsets[n]) for p in places]
            if kind == "plate":
                page.polyline(points, colour, width, opacity, fill=colour, fill_opacity=0.15)
            else:
                page.polyline(zigzag(*points) if kind == "spring" else points, colour, width, opacity)
        if full:
            for of in drawing.pins:
                page.dot(*px(at[key(of)][rows[n]] + offsets[n]), 3.4, "#ffffff")
        if drawing.spread:
            below = px(low)[1]
            middle = np.mean([px(at[key(p)][rows[n]] + offsets[n])[0] for places, *_ in drawing.lines for p in places])
            page.text(middle, min(below + 24, HEIGHT - 8), f"{time[rows[n]]:.3g} s", anchor="middle", colour=GREY)
    shown = rows[drawing.main or 0]
    for of, text, dx, dy in drawing.labels:
        x, y = px(at[key(of)][shown])
        page.text(x + dx, y + dy, text, size=13)


def ticks(low, high, count=5):
    raw = (high - low) / count
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * m for m in (1, 2, 2.5, 5, 10) if size * m >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [step * k for k in range(first, math.floor(high / step + 1e-9) + 1)]


def draw_plot(page, drawing, time, trajectory):
    title, curves = drawing.plot
    left, right, top, bottom = SPLIT + 66, WIDTH - 18, 44, HEIGHT - 48
    values = [factor * component(trajectory, name) for name, _, factor in curves]
    low, high = min(v.min() for v in values), max(v.max() for v in values)
    space = 0.06 * (high - low or 1.0)
    low, high = low - space, high + space

    def px(t, v):
        return left + (right - left) * t / time[-1], bottom - (bottom - top) * (v - low) / (high - low)

    marks = ticks(low, high)
    digits = max(0, -math.floor(math.log10(marks[1] - marks[0]) + 1e-9))
    digits += 1 if any(abs(round(m, digits) - m) > 1e-9 * abs(marks[-1] - marks[0]) for m in marks) else 0
    for v in marks:
        page.polyline([px(0, v), px(time[-1], v)], "#e3e6ea", 1)
        page.text(left - 6, px(0, v)[1] + 4, f"{v + 0.0:.{digits}f}", size=11, anchor="end", colour=GREY)
    for t in ticks(0, time[-1]):
        page.polyline([px(t, low), (px(t, low)[0], bottom + 4)], GREY, 1)
        page.text(px(t, low)[0], bottom + 17, f"{t:.3g}", size=11, anchor="middle", colour=GREY)
    for t in drawing.instants:
        page.polyline([px(t, low), px(t, high)], FAINT, 1, dash="1 4")
    page.polyline([(left, top), (left, bottom), (right, bottom)], GREY, 1.2)
    for values_, colour in zip(values, (BLUE, RED, GREEN)):
        page.polyline([px(t, v) for t, v in zip(time, values_)], colour, 1.8)
    page.text(left, top - 16, title, size=13)
    if len(curves) > 1:
        x = right
        for (_, label, _), colour in reversed(list(zip(curves, (BLUE, RED, GREEN)))):
            page.text(x, top - 16, label, size=12, anchor="end", colour=colour)
            x -= 7.2 * len(label) + 14
    page.text((left + right) / 2, bottom + 36, "time [s]", size=12, anchor="middle")


def component(trajectory, name):
    sensor, _, part = name.partition(".")
    return trajectory[sensor][:, "xyz".index(part)] if part else trajectory[sensor]


# The gallery. --------------------------------------------------------------------------------------------------------
def four_bar():
    d = Drawing("gallery/four-bar.json", [0, 0.12, 0.25, 0.38, 0.75], ("height of P [m]", [("P.y", "", 1)]), main=1)
    d.path("coupler.P").pivot("ground.A", "ground.B")
    d.line("crank", "crank.1", colour=RED).line("coupler", "coupler.2", "coupler.P", colour=BLUE)
    d.line("rocker", "rocker.2", colour=GREEN)
    d.pin("crank", "crank.1", "rocker", "rocker.2").label("coupler.P", "P", 12, 18).label("ground.A", "A", -5, 30)
    d.label("ground.B", "B", -5, 30)
    return d


def quick_return():
    d = Drawing("gallery/quick-return.json", [0, 0.25, 0.5, 0.8], ("speed of the ram [m/s]", [("v", "", 1)]), main=0)
    d.fixed([-0.32, 0.19, 0], [0.66, 0.19, 0]).pivot("ground.A", "ground.B")
    d.line("ram.tool", "ram.back", colour=FAINT, width=12)
    d.line("lever", "lever.end", colour=BLUE).line("crank", "crank.pin", colour=RED).line("link", "link.end", colour=GREEN)
    d.line(*rectangle("block", (-0.025, -0.014), (0.025, 0.014)), colour=RED, width=1.6, kind="plate").path("crank.pin")
    d.pin("crank", "lever", "crank.pin", "lever.end", "link.end")
    return d


def peaucellier():
    d = Drawing("gallery/peaucellier.json", [0, 0.1, 0.25, 0.75], ("position of D [m]", [("D.x", "x", 1), ("D.y", "y", 1)]),
                main=1)
    d.path("AD.D").path("crank.C", GREY).pivot("ground.O", "ground.Q")
    d.line("OA", "OA.A", colour=BLUE).line("OB", "OB.B", colour=BLUE).line("crank", "crank.C", colour=RED)
    for bar, tip in (("AC", "C"), ("BC", "C"), ("AD", "D"), ("BD", "D")):
        d.line(bar, f"{bar}.{tip}", colour=GREEN)
    d.pin("OA", "crank", "OA.A", "OB.B", "crank.C", "AD.D").label("AD.D", "D", 10, 4).label("crank.C", "C", -4, -12)
    d.label("ground.O", "O", -5, 30).label("ground.Q", "Q", -5, 30)
    return d


def scissor_lift():
    d = Drawing("gallery/scissor-lift.json", [0, 2, 4], ("thrust of the cylinder [kN]", [("force", "", -1e-3)]), main=2)
    d.fixed([-0.2, -0.05, 0], [1.5, -0.05, 0]).pivot("a1")
    for bar in ("a1", "a2"):
        d.line(bar, f"{bar}.head", colour=BLUE)
    for bar in ("b1", "b2"):
        d.line(bar, f"{bar}.head", colour=GREEN)
    d.line("a1", "foot", colour=ORANGE, width=7)
    d.line(*rectangle("platform", (0, 0.02), (1.2, 0.1)), colour=GREY, width=1.6, kind="plate")
    d.pin("a1", "foot", "a1.middle", "a2.middle", "a1.head", "b1.head", "b2.head", "a2.head")
    return d


def cam_follower():
    d = Drawing("gallery/cam-follower.json", [0, 0.035, 0.07], ("contact force [N]", [("contact", "", 1)]), spread=0.095)
    lift = "h1*(1 - cos({0})) + h2*(1 - cos(2*({0}))) + h3*(1 - cos(3*({0})))"
    profile = []
    for k in range(73):  # what touches the follower at a cam angle lies at pi/2 less that angle, in axes of the cam
        angle = 2 * math.pi * k / 72
        radius = "(0.02 + " + lift.format(f"{angle:.12f}") + ")"
        profile.append(("cam", [f"{radius}*{math.sin(angle):.12f}", f"{radius}*{math.cos(angle):.12f}", 0]))
    d.line(*profile, colour=BLUE, width=2, kind="plate")
    d.line(*circle("cam", [0, 0, 0], "z", 0.006, 24), colour=INK, width=1.2, kind="plate")
    d.line("cam", ("cam", [0, "0.02", 0]), colour=BLUE, width=1.2)
    d.line("follower", "follower.top", colour=RED).line("follower.plate left", "follower.plate right", colour=RED)
    d.spring("follower.plate left", ("ground", [-0.02, 0.16, 0]))
    d.spring("follower.plate right", ("ground", [0.02, 0.16, 0]))
    d.line(("ground", [-0.035, 0.16, 0]), ("ground", [-0.007, 0.16, 0]), colour=GREY, width=3)
    d.line(("ground", [0.007, 0.16, 0]), ("ground", [0.035, 0.16, 0]), colour=GREY, width=3)
    return d


def quarter_car():
    d = Drawing("gallery/quarter-car.json", [0.1, 0.3, 0.42],
                ("displacement [mm]", [("z_b.z", "body", 1e3), ("z_w", "wheel", 1e3)]), spread=1.3, view=(-90, 0))
    d.line(*circle("wheel", [0, 0, 0.3], "y", 0.3), colour=INK, width=3, kind="plate")
    d.line(*rectangle("body", (-0.55, 0, 0.95), (0.55, 0, 1.3)), colour=BLUE, width=2, kind="plate")
    d.spring(("wheel", [-0.1, 0, 0.3]), ("body", [-0.1, 0, 0.95]))
    d.line(("wheel", [0.1, 0, 0.3]), ("wheel", [0.1, 0, 0.62]), colour=GREEN, width=6)
    d.line(("wheel", [0.1, 0, 0.55]), ("body", [0.1, 0, 0.95]), colour=GREEN, width=2.5)

    def road(t):
        def height(x):
            u = (x - 3) / 1.5 if x < 4.5 else (6 - x) / 1.5
            return 0.06 * (3 * u**2 - 2 * u**3) if 3 < x < 6 else 0.0
        return [([[x, 0, height(15 * t + x)] for x in np.linspace(-0.7, 0.7, 41)], GREY, 2.5)]

    d.at_each = road
    return d


def double_wishbone():
    d = Drawing("gallery/double-wishbone.json", [0, 0.25, 0.75], ("load on the wheel [kN]", [("load", "", 1e-3)]), view=(205, 14),
                main=0)
    for arm, colour in (("lower", BLUE), ("upper", GREEN)):
        d.line(f"{arm}.front", f"{arm}.ball", f"{arm}.rear", colour=colour)
        d.pin(f"{arm}.front", f"{arm}.rear", f"{arm}.ball")
    d.line("knuckle", "knuckle.top", colour=RED).line(("knuckle", [0, 0, 0.12]), "knuckle.hub", colour=RED)
    d.line("knuckle.rod", ("knuckle", [0, 0, 0.06]), colour=RED)
    d.line("ground.rod", "knuckle.rod", colour=VIOLET, width=3).spring("ground.spring", "lower.spring")
    d.line(*circle("knuckle", [0, 0.07, 0.12], "y", 0.31), colour=INK, width=2.4)
    d.pin("ground.rod", "knuckle.rod", "ground.spring")
    return d


def gyroscope():
    d = Drawing("gallery/gyroscope.json", [0, 3], ("heading [rad]", [("heading", "", 1)]), view=(35, 22), main=0)
    d.line(*circle("outer", [0, 0, 0], "y", 0.11), colour=BLUE, width=3.5)
    d.line(*circle("inner", [0, 0, 0], "z", 0.09), colour=GREEN, width=3.5)
    d.line(*circle("rotor", [0, 0, 0], "y", 0.05), colour=RED, width=3, kind="plate")
    d.line("rotor", "rotor.rim", colour=RED, width=2)
    d.line(("inner", [0, -0.09, 0]), "inner.weight", colour=GREEN, width=2.5)
    d.line(("outer", [0, 0, -0.11]), ("outer", [0, 0, -0.15]), colour=BLUE)
    d.line(("outer", [-0.11, 0, 0]), ("outer", [-0.09, 0, 0]), colour=BLUE, width=3)
    d.line(("outer", [0.11, 0, 0]), ("outer", [0.09, 0, 0]), colour=BLUE, width=3)
    d.line(*circle("inner", [0, "arm", 0], "y", 0.014, 24), colour=INK, width=4, kind="plate").path("inner.weight", INK)
    d.pivot(("ground", [0, 0, -0.15]))
    return d


def delta_robot():
    d = Drawing("gallery/delta-robot.json", [0, 0.167, 0.333],
                ("motor torques [N m]", [("u0", "0", 1), ("u1", "1", 1), ("u2", "2", 1)]), view=(-70, 18), main=0)
    d.fixed([0.2, 0, 0], [-0.1, 0.1732, 0], [-0.1, -0.1732, 0], [0.2, 0, 0], colour=GREY, width=3)
    for k in range(3):
        d.line(f"arm {k}", (f"arm {k}", ["arm", 0, 0]), colour=BLUE)
        d.line(f"arm {k}.left", f"arm {k}.right", colour=BLUE, width=3)
        d.line(f"arm {k}.left", f"plate.left {k}", colour=GREEN, width=2)
        d.line(f"arm {k}.right", f"plate.right {k}", colour=GREEN, width=2)
        d.pin(f"arm {k}")
    corners = [f"plate.{side} {k}" for k in (0, 1, 2) for side in ("right", "left")]
    d.line(*corners, "plate.right 0", colour=RED, width=2.5, kind="plate")
    d.path("plate")
    return d


def bicycle():
    d = Drawing("bicycle/bicycle-rolling.json", [1.0, 1.3, 1.6, 1.9], ("lean and steering [rad]", [("left.z", "lean", -1), ("steering", "steering", 1)]),
                view=(-62, 24), duration=5)
    d.line(*circle("rear", [0, 0, 0], "y", "rR"), colour=INK, width=2.4, kind="plate")
    d.line(*circle("front", [0, 0, 0], "y", "rF"), colour=INK, width=2.4, kind="plate")
    for wheel, radius in (("rear", "rR"), ("front", "rF")):
        d.line((wheel, [0, 0, radius]), (wheel, [0, 0, f"-{radius}"]), colour=FAINT, width=1)
    d.line("rear", ("frame", [0.35, 0, 0.6]), ("frame", ["w - 0.16", 0, 0.5]), ("frame", [0.35, 0, 0]), "rear", colour=BLUE, width=3)
    d.line(("frame", [0.35, 0, 0]), ("frame", [0.35, 0, 0.6]), colour=BLUE, width=3)
    d.line("front", ("fork", [-0.2, 0, 0.55]), ("fork", [-0.27, 0, 0.85]), colour=GREEN, width=3)
    d.line(("fork", [-0.3, 0.25, 0.85]), ("fork", [-0.3, -0.25, 0.85]), colour=GREEN, width=3)
    return d


def buggy():
    d = Drawing("buggy/buggy-step.json", [0.5, 1.6, 2.7], ("load of tyres [kN]", [("load_front_left", "front", 1e-3), ("load_rear_left", "rear", 1e-3)]), view=(-58, 22), duration=4.5)
    for side in ("left", "right"):
        for axle in ("front", "rear"):
            hub = [f"{axle}_hub_{side}.{axis}" for axis in "xyz"]
            d.line(*circle(f"{axle}_wheel_{side}", hub, "y", 0.3), colour=INK, width=2.4, kind="plate")

        def points(body, *names):
            return [f"{body}.{name}_{side}" for name in names]
        lower, upper, rear = f"lower_arm_{side}", f"upper_arm_{side}", f"rear_arm_{side}"
        d.line(*points(lower, "lower_front", "lower_ball", "lower_rear"), colour=GREEN, width=2.5)
        d.line(*points(upper, "upper_front", "upper_ball", "upper_rear"), colour=GREEN, width=2.5)
        d.line(*points(f"knuckle_{side}", "lower_ball", "front_hub", "upper_ball"), colour=GREEN, width=2.5)
        d.line(*points(f"rod_{side}", "rod_inner", "rod_outer"), colour=VIOLET, width=2)
        d.spring(f"chassis.front_mount_{side}", f"{lower}.front_spring_{side}")
        d.line(*points(rear, "rear_front", "rear_ball", "rear_rear"), colour=GREEN, width=2.5)
        d.line(*points(f"carrier_{side}", "rear_ball", "rear_hub", "rear_seat"), colour=GREEN, width=2.5)
        d.spring(f"carrier_{side}.rear_seat_{side}", f"chassis.rear_mount_{side}")
        d.line(*points("chassis", "lower_front", "rear_front", "rear_mount", "front_mount", "lower_front"), colour=BLUE, width=3)
    for place in ("front_mount", "rear_mount", "lower_front", "rear_front"):
        d.line(f"chassis.{place}_left", f"chassis.{place}_right", colour=BLUE, width=3)
    return d


def ship_anchor():
    d = Drawing("ship-anchor/ship-anchor.json", [0, 12], ("height [m]", [("top.z", "upper end", 1), ("anchor.z", "anchor", 1)]), view=(-90, 0), main=1,
                duration=12, options={"formulation": "fully-recursive", "integrator": "rk4", "step": 2e-3})
    hull = [[-0.0957, 0, -0.0308], [-0.0957 + 17 * math.sin(0.349), 0, -0.0308 - 17 * math.cos(0.349)]]
    d.fixed([hull[0][0] - 1.2, 0, hull[0][2] + 1.2 / math.tan(0.349)], hull[1], colour=GREY, width=2.5)
    d.line(*[f"link{k}" for k in range(63)], "anchor", colour=BLUE, width=1.6)
    d.line("anchor", "anchor.crown", colour=RED, width=5)
    d.line(*circle("anchor", ["0.3 - radius", 0, -0.6], "y", 0.3, 24), colour=RED, width=1.6, kind="plate")
    d.path("link0", GREEN)
    return d


def jansen():
    d = Drawing("gallery/jansen.json", [0, 0.25, 0.5, 0.75], ("height of the foot [m]", [("foot.y", "", 1)]), main=2)
    d.path("lower.foot").path("crank.pin", GREY).pivot("ground.O", "ground.B")
    d.line("upper", "upper.j", "upper.f", "upper", colour=BLUE, width=3, kind="plate")
    d.line("lower", "lower.f", "lower.foot", "lower", colour=BLUE, width=3, kind="plate")
    d.line("crank", "crank.pin", colour=RED)
    for bar in ("j", "k", "c", "f"):
        d.line(bar, f"{bar}.end", colour=GREEN, width=3.5)
    d.pin("crank", "crank.pin", "upper", "upper.j", "upper.f", "lower", "lower.f").label("ground.O", "O", 12, 24)
    d.label("lower.foot", "foot", 12, 6)
    return d


def excavator():
    d = Drawing("gallery/excavator.json", [0, 2, 4, 8], ("force [kN]", [("on_boom", "boom", 1e-3), ("on_stick", "stick", 1e-3),
                                                                                         ("on_bucket", "bucket", 1e-3)]), main=1)
    d.fixed([-1.2, 0, 0], [2.6, 0, 0], width=2)
    d.fixed([-0.8, 0.1, 0], [1.4, 0.1, 0], [1.4, 0.9, 0], [1.1, 1.5, 0], [-0.8, 1.5, 0], [-0.8, 0.1, 0], colour=GREY, width=2)
    d.line("boom", "boom.bend", "boom.stick", colour=BLUE, width=6)
    d.line("stick.lever", "stick", "stick.bucket", colour=GREEN, width=6)
    d.line("bucket", "bucket.teeth", "bucket.heel", "bucket.lever", "bucket", colour=RED, width=2.5, kind="plate")
    d.line("ground.cylinder", "boom.cylinder", colour=ORANGE, width=3)
    d.line("boom.back", "stick.lever", colour=ORANGE, width=3)
    d.line("stick.back", "bucket.lever", colour=ORANGE, width=3)
    d.line("boom.cylinder", "boom.bend", "boom.back", colour=BLUE, width=3)
    d.line("stick", "stick.back", "stick.bucket", colour=GREEN, width=2)
    d.path("bucket.teeth")
    d.pin("boom", "ground.cylinder", "boom.cylinder", "boom.stick", "boom.back", "stick.lever", "stick.bucket", "stick.back")
    d.pin("bucket.lever")
    return d


def flyball_governor():
    d = Drawing("flyball-governor/flyball-governor.json", [0, 0.5, 1], ("speed of the pillar [rad/s]", [("speed", "", 1)]),
                view=(-60, 12), main=2)
    d.line("pillar", ("pillar", [0, 0, "height"]), colour=GREY, width=5)
    d.line("pillar.left", "pillar.right", colour=GREY, width=4)
    for side, colour in (("right", BLUE), ("left", GREEN)):
        d.line(f"{side} arm", f"{side} arm.end", colour=colour)
        d.line(f"{side} link", f"{side} link.top", colour=ORANGE, width=3)
        d.line(*circle(f"{side} arm", ["arm", 0, 0], "y", 0.012, 24), colour=colour, width=3, kind="plate")
        d.path(f"{side} arm.end", colour)
        d.pin(f"{side} arm", f"{side} link", f"{side} link.top")
    d.line(*circle("collar", [0, 0, 0], "z", "collar_radius", 36), colour=RED, width=3, kind="plate")
    return d


GALLERY = {
    "four-bar": four_bar, "quick-return": quick_return, "peaucellier": peaucellier, "scissor-lift": scissor_lift,
    "cam-follower": cam_follower, "quarter-car": quarter_car, "double-wishbone": double_wishbone, "gyroscope": gyroscope,
    "delta-robot": delta_robot, "jansen": jansen, "excavator": excavator, "flyball-governor": flyball_governor,
    "bicycle": bicycle, "buggy": buggy, "ship-anchor": ship_anchor,
}


def picture(name):
    """The text of a picture."""
    drawing = GALLERY[name]()
    time, where, trajectory = motion_of(drawing)
    page = Page()
    draw_mechanism(page, drawing, time, where)
    draw_plot(page, drawing, time, trajectory)
    return page.whole(name)


def main(names):
    for name in names or GALLERY:
        if name not in GALLERY:
            sys.exit(f"pictures: there is no {name!r} (there are {', '.join(GALLERY)})")
        file = HERE / f"{name}.svg"
        file.write_text(picture(name), encoding="utf-8")
        print(f"{file.name}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
