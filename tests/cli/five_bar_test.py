"""The gradient of the five-bar mechanism at h = 1 ms: discrete values, to the digits known."""

import unittest

from program import FIVE_BAR, OBJECTIVES, PARAMETERS, ProgramTest

VALUES = [0.7268774, 7.3422746, 304.9211215]
GRADIENT = [
    [-4.2288168, 3.2115941, 0.3186545, 0.4423445, 3.359833],
    [-15.4521889, 50.308741, 0.9701588, 0.7456892, -27.3590876],
    [221.6411136, 2436.6075893, -32.4969357, -85.6576148, -2546.5946247],
]
RELATIVE = 2e-6


class FiveBarTest(ProgramTest):
    def test_gradient(self):
        document = self.run_json("gradient", FIVE_BAR)
        self.assertEqual(document["steps"], 5000)
        for objective, value, row in zip(OBJECTIVES, VALUES, GRADIENT):
            self.assert_close(document["objectives"][objective], value, objective)
            for parameter, derivative in zip(PARAMETERS, row):
                self.assert_close(document["gradient"][objective][parameter], derivative,
                                  f"d {objective} / d {parameter}")

    def assert_close(self, found, expected, what):
        self.assertLessEqual(abs(found - expected), RELATIVE * abs(expected), f"{what}: {found}, not {expected}")


if __name__ == "__main__":
    unittest.main()
