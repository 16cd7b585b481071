"""gradus export."""

import json
import unittest
import xml.etree.ElementTree

from program import BAD_INPUT, FIVE_BAR, ProgramTest, run

ARM = {"schema": "gradus-model/1", "name": "arm", "gravity": [0, 0, -9.81], "parameters": {"m": 2, "L": 0.5},
       "bodies": {"rod": {"mass": "m", "com": ["L/2", 0, 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1}, "points": {"hip": ["L", 0, 0]}}},
       "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod.hip", "axis": [0, 1, 0]}},
       "forces": {"damping": {"type": "rotary-damper", "joint": "hinge", "linear": "m/10"},
                  "oil": {"type": "rotary-damper", "joint": "hinge", "linear": 1, "quadratic": 2}}}


class ExportTest(ProgramTest):
    def test_writes_a_robot(self):
        model, out = self.write_model(json.dumps(ARM)), self.folder / "arm.urdf"
        process = run("export", model, "--set", "L=0.8", "--out", out)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout, f"{out}\n")
        self.assertIn("left out: force of type rotary-damper (1)", process.stderr)
        robot = xml.etree.ElementTree.parse(out).getroot()
        link = robot.find("link[@name='rod']/inertial")
        self.assertEqual((link.find("origin").get("xyz"), link.find("mass").get("value")), ("-0.4 0 0", "2"))
        joint = robot.find("joint[@name='hinge']")
        self.assertEqual((joint.get("type"), joint.find("axis").get("xyz"), joint.find("dynamics").get("damping")), ("continuous", "0 1 0", "0.2"))
        self.assert_error(BAD_INPUT, "export", model, "--out", out, says=["is there already", "--overwrite"])
        document = self.run_json("export", model, "--out", out, "--overwrite")
        self.assertEqual((document["file"], len(document["remarks"])), (str(out), 2))
        again = self.run_json("info", out)
        self.assertEqual(again["degrees_of_freedom"], 1)

    def test_says_that_events_are_left_out(self):
        stop = {"when": "angle - 0.5", "direction": "rising", "impact": {"restitution": 0.5}}
        model = self.write_model(json.dumps(dict(ARM, sensors={"angle": {"coordinate": "hinge"}}, events={"stop": stop})))
        process = run("export", model, "--out", self.folder / "stop.urdf")
        self.assertRegex(process.stderr, r"left out: event \(1\), .*sensor \(1\)")
        self.assertNotIn("state (", process.stderr)

    def test_writes_a_scene(self):
        out = self.folder / "five-bar.glb"
        self.assertEqual(self.run_ok("export", FIVE_BAR, "--duration", 0.1, "--out", out).stdout, f"{out}\n")
        self.assertEqual(out.read_bytes()[:4], b"glTF")
        self.assert_error(BAD_INPUT, "export", FIVE_BAR, "--duration", 0.1, "--out", self.folder / "five-bar.urdf",
                          says=["--duration", ".glb"])

    def test_loops_are_named(self):
        process = run("export", FIVE_BAR, "--out", self.folder / "five-bar.urdf")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("which closes a loop, is left out", process.stderr)

    def test_refuses_by_name(self):
        model = self.write_model(json.dumps(ARM))
        self.assert_error(BAD_INPUT, "export", model, "--out", self.folder / "arm.json", says=["arm.json", "ends in .urdf or .glb"])
        self.assert_error(BAD_INPUT, "export", model, "--set", "k=1", "--out", self.folder / "arm.urdf", says=["k"])
        ball = json.loads(json.dumps(ARM).replace('"revolute"', '"spherical"').replace(', "axis": [0, 1, 0]', ""))
        del ball["forces"]
        self.assert_error(BAD_INPUT, "export", self.write_model(json.dumps(ball)), "--out", self.folder / "arm.urdf",
                          says=["/joints/hinge: found a spherical joint"])


if __name__ == "__main__":
    unittest.main()
