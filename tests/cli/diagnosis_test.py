"""What the program says of motions that fail or are not what was meant: the reason, by its name, and what helps."""

import copy
import json
import unittest

from program import BAD_INPUT, BRIEFLY, FIVE_BAR, NUMERICAL_FAILURE, ProgramTest, run

BAR = {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0.01, "yy": 0.1, "zz": 0.1}, "points": {"tip": [1, 0, 0]}}
PENDULUM = {
    "schema": "gradus-model/1", "name": "pendulum", "gravity": [0, -9.81, 0],
    "parameters": {"k": {"value": 1}},
    "bodies": {"bar": BAR},
    "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "bar", "initial": {"position": 0.1}}},
    "sensors": {"turn": {"coordinate": "hinge"}, "tip": {"position": "bar.tip"}},
    "analysis": {"duration": 1, "step": 0.01},
}


def bar(length, mass=1):
    return {"mass": mass, "com": [length / 2, 0, 0], "inertia": {"xx": 0.01, "yy": 0.1, "zz": 0.1},
            "points": {"tip": [length, 0, 0], "middle": [length / 2, 0, 0]}}


def four_bar(size=1.0):
    """A parallelogram whose cranks stand at 1 rad."""
    return {
        "schema": "gradus-model/1", "name": "four-bar", "gravity": [0, -9.81, 0],
        "ground": {"points": {"A": [0, 0, 0], "B": [2 * size, 0, 0]}},
        "bodies": {"crank": bar(size), "rod": bar(2 * size), "rocker": bar(size)},
        "joints": {
            "drive": {"type": "revolute", "parent": "ground.A", "child": "crank", "initial": {"position": 1}},
            "knee": {"type": "revolute", "parent": "crank.tip", "child": "rod",
                     "initial": {"position": {"guess": -1.01}}},
            "swing": {"type": "revolute", "parent": "ground.B", "child": "rocker",
                      "initial": {"position": {"guess": 1.01}}}},
        "loops": {"pin": {"type": "revolute", "parent": "rod.tip", "child": "rocker.tip"}},
        "sensors": {"turn": {"coordinate": "drive"}},
        "analysis": {"duration": 0.1, "step": 0.001},
    }


