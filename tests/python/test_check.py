# SPDX-License-Identifier: Apache-2.0
"""Outputs are compared, wrong ones make the verdict INVALID, and what could not be checked is said."""

import math
import random
import unittest

import ridge
from ridge import _arrays


def three(n):
    return [n, n + 1.0, {"sum": n * 2.0}]


def uneven():
    """Takes so uneven a time that a session with it lasts for its whole budget."""
    for _ in range(random.randrange(300, 450)):
        pass
    return 0


class Checks(unittest.TestCase):
    def invalid(self, f, g, text, **settings):
        result = ridge.compare(f, g, budget=0.2, **settings)
        self.assertEqual(result.verdict, "INVALID", str(result))
        self.assertIn(text, result.invalid_reason)
        self.assertTrue(math.isnan(result.ratio))
        self.assertEqual(result.assurance, 0)
        return result

    def test_outputs_must_agree(self):
        self.invalid(three, lambda n: [n, n + 1.0, {"sum": n * 2.0 + 1e-3}], "part 2: 'sum': it is", args=(2,))
        self.invalid(three, lambda n: [n], "it has 1 parts, and 3 are expected", args=(2,))
        self.invalid(three, lambda n: None, "wrong output of candidate", args=(2,))
        result = ridge.compare(three, lambda n: [n, n + 1.0 + 1e-12, {"sum": n * 2.0}], args=(2,), budget=0.2)
        self.assertEqual(result.assurance, 1, str(result))
        loose = ridge.compare(three, lambda n: [n, n + 1.01, {"sum": n * 2.0}], args=(2,), budget=0.2, tolerance=0.1)
        self.assertEqual(loose.assurance, 1, str(loose))

    def test_an_error_on_some_inputs_alone_is_found(self):
        self.invalid(lambda n: n % 7, lambda n: n % 7 if n % 5 else -1, "is expected", args=lambda seed: seed % 1000)

    def test_an_arm_that_rests_is_not_wrong(self):
        """A function that is far from the first one is left out of most rounds."""
        result = ridge.compare(uneven, uneven, lambda: 0, budget=1.0, min_effect=1e-4)
        self.assertEqual(result.invalid_reason, "")
        self.assertGreater(result.comparisons[1].ratio, 5)

    def test_outputs_in_one_buffer_are_told_apart(self):
        buffer = [0]

        def right():
            buffer[0] = 1
            return buffer

        def wrong():
            buffer[0] = 2
            return buffer

        self.invalid(right, wrong, "part 0: it is 2, and 1 is expected")
        self.assertEqual(ridge.compare(right, right, budget=0.1).assurance, 1)

    def test_a_buffer_of_two_later_functions_is_told_apart(self):
        buffer = [0]

        def put(value):
            buffer[0] = value
            return buffer

        result = ridge.compare(lambda: [1], lambda: put(2), lambda: put(1), budget=0.2, names=["own", "wrong", "right"])
        self.assertIn("wrong output of wrong", result.invalid_reason)

    def test_a_check_of_the_caller(self):
        def check(output, n):
            assert output == n + 1, f"{output} is not the successor of {n}"

        self.invalid(lambda n: n + 1, lambda n: n + 2, "6 is not the successor of 4", args=(4,), check=check)
        self.invalid(lambda n: n, lambda n: n, "the check says that it is wrong", args=(4,), check=lambda output, n: output > n)
        right = ridge.compare(lambda n: n + 1, lambda n: 1 + n, args=(4,), check=check, budget=0.1)
        self.assertEqual(right.assurance, 1)
        single = ridge.measure(lambda n: n + 1, args=(4,), check=check, budget=0.1)
        self.assertEqual(single.assurance, 1)
        with self.assertRaises(ZeroDivisionError):
            ridge.compare(abs, abs, args=(4,), check=lambda output, n: 1 / 0, budget=0.1)

    def test_a_long_reason_is_cut_between_characters(self):
        for lead in range(4):
            reason = "x" * lead + "\u20ac\U0001f600" * 200
            def check(output):
                assert False, reason
            result = ridge.compare(abs, abs, args=(1,), check=lambda output, n: check(output), budget=0.1)
            said = result.invalid_reason.partition(": ")[2]
            self.assertTrue(reason.startswith(said) and len(said) > 100, said)
            self.assertIn(said, result.json)

    def test_what_was_not_checked_is_said(self):
        silent = ridge.compare(lambda: None, lambda: None, budget=0.1)
        self.assertEqual(silent.assurance, 0)
        self.assertIn("nothing was checked", silent.assurance_text)
        self.assertTrue(any("return None" in c.get("evidence", "") for c in silent.checks))
        unchecked = ridge.compare(abs, abs, args=(1,), check=False, budget=0.1)
        self.assertEqual(unchecked.assurance, 0)

    def test_differences_of_values(self):
        for a, b in ((1, 1), (1.0, 1.0 + 1e-12), (math.nan, math.nan), ("x", "x"), ((1, [2.0]), (1, [2.0])), (math.inf, math.inf),
                     (0.0, 0), (1j, 1j)):
            self.assertIsNone(_arrays.differ(a, b), (a, b))
        for a, b in ((1, 2), (1.0, 1.001), (1.0, math.nan), ("x", "y"), ((1,), (1, 2)), ({"a": 1}, {"b": 1}), (1.0, "x"), (math.inf, 1.0)):
            self.assertIsNotNone(_arrays.differ(a, b), (a, b))


if __name__ == "__main__":
    unittest.main()
