"""gradus show: the page of a model, who is asked to open it, and what is refused."""

import json
import os
import re
import stat
import sys
import time
import unittest

from program import BAD_INPUT, FILE_FAILURE, FIVE_BAR, NUMERICAL_FAILURE, run
from report_test import BROWSER, HOSTILE, ReportTest

MODELS = os.path.dirname(os.path.dirname(FIVE_BAR))

# Points at every joint of the first canvas and writes down what the page says.
POINT_AT_JOINTS = """<script>
{
  const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
  const motion = page.blocks.find((block) => block.kind === "pose").motions[0];
  const camera = new Camera(motion);
  for (const joint of motion.joints) {
    const at = camera.project(motion.positions.slice(joint.child * 3, joint.child * 3 + 3), canvas.clientWidth,
      parseFloat(canvas.style.aspectRatio.split("/")[1]) * canvas.clientWidth / parseFloat(canvas.style.aspectRatio));
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + at[0], clientY: box.top + at[1] }));
    const tip = document.querySelector(".tip");
    document.body.append(element("p", { class: "said" }, tip.hidden ? "nothing" : [...tip.children].map((line) => line.textContent).join("; ")));
  }
}
</script></body>"""


class ShowTest(ReportTest):
    def environment(self, **changed):
        """Nobody is here, unless `changed` says so."""
        kept = {name: value for name, value in os.environ.items() if name not in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")}
        return {**kept, **changed}

    def show(self, model=FIVE_BAR, *arguments):
        file = self.folder / "page.html"
        self.run_ok("show", model, "--out", file, *arguments, env=self.environment())
        return file

    def data(self, file):
        return json.loads(re.search(r'id="data">(.*?)</script>', file.read_text(encoding="utf-8"), re.S).group(1))

    def block(self, file, title):
        return next(block for block in self.data(file)["blocks"] if block.get("title") == title)

    def recorder(self, name):
        """A browser that writes down what it is asked to open."""
        program, said = self.folder / name, self.folder / (name + ".txt")
        program.write_text(f'#!/bin/sh\necho "$@" > {said}.part\nmv {said}.part {said}\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return program, said

    def wait_for(self, file):
        for _ in range(200):
            if file.exists():
                return file.read_text().strip()
            time.sleep(0.05)
        self.fail(f"{file} does not appear")


class OpeningTest(ShowTest):
    def test_writes_the_file_that_is_asked_for_and_opens_nothing(self):
        browser, said = self.recorder("browser")
        file = self.folder / "a.html"
        process = self.run_ok("show", FIVE_BAR, "--out", file, env=self.environment(BROWSER=str(browser)))
        self.assertEqual(process.stdout, str(file) + "\n")
        self.assertEqual(self.run_json("show", FIVE_BAR, cwd=self.folder, env=self.environment(BROWSER=str(browser))),
                         {"status": "ok", "file": "five-bar-show.html"})
        time.sleep(0.3)
        self.assertFalse(said.exists())

    def test_opens_the_page_in_the_browser(self):
        browser, said = self.recorder("browser")
        process = self.run_ok("show", FIVE_BAR, cwd=self.folder, env=self.environment(BROWSER=f"{browser} --new-window"))
        self.assertEqual((process.stdout, process.stderr), ("five-bar-show.html\n", ""))
        self.assertEqual(self.wait_for(said), f"--new-window {self.folder / 'five-bar-show.html'}")

    def test_takes_the_first_browser_that_there_is(self):
        browser, said = self.recorder("browser")
        self.run_ok("show", FIVE_BAR, cwd=self.folder,
                    env=self.environment(BROWSER=f"no-such-browser:{browser} <%s>:{browser} second"))
        self.assertEqual(self.wait_for(said), f"<{self.folder / 'five-bar-show.html'}>")

    def test_opens_it_on_the_display(self):
        _, said = self.recorder("xdg-open")
        path = str(self.folder) + os.pathsep + os.environ["PATH"]
        self.run_ok("show", FIVE_BAR, cwd=self.folder, env=self.environment(PATH=path))
        time.sleep(0.3)
        self.assertFalse(said.exists())  # there is no display
        self.run_ok("show", FIVE_BAR, cwd=self.folder, env=self.environment(PATH=path, DISPLAY=":0"))
        self.assertEqual(self.wait_for(said), str(self.folder / "five-bar-show.html"))

    def test_says_where_nothing_opens_it(self):
        for environment in ({"BROWSER": "no-such-browser"}, {"DISPLAY": ":0", "PATH": str(self.folder)}):
            process = self.run_ok("show", FIVE_BAR, cwd=self.folder, env=self.environment(**environment))
            self.assertIn("no browser could be started; open five-bar-show.html in one", process.stderr)
        self.assertEqual(self.run_ok("show", FIVE_BAR, cwd=self.folder, env=self.environment()).stderr, "")


class ContentTest(ShowTest):
    def test_position_is_assembled(self):
        pose = self.block(self.show(), "Start")["motions"][0]
        place = lambda index: pose["positions"][3 * index:3 * index + 3]
        self.assertEqual([joint["name"] for joint in pose["joints"]], ["A", "1", "2", "3", "B"])
        for joint in pose["joints"]:
            for here, there in zip(place(joint["parent"]), place(joint["child"])):
                self.assertAlmostEqual(here, there, delta=1e-5)
        self.assertEqual(pose["axes"]["B"], [0, 0, 1])
        self.assertEqual([link["kind"] for link in pose["links"]], ["spring", "spring"])

    def test_tables(self):
        file = self.show()
        facts = dict(item[:2] for item in self.block(file, "Degrees of freedom")["items"])
        self.assertEqual((facts["coordinates"], facts["degrees of freedom"], facts["held at the start"]), (4, 2, "A, 1"))
        self.assertEqual(facts["redundant"], "4, which follow from the others")
        rows = lambda title: self.block(file, title)["rows"]
        self.assertEqual(rows("Joints")[-1], ["B", "revolute", "ground.B", "3B.tip", "0, 0, 1", "closes a loop"])
        self.assertEqual(rows("Bodies")[0][:3], ["A1", "m_A1", "r_G, 0, 0"])
        self.assertEqual(rows("Coordinates at the start")[0], ["A", -2.35619, "rad", 0, "held"])
        self.assertEqual([row[:3] for row in rows("Parameters")][2], ["m_A1", 1, "kg"])
        self.assertEqual(len(rows("Forces")), 2)

    def test_other_values(self):
        file = self.show(FIVE_BAR, "--set", "m_A1=2", "--set", "L_A1=1.2")  # beyond its bounds
        values = {row[0]: row[1] for row in self.block(file, "Parameters")["rows"]}
        self.assertEqual((values["m_A1"], values["L_A1"]), (2, 1.2))
        self.assertNotEqual(self.block(file, "Start")["motions"], self.block(self.show(), "Start")["motions"])

    def test_a_mechanism_that_cannot_be_assembled(self):
        file = self.folder / "bad.html"
        arguments = ["show", FIVE_BAR, "--set", "L_A1=10", "--out", file]
        self.assert_error(NUMERICAL_FAILURE, *arguments, says=["the loops cannot be closed", "see " + str(file)])
        notice = self.data(file)["blocks"][0]
        self.assertEqual((notice["kind"], notice["level"]), ("notice", "error"))
        self.assertIn("cannot be assembled", notice["text"])
        pose = self.block(file, "Position")["motions"][0]
        tip = pose["places"].index("A1.tip")
        x, y, z = pose["positions"][3 * tip:3 * tip + 3]
        self.assertAlmostEqual((x * x + y * y + z * z) ** 0.5, 10, delta=1e-4)  # A1 as it is stated

    def test_a_motion_that_cannot_start(self):
        # A force that is infinite at time 0.
        model = self.write_model(json.dumps({
            "schema": "gradus-model/1", "name": "hit", "gravity": [0, -9.81, 0],
            "bodies": {"rod": {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1},
                               "points": {"tip": [1, 0, 0]}}},
            "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod",
                                 "initial": {"position": 0.5, "velocity": 0}}},
            "forces": {"wind": {"type": "force", "at": "rod.tip", "components": ["1/t", 0, 0]}},
            "analysis": {"duration": 1, "step": 0.01}}))
        file = self.folder / "page.html"
        self.assert_error(NUMERICAL_FAILURE, "show", model, "--out", file, says=["the motion cannot start"])
        self.assertIn("the assembled position", self.data(file)["blocks"][0]["text"])
        self.assertEqual(self.block(file, "Position")["motions"][0]["loads"][0]["kind"], "force")

    def test_states_move_nothing_that_is_drawn(self):
        model = self.write_model(json.dumps({
            "schema": "gradus-model/1", "name": "controlled", "parameters": {"aim": 0.5},
            "bodies": {"rod": {"mass": 1, "com": [0.25, 0, 0], "inertia": {"xx": 0, "yy": 0.1, "zz": 0.1},
                               "points": {"tip": [0.5, 0, 0]}}},
            "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod",
                                 "initial": {"position": "pi/2", "velocity": 0}}},
            "states": {"lag": {"rate": "qd - lag", "initial": 77, "unit": "rad/s"}},
            "forces": {"servo": {"type": "pid-controller", "joint": "hinge", "target": "aim", "integral": 2, "limit": 4}},
            "sensors": {"qd": {"rate": "hinge"}},
            "objectives": {"end": {"terminal": "lag"}},
            "analysis": {"duration": 1, "step": 0.01}}))
        file = self.show(model)
        motion = next(block for block in self.data(file)["blocks"] if block["kind"] == "pose")["motions"][0]
        tip = motion["places"].index("rod.tip")
        for found, exact in zip(motion["positions"][3 * tip:3 * tip + 3], [0, 0.5, 0]):
            self.assertAlmostEqual(found, exact, places=6)
        self.assertEqual(motion["axes"]["hinge"], [0, 0, 1])
        self.assertEqual([row[0] for row in self.block(file, "States")["rows"]], ["lag", "servo.integral"])
        self.assertIn("states      lag, servo.integral", self.run_ok("info", model).stdout)

    def test_mistakes(self):
        file = self.folder / "page.html"
        show = lambda model: ["show", model, "--out", file]
        self.assert_error(FILE_FAILURE, *show(self.folder / "nowhere.json"), says=["nowhere.json"])
        self.assert_error(BAD_INPUT, *show(self.write_model("{")), says=["line 1"])
        self.assert_error(BAD_INPUT, *show(FIVE_BAR), "--set", "m_A2=1", says=["m_A2", "did you mean 'm_A1'"])
        self.assert_error(BAD_INPUT, *show(FIVE_BAR), "--set", "m_A1=nan", says=["--set m_A1"])
        self.assertFalse(file.exists())
        self.assert_error(FILE_FAILURE, "show", FIVE_BAR, "--out", self.folder / "no" / "page.html", says=["cannot write"])


