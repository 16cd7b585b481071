"""Mechanisms of any size: the same motion, whatever the unit of length is."""

import json
import unittest

from program import ProgramTest


def crank(length, mass):
    return {"mass": mass, "com": [length / 2, 0, 0], "points": {"tip": [length, 0, 0]},
            "inertia": {"xx": 1e-3 * length**2, "yy": 0.1 * length**2, "zz": 0.1 * length**2}}


def hinge(parent, child, position, **more):
    return {"type": "revolute", "parent": parent, "child": child, "axis": [0, 0, 1],
            "initial": {"position": position, **more}}


def mechanism(size, **members):
    return {"schema": "gradus-model/1", "name": "cranks", "gravity": [0, -9.81 * size, 0],
            "parameters": {"w": 0.3}, "ground": {"points": {"D": [1.4 * size, 0, 0]}},
            "sensors": {"turn": {"coordinate": "A"}, "tip": {"position": "c.tip"}},
            "objectives": {"turn": {"terminal": "turn"}, "tip": {"terminal": f"(tip.x + 2*tip.y)/{size}"}},
            "analysis": {"duration": 0.2}, **members}


def tied_by_a_rod(size):
    return mechanism(
        size, bodies={"a": crank(0.6 * size, 0.6), "c": crank(size, 1)},
        joints={"A": hinge("ground", "a", 1.05, velocity="w"), "D": hinge("ground.D", "c", {"guess": 1.57})},
        constraints={"rod": {"distance": ["a.tip", "c.tip"], "value": 1.2 * size}})


def four_bar(size, **constraint):
    model = mechanism(
        size, bodies={"a": crank(0.6 * size, 0.6), "b": crank(1.2 * size, 1.2), "c": crank(size, 1)},
        joints={"A": hinge("ground", "a", {"guess": 1.05}), "B": hinge("a.tip", "b", {"guess": -0.64}),
                "D": hinge("ground.D", "c", {"guess": 1.57})},
        loops={"C": {"type": "revolute", "parent": "b.tip", "child": "c.tip", "axis": [0, 0, 1]}},
        constraints={"led": constraint})
    model["sensors"]["end"] = {"position": "c.tip"}
    return model


MECHANISMS = {
    "rod": tied_by_a_rod,
    "start": lambda size: four_bar(size, expression=f"end.x - {1.42 * size}", at="start"),
    "distance": lambda size: four_bar(size, distance=["ground", "c.tip"], value=f"{1.74 * size}", at="start"),
    "driver": lambda size: four_bar(size, expression=f"end.x - {1.42 * size} - {0.1 * size}*w*t"),
}


class UnitsTest(ProgramTest):
    def test_every_size(self):
        for name, build in MECHANISMS.items():
            reference = self.numbers_of(build(1.0), 1.0)
            for size in (1e3, 1e-2, 1e-3, 1e-4, 1e-6):
                with self.subTest(f"{name} {size}"):
                    for a, b in zip(self.numbers_of(build(size), size), reference):
                        self.assertLess(abs(a - b), 1e-7 * max(abs(b), 0.1))

    def numbers_of(self, model, size):
        file = self.folder / "model.json"
        file.write_text(json.dumps(model))
        document = self.run_json("gradient", file, "--rtol", 1e-11, "--atol", 1e-11 * min(size, 1))
        return [document["objectives"][key] for key in ("turn", "tip")] + [
            document["gradient"][key]["w"] for key in ("turn", "tip")]

    def test_one_small_expression(self):
        """The only constraint counts, however small it is stated."""
        for factor in (1, 1e-3, 1e-8):
            model = {"schema": "gradus-model/1", "name": "led", "parameters": {"w": 2},
                     "bodies": {"a": crank(1, 1), "b": crank(1, 1)},
                     "joints": {"x": {"type": "prismatic", "parent": "ground", "child": "a", "axis": [1, 0, 0],
                                      "initial": {"position": {"guess": 0.1}}},
                                "turn": hinge("a", "b", 0.2, velocity=1)},
                     "constraints": {"led": {"expression": f"{factor}*(x - sin(w*t))"}},
                     "sensors": {"x": {"coordinate": "x"}}, "objectives": {"x": {"terminal": "x"}},
                     "analysis": {"duration": 0.3}}
            file = self.folder / "model.json"
            file.write_text(json.dumps(model))
            document = self.run_json("gradient", file)
            self.assertLess(abs(document["objectives"]["x"] - 0.5646424733950354), 1e-7, factor)
            self.assertLess(abs(document["gradient"]["x"]["w"] - 0.2476006844729035), 1e-6, factor)


if __name__ == "__main__":
    unittest.main()
