# SPDX-License-Identifier: Apache-2.0
"""compare() and measure() on the processor: effects are found, identical functions are not told apart, errors arrive."""

import gc
import random
import traceback
import unittest

import ridge


def total(numbers):
    return sum(sorted(numbers))


def total_again(numbers):
    return sum(sorted(numbers))


def work(steps):
    n = 0
    for _ in range(steps):
        n += 1
    return n


def less_work(steps):
    for _ in range(steps // 3):  # told apart on a busy machine, too
        pass
    return steps


class Compare(unittest.TestCase):
    def test_a_real_effect_is_found(self):
        result = ridge.compare(work, less_work, args=(2000,), budget=3)
        self.assertEqual(result.verdict, "BETTER", str(result))
        self.assertTrue(result.low <= result.ratio <= result.high, str(result))
        self.assertGreater(result.low, 1.1)
        self.assertEqual(result.assurance, 1)
        self.assertFalse(result.worse)
        other_way = ridge.compare(less_work, work, args=(2000,), budget=3)
        self.assertTrue(other_way.worse, str(other_way))

    def test_identical_functions_are_not_told_apart(self):
        numbers = [random.random() for _ in range(500)]
        verdicts = [ridge.compare(total, total_again, args=(numbers,), budget=0.3).verdict for _ in range(8)]
        self.assertEqual([v for v in verdicts if v in ("BETTER", "WORSE")], [], verdicts)

    def test_inputs_are_drawn_for_every_round(self):
        seeds = []

        def inputs(seed):
            seeds.append(seed)
            return random.Random(seed).random(), [1, 2, 3]

        result = ridge.compare(lambda x, y: x, lambda x, y: x, args=inputs, budget=0.1, seed=5)
        self.assertGreaterEqual(len(seeds), result.rounds)
        self.assertGreater(len(set(seeds)), 0.9 * len(seeds))
        self.assertIn("every round has inputs of its own", [c.get("evidence") for c in result.checks])
        self.assertEqual(result.comparisons[0].reference, "baseline")
        fixed = ridge.compare(work, work, args=(100,), budget=0.1)
        self.assertTrue(any("same inputs" in c.get("evidence", "") for c in fixed.checks))

    def test_functions_that_change_their_arguments_get_new_ones(self):
        result = ridge.compare(list.sort, sort_by_key, args=lambda seed: (random.Random(seed).sample(range(200), 200),), mutates=True,
                               check=in_order, budget=0.2)
        self.assertFalse(result.invalid, str(result))
        self.assertEqual([t.calls for t in result.times], [1, 1])

    def test_several_candidates(self):
        result = ridge.compare(work, less_work, work, args=(1000,), names=["a", "b", "c"], budget=2)
        self.assertEqual([c.candidate for c in result.comparisons], ["b", "c"])
        self.assertEqual(len(result.times), 3)

    def test_calls_per_sample_can_be_set(self):
        counted = [0]

        def count():
            counted[0] += 1

        result = ridge.measure(count, calls=7, budget=0.05)
        self.assertEqual((counted[0] - 1) % 7, 0)
        self.assertGreater(result.times[0].median, 0)
        self.assertEqual(result.times[0].calls, 7)
        self.assertEqual(result.run["families"][0]["measurements"][0]["iterations"], 7)
        self.assertEqual(ridge.measure(lambda: 1, budget=0.05).times[0].name, "function")

    def test_short_functions_state_the_loop(self):
        result = ridge.measure(int, budget=0.1)
        self.assertGreater(result.times[0].calls, 100)
        self.assertLess(result.times[0].median, 5e-6)
        self.assertRegex(result.facts["python_loop"], r"^\d+ ns per call")

    def test_every_round_has_a_sample_of_a_single_function(self):
        result = ridge.measure(work, args=(500,), budget=0.2)
        self.assertEqual(len(result.times[0].samples), result.rounds)

    def test_the_collector_is_off_in_samples_and_restored(self):
        seen = set()
        ridge.measure(lambda: seen.add(gc.isenabled()), check=lambda output: None, budget=0.05)
        self.assertIn(False, seen)
        self.assertTrue(gc.isenabled())
        gc.disable()
        try:
            ridge.measure(work, args=(10,), budget=0.05)
            self.assertFalse(gc.isenabled())
        finally:
            gc.enable()

    def test_exceptions_arrive_with_their_traceback(self):
        calls = [0]

        def fails_later():
            calls[0] += 1
            if calls[0] > 50:
                raise LookupError("the fiftieth call")

        places = []
        try:
            ridge.compare(fails_later, fails_later, budget=0.2)
        except LookupError as raised:
            places = [place.name for place in traceback.extract_tb(raised.__traceback__)]
        self.assertEqual(places[-1:], ["fails_later"], places)
        self.assertTrue(gc.isenabled())

    def test_wrong_use_is_refused(self):
        with self.assertRaises(TypeError):
            ridge.compare(1, work)
        for wrong in ({"budget": -1.0}, {"min_effect": 2.0}, {"budget": float("nan")}):
            with self.assertRaises(ridge.RidgeError):
                ridge.compare(work, work, args=(1,), **wrong)
        for wrong in ({"names": ["a", "a"]}, {"calls": 0}, {"device": "tpu"}, {"frameworks": ["torch"]}, {"mutates": True},
                      {"mutates": True, "args": lambda seed: seed, "calls": 5}):
            with self.assertRaises(ValueError):
                ridge.compare(work, work, **{"args": (1,), **wrong})


def sort_by_key(numbers):
    numbers.sort(key=int)


def in_order(output, numbers):
    assert numbers == sorted(numbers), "the numbers are not in order"


if __name__ == "__main__":
    unittest.main()
