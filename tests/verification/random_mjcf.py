"""Trees of bodies in MJCF, drawn at random: geoms of all kinds, ways to state rotations, joints, defaults, frames."""


def _rotation(random):
    return random.choice(["", ' euler="10 20 30"', ' quat="1 2 3 4"', ' axisangle="1 1 0 40"', ' zaxis="1 -1 0.3"', ' xyaxes="1 1 0 -1 1 0.2"'])


def _geom(random):
    kind = random.choice(["sphere", "capsule", "cylinder", "box", "ellipsoid"])
    count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
    size = " ".join(f"{random.uniform(0.05, 0.3):.3f}" for _ in range(count))
    if kind != "sphere" and random.random() < 0.4:
        place = f' fromto="0 0 {random.uniform(-1, 1):.2f} 0.3 {random.uniform(-1, 1):.2f} 0.5"'
    else:
        place = f' pos="{random.uniform(-1, 1):.2f} 0 0.1"' + _rotation(random)
    mass = random.choice(["", f' mass="{random.uniform(0.1, 2):.2f}"', ' density="300"', ' class="c"', ' group="4"'])
    return f'<geom type="{kind}" size="{size}"{place}{mass}/>'


def _body(random, depth):
    joint = random.choice(['<joint axis="0 1 0.3"/>', '<joint axis="1 0 0" type="slide" ref="0.2"/><joint axis="0 0 1" pos="0.1 0 0"/>',
                           '<joint type="ball" stiffness="0"/>', '<joint class="c" armature="0.1"/>', ""])
    if depth == 0:
        joint = random.choice([joint, "<freejoint/>"])
    inertial = random.choice(["", "", '<inertial pos="0.1 0 0" mass="1.5" diaginertia="0.1 0.12 0.15" euler="5 6 7"/>'])
    inner = "".join(_body(random, depth + 1) for _ in range(random.randint(0, 2 if depth < 2 else 0)))
    before, behind = ('<frame pos="0.1 0.2 0" euler="0 0 40">', "</frame>") if random.random() < 0.3 else ("", "")
    active = random.choice(["", ' childclass="c"'])
    geoms = "".join(_geom(random) for _ in range(random.randint(1, 2)))
    return (f'{before}<body pos="{random.uniform(-1, 1):.2f} 0.1 0.2" euler="{random.uniform(-90, 90):.0f} 10 0"{active}>'
            f"{joint}{inertial}{geoms}{inner}</body>{behind}")


def random_mjcf(random):
    """The text of a document, drawn by a random.Random. MuJoCo may find that something in it moves no mass."""
    compiler = random.choice(["", '<compiler eulerseq="zyx"/>', '<compiler inertiafromgeom="true" eulerseq="XYZ"/>',
                              '<compiler boundmass="0.2" boundinertia="0.02"/>', '<compiler inertiagrouprange="0 3"/>',
                              '<compiler balanceinertia="true"/>'])
    defaults = ('<default><joint damping="0.1"/><default class="c"><joint stiffness="2" springref="10"/>'
                '<geom density="500" euler="0 30 0"/></default></default>')
    return f"<mujoco>{compiler}{defaults}<worldbody>{_body(random, 0)}{_body(random, 0)}</worldbody></mujoco>"
