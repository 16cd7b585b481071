"""gradus import, and verbs that take a robot in the place of a model."""

import json
import unittest

from program import BAD_INPUT, ProgramTest, run

ARM = """<robot name="arm"><link name="base"/>
  <link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry></visual><collision/></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


class ImportTest(ProgramTest):
    def robot(self, text=ARM, name="arm.urdf"):
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def test_writes_a_model_and_says_what_is_left_out(self):
        out = self.folder / "model.json"
        process = run("import", self.robot(), "--parameters", "mass_*,com_arm", "--out", out)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("left out: collision (1)", process.stderr)
        self.assertIn("2 bodies, 2 joints, 0 forces, 5 parameters", process.stdout)
        model = json.loads(out.read_text(encoding="utf-8"))
        self.assertEqual(sorted(model["parameters"]), ["com_arm", "mass_arm", "mass_base"])
        self.assertEqual(model["bodies"]["arm"]["shapes"], [{"type": "box", "size": [1.0, 1.0, 1.0]}])
        self.assertEqual(run("import", self.robot(), "--out", out).returncode, BAD_INPUT)
        document = json.loads(run("import", self.robot(), "--out", out, "--overwrite", "--json").stdout)
        self.assertEqual((document["bodies"], document["parameters"]), (2, 0))
        self.assertEqual(document["remarks"], ["left out: collision (1)"])

    def test_verbs_take_robots(self):
        file = self.robot()
        process = run("simulate", file, "--duration", "0.1", "--json")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("left out: collision (1)", process.stderr)
        self.assertEqual(run("info", file).returncode, 0)
        process = run("gradient", file, "--duration", "0.1")
        self.assertIn("gradient: there is none, as the model has no objectives", process.stderr)
        self.assertNotIn("there is none", run("gradient", file, "--duration", "0.1", "--quiet").stderr)
        self.assertEqual(run("show", file, "--out", self.folder / "page.html").returncode, 0)

    def test_meshes_of_packages(self):
        file = self.robot(ARM.replace('<box size="1 1 1"/>', '<mesh filename="package://hand/a.obj"/>'))
        package = self.folder / "packages" / "hand"
        package.mkdir(parents=True)
        (package / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
        out = self.folder / "model.json"
        process = run("import", file, "--out", out)
        self.assertIn('1 shape left out, whose mesh cannot be read: "package://hand/a.obj"', process.stderr)
        self.assertNotIn("shapes", out.read_text(encoding="utf-8"))
        process = run("import", file, "--out", out, "--overwrite", "--packages", package.parent)
        self.assertNotIn("hand", process.stderr)
        shapes = json.loads(out.read_text(encoding="utf-8"))["bodies"]["arm"]["shapes"]
        self.assertEqual(len(shapes[0]["triangles"]), 3)

    def test_refuses_by_name(self):
        process = run("import", self.robot("<robot><link/></robot>"))
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn('arm.urdf: link: found no "name"', process.stderr)
        process = run("import", self.robot("<mujoco><worldbody/></mujoco>", "m.xml"))
        self.assertIn("found no body", process.stderr)
        self.assertEqual(run("import", self.robot(), "--mimic", "never").returncode, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
