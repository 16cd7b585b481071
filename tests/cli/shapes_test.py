"""Shapes of bodies and arrows of forces on pages, as a browser draws them.

Without Chromium the tests of pictures are left out (exit code 77 if nothing else failed).
"""

import json
import shutil
import sys
import unittest

from program import BAD_INPUT, run
from report_test import BROWSER, ReportTest

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

# A pendulum that is a red box on a spring, with a force that stays silent.
PENDULUM = {
    "schema": "gradus-model/1",
    "name": "pendulum",
    "gravity": [0, -9.81, 0],
    "parameters": {"L": 0.5},
    "ground": {"points": {"wall": [1, 0, 0]}},
    "bodies": {"rod": {"mass": 2, "com": ["L/2", 0, 0], "inertia": {"xx": 0.01, "yy": 0.1, "zz": 0.1}, "points": {"tip": ["L", 0, 0]},
                       "shapes": [{"type": "box", "size": ["L", 0.2, 0.2], "at": "com", "color": "#ff0000"}]}},
    "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod", "initial": {"position": -0.5}}},
    "forces": {"spring": {"type": "spring-damper", "from": "ground.wall", "to": "rod.tip", "stiffness": 40, "length": 0.3},
               "silence": {"type": "force", "at": "rod.tip", "components": [0, 0, 0]},
               "brake": {"type": "rotary-damper", "joint": "hinge", "linear": 0.2}},
    "sensors": {"tip": {"position": "rod.tip"}},
    "objectives": {"way": {"terminal": "tip.x"}},
    "analysis": {"duration": 0.2, "step": 0.01}}

# Writes down how many points of the first canvas are red, and as many of arrows, with shapes and without.
COUNT = """<script>
document.currentScript.remove();
{
  const canvas = document.querySelector("canvas");
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  const context = copy.getContext("2d", { willReadFrequently: true });
  const red = () => {
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 90 && data[i + 1] < 40 && data[i + 2] < 40) ++count;
    return count;
  };
  const say = (name, value) => document.body.setAttribute("data-" + name, value);
  const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
  say("solid", red());
  press("s");
  say("bare", red());
  press("s");
  say("again", red());
  say("legend", [...document.querySelectorAll(".player .legend li")].map((one) => one.textContent).join("|"));
  press("End");
  say("later", [...document.querySelectorAll(".player .legend li")].map((one) => one.textContent).join("|"));
}
</script></body>"""


class ShapesTest(ReportTest):
    def model(self, change=None, **shapes):
        model = json.loads(json.dumps(PENDULUM))
        model["bodies"]["rod"]["shapes"] = shapes.get("shapes", model["bodies"]["rod"]["shapes"])
        if change:
            change(model)
        file = self.folder / "pendulum.json"
        file.write_text(json.dumps(model), encoding="utf-8")
        return file

    def mesh_model(self):
        (self.folder / "meshes").mkdir(exist_ok=True)
        (self.folder / "meshes" / "rod.obj").write_text(TETRAHEDRON, encoding="utf-8")
        return self.model(shapes=[{"type": "mesh", "file": "meshes/rod.obj", "scale": 0.4}, {"type": "mesh", "file": "lost.stl"}])

    def results(self, model):
        folder = self.folder / "results"
        process = self.run_ok("simulate", model, "--out", folder)
        return folder, process.stderr

    def counted(self, file):
        text = file.read_text(encoding="utf-8")
        used = file.with_name("used.html")
        used.write_text(text.replace("</body>", COUNT), encoding="utf-8")
        return self.browse(used).tags("body")[0]

    def test_results_keep_meshes_and_can_be_moved(self):
        folder, said = self.results(self.mesh_model())
        self.assertIn('the mesh "lost.stl" is not drawn', said)
        self.assertNotIn("rod.obj", said)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        shutil.move(folder, elsewhere / "moved")
        shutil.rmtree(self.folder / "meshes")
        shape = json.loads((elsewhere / "moved" / "model.json").read_text(encoding="utf-8"))["bodies"]["rod"]["shapes"][0]
        self.assertEqual((len(shape["vertices"]), len(shape["triangles"]), shape["scale"]), (12, 12, 0.4))
        text = self.report(elsewhere / "moved").read_text(encoding="utf-8")
        self.assertIn('"triangles"', text)
        self.assertIn('the mesh \\"lost.stl\\" of rod', text)

    def test_studies_keep_meshes(self):
        self.mesh_model()
        study = self.folder / "study.json"
        study.write_text(json.dumps({"schema": "gradus-study/1", "name": "s", "model": "pendulum.json", "sweep": {
            "sampling": "random", "designs": 4, "parameters": {"L": {"from": 0.4, "to": 0.6}}}}), encoding="utf-8")
        out = self.folder / "sweep"
        self.run_ok("sweep", study, "--out", out, "--quiet")
        shutil.rmtree(self.folder / "meshes")
        self.assertIn('"grain"', self.report(out).read_text(encoding="utf-8"))

    def test_wrong_shapes_are_refused_by_name(self):
        process = run("simulate", self.model(shapes=[{"type": "box", "size": [1, 1]}]))
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn("/bodies/rod/shapes/0/size: found an array of 2, expected a vector [x, y, z]", process.stderr)

    def test_results_do_not_depend_on_shapes(self):
        kept = []
        for shapes in (PENDULUM["bodies"]["rod"]["shapes"], []):
            self.results(self.model(shapes=shapes))
            kept.append((self.folder / "results" / "gradient.npz").read_bytes() + (self.folder / "results" / "trajectory.npz").read_bytes())
        self.assertEqual(*kept)

    @unittest.skipUnless(BROWSER, "Chromium is not installed")
    def test_shapes_are_drawn_and_can_be_taken_away(self):
        said = self.counted(self.report(self.results(self.model())[0]))
        self.assertGreater(int(said["data-solid"]), 5000)
        self.assertLess(int(said["data-bare"]), int(said["data-solid"]) / 20)
        self.assertEqual(said["data-solid"], said["data-again"])

    @unittest.skipUnless(BROWSER, "Chromium is not installed")
    def test_forces_are_named_with_what_they_are_now(self):
        said = self.counted(self.report(self.results(self.model())[0]))
        first, later = said["data-legend"].split("|"), said["data-later"].split("|")
        self.assertEqual([one.split(":")[0] for one in first], ["spring", "brake", "longest arrow"])
        # The tip is at (0.5 cos 0.5, -0.5 sin 0.5), the wall at (1, 0).
        self.assertEqual(first[0], "spring: 12.4 N")
        self.assertEqual(first[1], "brake: 0 N m")
        self.assertNotEqual(later[0], first[0])
        self.assertNotEqual(later[1], first[1])

    @unittest.skipUnless(BROWSER, "Chromium is not installed")
    def test_every_control_of_a_page_with_shapes(self):
        for shape in ({"type": "sphere", "radius": 0.1}, {"type": "cylinder", "radius": 0.1, "from": [0, 0, 0], "to": "tip"},
                      {"type": "capsule", "radius": 0.1, "length": 0.2, "axis": [1, 0, 0]}, {"type": "ellipsoid", "size": [1, 2, 3]}):
            page = self.open_page(self.results(self.model(shapes=[shape]))[0])
            self.assertEqual(len(page.marks("Motion", "canvas")), 1)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    if result.wasSuccessful() and result.skipped:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
