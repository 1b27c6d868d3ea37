# SPDX-License-Identifier: Apache-2.0
"""The path of CUDA, on a module that stands in for PyTorch and writes down what it is asked: the order of a sample, which stream's
events time, when the GPU is held, and what is said about it. No GPU is needed; tools/python-gpu-figures runs on one."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).with_name("stand_in")))

from torch import GPU, LOG, Tensor, kernel  # noqa: E402

import ridge  # noqa: E402


def samples_in(log):
    """The log cut behind every synchronization, from the last one that calibrates on."""
    found, one = [], []
    for word in log:
        one.append(word)
        if word == "synchronize":
            found.append(one)
            one = []
    return found


class Cuda(unittest.TestCase):
    def setUp(self):
        LOG.clear()
        GPU.busy_until = GPU.now = GPU.enqueue_s = 0.0
        GPU.evict_s = 60e-6

    def compare(self, f, g, **settings):
        return ridge.compare(f, g, args=(Tensor(1.0),), **{"budget": 0.2, **settings})

    def test_the_order_of_a_sample(self):
        result = self.compare(kernel(10e-6, "f"), kernel(10e-6, "g"))
        timed = [s for s in samples_in(LOG) if "f" in s or "g" in s]
        self.assertGreater(len(timed), 20)
        for sample in timed[2:]:
            name = "f" if "f" in sample else "g"
            self.assertEqual(sample, ["write", "read", "record", name, "record", "synchronize"])
        self.assertEqual(result.assurance, 1, str(result))
        self.assertIn("105 MB written", result.facts["gpu_cache"])
        self.assertIn("torch on the current stream", result.facts["gpu_clock"])
        self.assertEqual(result.run["families"][0]["backend"], "cuda")
        self.assertAlmostEqual(result.times[0].median, 10e-6, delta=1e-8)

    def test_a_difference_is_found_and_both_arms_take_turns(self):
        result = self.compare(kernel(12e-6, "f"), kernel(10e-6, "g"))
        self.assertEqual(result.verdict, "BETTER", str(result))
        self.assertAlmostEqual(result.ratio, 1.2, delta=0.01)
        order = [word for word in LOG if word in "fg"][-40:]
        self.assertTrue(15 <= order.count("f") <= 25)

    def test_the_gpu_is_held_where_launches_take_longer_than_the_eviction(self):
        GPU.enqueue_s = 200e-6
        result = self.compare(kernel(10e-6, "f"), kernel(10e-6, "g"))
        timed = [s for s in samples_in(LOG) if "f" in s or "g" in s]
        self.assertEqual(timed[-1][:4], ["write", "read", "hold", "record"])
        launches = next(c for c in result.checks if c["id"] == "launches")
        self.assertEqual(launches["result"], "pass", launches["evidence"])
        self.assertRegex(launches["evidence"], r"the GPU was held, at last for \d+ us before a sample")
        held_us = int(re.search(r"(\d+) us", launches["evidence"])[1])
        self.assertTrue(0.7 * 140 <= held_us <= 2000, "a launch takes 200 us, the eviction covers 60, and 0.7 of a hold may be tried")

    def test_the_gpu_is_no_longer_held_when_launches_have_become_quick(self):
        GPU.enqueue_s = 200e-6
        launch, calls = kernel(10e-6, "f"), []

        def quick_after_some(x):
            calls.append(x)
            if len(calls) == 20:
                GPU.enqueue_s = 0.0
            return launch(x)

        self.compare(quick_after_some, kernel(10e-6, "g"), budget=1.0)  # hundreds of samples, on a busy machine as well
        timed = [s for s in samples_in(LOG) if "f" in s or "g" in s]
        self.assertIn("hold", sum(timed[:40], []))
        self.assertNotIn("hold", sum(timed[-20:], []))

    def test_without_the_hold_it_is_said(self):
        GPU.enqueue_s = 200e-6
        result = self.compare(kernel(10e-6, "f"), kernel(10e-6, "g"), hold=False)
        self.assertNotIn("hold", LOG)
        launches = next(c for c in result.checks if c["id"] == "launches")
        self.assertEqual(launches["result"], "warn")
        self.assertIn("launch-bound", launches["evidence"])

    def test_warm_and_several_calls_are_said(self):
        result = self.compare(kernel(10e-6, "f"), kernel(10e-6, "g"), cold=False, calls=5)
        self.assertNotIn("write", LOG)
        self.assertIn("warm", result.facts["gpu_cache"])
        self.assertIn("5 calls in each sample", result.facts["gpu_cache"])
        self.assertEqual([t.calls for t in result.times], [5, 5])
        self.assertAlmostEqual(result.times[0].median, 10e-6, delta=1e-8)

    def test_a_wrong_output_on_the_gpu(self):
        def wrong(x):
            kernel(10e-6, "g")(x)
            return Tensor(x.value + 3)

        result = self.compare(kernel(10e-6, "f"), wrong)
        self.assertEqual(result.verdict, "INVALID")
        self.assertIn("1 of 1 elements differ", result.invalid_reason)

    def test_torch_and_cupy_mix_through_dlpack(self):
        import cupy

        seen = set()
        launch = kernel(10e-6, "g")

        def by_cupy(x):
            seen.add((type(x), tuple(cupy.STREAMS[-1:])))
            return cupy.ndarray(launch(x.tensor))

        def by_torch(x):
            seen.add((type(x), ()))
            return Tensor(x.value + 1)

        result = self.compare(by_torch, by_cupy, frameworks=("torch", "cupy"))
        self.assertEqual(result.assurance, 1, str(result))
        self.assertIn((cupy.ndarray, (77,)), seen, "CuPy did not run on the stream whose events time")
        self.assertEqual({kind for kind, _ in seen}, {Tensor, cupy.ndarray})
        self.assertIsNone(cupy.STREAMS[-1])
        off = self.compare(by_torch, lambda x: cupy.ndarray(Tensor(5.0)), frameworks=("torch", "cupy"))
        self.assertTrue(off.invalid)
        self.assertIs(type(ridge.from_dlpack(Tensor(2.0), "cupy")), cupy.ndarray)
        self.assertIs(type(ridge.from_dlpack(cupy.ndarray(Tensor(2.0)), "torch")), Tensor)

    def test_arrays_are_found_where_a_function_has_bound_them(self):
        x = Tensor(1.0)
        f, g = kernel(10e-6, "f"), kernel(10e-6, "g")
        ridge.compare(lambda: f(x) and None, lambda: g(x) and None, budget=0.1)
        self.assertIn("record", LOG)

    def test_the_processor_times_what_is_on_it(self):
        ridge.compare(lambda: Tensor(1.0, is_cuda=False), lambda: Tensor(1.0, is_cuda=False), budget=0.1, check=False)
        self.assertNotIn("record", LOG)
        with self.assertRaises(ridge.RidgeError):
            ridge.compare(abs, abs, args=(1,), device="cuda")


if __name__ == "__main__":
    unittest.main()