@unittest.skipUnless(BROWSER, "Chromium is not installed")
class ShownPageTest(ShowTest):
    def test_five_bar(self):
        page = self.open_file(self.show())
        self.assertIn("five-bar", page.texts)
        self.assertEqual(len(page.marks("Start", "canvas")), 1)
        self.assertEqual(len(page.marks("Start", "input")), 6)  # shapes and forces, of which it has none, are hidden
        for text in ("Bodies", "Joints", "Parameters", "spring-damper", "closes a loop"):
            self.assertIn(text, page.texts)

    def test_says_what_lies_under_the_pointer(self):
        file = self.show()
        file.write_text(file.read_text().replace('addNote(node, "Circles', 'window.page = page; addNote(node, "Circles')
                        .replace("\n}\n</script>\n</body>", "\n" + POINT_AT_JOINTS.replace("<script>\n", "").replace("</script></body>", "}\n</script>\n</body>")))
        page = self.browse(file)
        said = [text for text in page.texts if re.match("revolute joint .*; ", text)]
        self.assertEqual(len(said), 5)
        self.assertIn("revolute joint B: ground.B \u2013 3B.tip", said[-1])
        self.assertIn("spring ", said[-1])
        self.assertIn("body 3B", said[-1])

    def test_every_model(self):
        for model in ("slider-crank/slider-crank-spring.json", "stewart-platform/stewart-platform.json"):
            page = self.open_file(self.show(os.path.join(MODELS, model)))
            self.assertEqual(len(page.marks("Start", "canvas")), 1)

    def test_names_are_text(self):
        page = self.open_file(self.show(self.write_model(json.dumps(HOSTILE))))
        self.assertEqual(page.tags("img") + page.tags("b") + page.tags("i") + page.tags("u"), [])


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    if result.wasSuccessful() and result.skipped:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