class DiagnosisTest(ProgramTest):
    def model(self, start, **members):
        model = copy.deepcopy(start)
        model.update(members)
        return self.write_model(json.dumps(model))

    def failure(self, model, *arguments, says=(), never=()):
        """The message of a motion that fails."""
        process = run("simulate", model, *arguments)
        self.assertEqual(process.returncode, NUMERICAL_FAILURE, process.stderr)
        for text in says:
            self.assertIn(text, process.stderr)
        for text in never:
            self.assertNotIn(text, process.stderr)
        return process.stderr

    def remarks(self, verb, *arguments, code=0):
        process = run(verb, *arguments)
        self.assertEqual(process.returncode, code, process.stderr)
        return process.stderr

    def test_laws_that_have_no_value_everywhere(self):
        def force(value):
            return {"type": "joint-force", "joint": "hinge", "value": value}
        odd = {"odd": force("k*sqrt(turn)"), "even": force("k*turn^2")}
        for formulation in ("ali3p", "index1", "semi-recursive", "fully-recursive", "matrix-r"):
            says, never = '"odd" has no value', ["mass matrix", '"even"', '"shared"']
            self.failure(self.model(PENDULUM, forces=odd), "--formulation", formulation, never=never,
                         says=[says, "became infinite or undefined"])
            # Some integrators halve the step in vain and say so.
            self.failure(self.model(PENDULUM, forces={**odd, "shared": force("turn/k")}), "--formulation", formulation,
                         never=never, says=[says])

    def test_motion_that_explodes(self):
        stiff = {"law": {"type": "torsional-spring-damper", "joint": "hinge", "damping": 1e5}}
        self.failure(self.model(PENDULUM, forces=stiff), "--formulation", "semi-recursive", "--integrator", "rk4",
                     "--step", 0.01, says=["grown beyond all bounds", "reduce the step"])

    def test_motion_that_turns_too_often(self):
        push = {"law": {"type": "joint-force", "joint": "hinge", "value": "1e8"}}
        model = self.model(PENDULUM, forces=push)
        for arguments in ([], ["--formulation", "fully-recursive", "--integrator", "rk4"]):
            self.assertRegex(self.remarks("simulate", model, *arguments), r'"hinge" of design 0 ends at .* rad')
        self.assertNotIn("rad;", self.remarks("simulate", self.model(PENDULUM)))

    def test_remarks_of_sweeps_say_which_designs_they_are_about(self):
        push = {"law": {"type": "joint-force", "joint": "hinge", "value": "k"}}
        self.model(PENDULUM, forces=push, objectives={"turn": {"integral": "turn"}})
        study = self.folder / "study.json"
        study.write_text(json.dumps({
            "schema": "gradus-study/1", "name": "push", "model": "model.json",
            "sweep": {"sampling": "grid", "parameters": {"k": {"values": [1, 2, 3, 4, 5, 1e8]}}}}))
        remarks = [line for line in self.remarks("sweep", study, "--out", self.folder / "out", "--chunk", 2).splitlines()
                   if " rad;" in line]
        self.assertEqual(len(remarks), 1, remarks)
        self.assertIn('designs 4 to 5 (0 to 1 in what follows): motion: "hinge" of design 1 ends at', remarks[0])

    def test_third_crank_that_fits_in_one_position(self):
        model = four_bar()
        model["constraints"] = {"third": {"distance": ["ground", "rod.middle"],
                                          "value": "sqrt((1 + cos(1))^2 + sin(1)^2)"}}
        self.failure(self.model(model), says=["fit in this position only"])

    def test_units_that_are_too_small(self):
        self.failure(self.model(four_bar(1e12)), says=["use units in which lengths are about 1"],
                     never=["the guesses are too far away"])

    def test_nothing_is_open_without_loops(self):
        far = {"hinge": {"type": "floating", "parent": "ground", "child": "bar",
                         "initial": {"position": [1000, 0, 0, 1, 0, 0, 0]}}}
        pull = {"pull": {"type": "spring-damper", "from": "ground", "to": "bar.tip", "stiffness": 100, "length": 1}}
        model = self.model(PENDULUM, joints=far, forces=pull, sensors={})
        for formulation in ("matrix-r", "index1"):
            self.failure(model, "--formulation", formulation, "--integrator", "rk4", never=["loop", '""'],
                         says=['the Euler parameters of "hinge"', "reduce the step"])

    def test_constraint_that_keeps_newton_from_converging(self):
        lifted = {"hinge": {**PENDULUM["joints"]["hinge"], "initial": {"position": {"guess": 0.1}}}}
        model = self.model(PENDULUM, joints=lifted, constraints={"lift": {"expression": "tip.y - sin(0.1) - 3*t"}})
        self.failure(model, says=['singular configuration near "lift"', "more is prescribed than it reaches"])
        self.failure(model, "--singular", "continue", says=['did not converge, and the equations of "lift" hold least'])
        for arguments in (["--integrator", "rk4"], ["--integrator", "radau5"]):
            self.failure(model, "--singular", "continue", "--formulation", "matrix-r", *arguments,
                         says=['any more ("lift" stays open'], never=["guesses"])

    def test_objectives_are_named(self):
        objectives = {"calm": {"integral": "turn"}, "wild": {"integral": "k / max(0.5 - t, 0)"}}
        for arguments in ([], ["--formulation", "semi-recursive", "--integrator", "rk4"]):
            self.failure(self.model(PENDULUM, objectives=objectives), *arguments, says=['the objective "wild"'])

    def test_gradients_that_are_not_finite_name_their_objective(self):
        objectives = {"calm": {"integral": "k*turn"}, "edge": {"integral": "sqrt((k - 1)^2)"}}
        for method in ("direct", "adjoint"):
            process = run("gradient", self.model(PENDULUM, objectives=objectives), "--method", method, *BRIEFLY)
            self.assertEqual(process.returncode, NUMERICAL_FAILURE, process.stderr)
            self.assertIn('the objective "edge"', process.stderr)

    def test_euler_parameters_that_are_all_but_zero(self):
        start = [0, 0, 0, "k*0.6", "k*0.8", 0, 0]
        model = self.model(PENDULUM, sensors={}, joints={
            "hinge": {"type": "floating", "parent": "ground", "child": "bar", "initial": {"position": start}}})
        self.run_ok("simulate", model, "--set", "k=1e-99")
        self.failure(model, "--set", "k=1e-161", says=["Euler parameters"])

    def test_steps_of_an_adjoint_that_no_memory_holds(self):
        for method in ("adjoint", "continuous-adjoint"):
            self.assert_error(BAD_INPUT, "gradient", FIVE_BAR, "--method", method, "--duration", 1e6,
                              says=["the steps of the adjoint take", "GiB", "--memory"])

    def test_motions_that_no_memory_holds(self):
        self.assert_error(BAD_INPUT, "simulate", FIVE_BAR, "--duration", 1e6, "--out", self.folder / "out",
                          says=["the motions take", "GiB", "--record-every"])

    def test_steps_that_were_taken(self):
        document = self.run_json("simulate", FIVE_BAR, "--duration", 0.5, "--formulation", "matrix-r", "--integrator",
                                 "dop853")
        self.assertEqual(document["steps"], document["steps_taken"][0])
        self.assertLess(document["steps"], 100)

    def test_options_without_effect(self):
        def idle(*arguments, verb="simulate"):
            lines = self.remarks(verb, FIVE_BAR, *BRIEFLY, "--backend", "cpu:1", *arguments).splitlines()
            return [line.split(": ")[1] for line in lines if "has no effect" in line]

        self.assertEqual(idle(), [])
        self.assertEqual(idle("--rtol", 1e-6, "--atol", 1e-6), ["rtol", "atol"])
        adaptive = ["--formulation", "matrix-r", "--integrator", "dop853"]
        implicit = ["--formulation", "matrix-r", "--integrator", "rodas5p"]
        self.assertEqual(idle(*adaptive, "--rtol", 1e-6, "--atol", 1e-6), [])
        self.assertEqual(idle(*adaptive, "--tolerance", 1e-8), ["tolerance"])
        for lanes in (2, 4, 8):  # of which the build has some
            if run("simulate", FIVE_BAR, *BRIEFLY, "--lanes", lanes).returncode == 0:
                self.assertEqual(idle("--lanes", lanes), [])
                self.assertEqual(idle(*adaptive, "--lanes", lanes), [])
                self.assertEqual(idle(*implicit, "--lanes", lanes), ["lanes"])
                self.assertEqual(idle(*adaptive, "--method", "adjoint", "--lanes", lanes, verb="gradient"), ["lanes"])
                self.assertEqual(idle(*adaptive, "--method", "auto", "--lanes", lanes, verb="gradient"), [])
        self.assertEqual(idle(*adaptive, "--iteration", "newton"), ["iteration"])
        controlled = [*adaptive, "--columns-in-error", "yes"]
        self.assertEqual(idle(*controlled, verb="gradient"), [])
        self.assertEqual(idle(*controlled, "--method", "adjoint", verb="gradient"), [])
        self.assertEqual(idle(*controlled, "--method", "finite-difference", verb="gradient"), ["columns in error"])
        self.assertEqual(idle("--columns-in-error", "no", verb="gradient"), ["columns in error"])
        self.assertEqual(idle("--formulation", "penalty", "--integrator", "rk4", "--singular", "warn"), [])
        self.assertEqual(idle("--formulation", "index1", "--integrator", "radau5", "--iteration", "newton",
                              "--stabilisation", "none"), [])
        self.assertEqual(idle("--penalty", 1e8, "--stabilisation", "none"), ["stabilisation", "penalty"])
        self.assertEqual(idle("--projections", "penalty", "--penalty", 1e8), [])
        self.assertEqual(idle("--memory", "1G", verb="gradient"), ["memory"])
        self.assertEqual(idle("--memory", "1G", "--method", "adjoint", verb="gradient"), [])
        self.assertEqual(idle("--singular", "warn"), [])
        self.assertEqual(idle("--designs", 1, "--spread", 0.1, "--seed", 2), ["--spread", "--seed"])
        model = self.model(PENDULUM)
        self.assertIn("singular: has no effect", self.remarks("simulate", model, "--singular", "warn"))

    def test_parameters_are_named_that_leave_no_number(self):
        """Of a coefficient with the wrong sign, of an expression without a value, and of one without a derivative."""
        rub = {"rub": {"type": "joint-friction", "joint": "hinge", "static": "1.2*mu", "dynamic": "mu", "radius": "r",
                       "transition_speed": 0.1, "load": "force", "smoothing": 0.1}}
        model = self.model(PENDULUM, forces=rub, parameters={"k": {"value": 1}, "mu": {"value": 0.2}, "r": {"value": 0.1}})
        self.failure(model, "--set", "mu=-0.125", says=["(mu = -0.125)", "coefficient"])
        self.failure(model, "--set", "r=-0.5", says=["(r = -0.5)"])
        root = self.model(PENDULUM, bodies={"bar": {**BAR, "mass": "2*sqrt(k)"}}, objectives={"o": {"terminal": "turn"}})
        self.failure(root, "--set", "k=-3", says=["(k = -3)"])
        process = run("gradient", root, "--set", "k=0")
        self.assertEqual(process.returncode, NUMERICAL_FAILURE, process.stderr)
        self.assertIn("(k = 0)", process.stderr)
        self.assertIn("its derivative", process.stderr)
        heavy = self.model(PENDULUM, bodies={"bar": {**BAR, "mass": "2*k"}})
        self.failure(heavy, "--set", "k=-0.75", says=['that of "bar" is -1.5 kg (k = -0.75)'])

    def test_unusual_friction(self):
        def rub(static, dynamic):
            return {"type": "joint-friction", "joint": "hinge", "static": static, "dynamic": dynamic, "radius": 0.1,
                    "transition_speed": 0.1, "load": "force", "smoothing": 0.1}
        usual = self.model(PENDULUM, forces={"rub": rub("0.3*k", 0.2)})
        self.assertNotIn("friction: ", self.remarks("simulate", usual))
        self.assertIn('friction: "rub" is static 0.15', self.remarks("simulate", usual, "--set", "k=0.5"))
        # Values outside bounds, and such as leave no number, are no matter of the remark: with it or without.
        bounded = self.model(PENDULUM, forces={"rub": rub("0.3*sqrt(k)", 0.2)}, parameters={"k": {"value": 1, "bounds": [0.9, 2]}})
        self.assertIn('friction: "rub" is static 0.15', self.remarks("simulate", bounded, "--set", "k=0.25"))
        for options in ([], ["--quiet"]):
            self.failure(bounded, "--set", "k=-1", *options, says=["(k = -1)"])
        twice = self.model(PENDULUM, forces={"rub": rub(0.3, 0.2), "scrape": rub(0.3, 0.2)})
        self.assertIn('friction: "rub" and "scrape" both act in the joint "hinge"', self.remarks("simulate", twice))

    def test_what_is_wrong_with_the_model_as_a_whole_names_the_file(self):
        rub = {"rub": {"type": "joint-friction", "joint": "swing", "static": 0.3, "dynamic": 0.2, "radius": 0.1,
                       "length": 0.1, "transition_speed": 0.1, "smoothing": 0.1}}
        model = self.model(four_bar(), forces=rub)
        self.assert_error(BAD_INPUT, "simulate", model, says=[f"{model}: model: found", "redundant", "a spherical and a cardan"])
        process = run("simulate", model, "--formulation", "nonsense")
        self.assertIn("error: formulation: found", process.stderr)


if __name__ == "__main__":
    unittest.main()
