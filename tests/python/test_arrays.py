# SPDX-License-Identifier: Apache-2.0
"""Outputs that are arrays of NumPy: how they are compared, and that a difference is reported, never raised."""

import importlib.util
import sys
import unittest

import ridge
from ridge import _arrays

if importlib.util.find_spec("numpy") is None:
    print(f"{sys.executable} has no NumPy: no array was compared (Debian: python3-numpy)")
    sys.exit(77)  # skipped

import numpy  # noqa: E402


def same(a, b, **tolerance):
    return _arrays.differ(a, b, **tolerance) is None


class Arrays(unittest.TestCase):
    def test_each_type_has_its_tolerance(self):
        for name, near, far in (("float64", 1e-12, 1e-6), ("float32", 1e-6, 1e-2), ("float16", 2e-3, 0.2), ("complex64", 1e-6, 1e-2),
                                ("complex128", 1e-12, 1e-6)):
            x = numpy.linspace(1, 2, 50).astype(name)
            self.assertTrue(same(x, (x * (1 + near)).astype(name)), name)
            self.assertFalse(same(x, (x * (1 + far)).astype(name)), name)
        whole = numpy.arange(9)
        self.assertTrue(same(whole, whole.copy()))
        self.assertEqual(_arrays.differ(whole, whole + (whole == 3)), "1 of 9 elements differ")

    def test_the_imaginary_part_counts_across_types(self):
        x = numpy.full(8, 1 + 2j, "complex64")
        self.assertTrue(same(x, x.astype("complex128")))
        self.assertFalse(same(x, numpy.full(8, 1 + 3j, "complex128")))
        self.assertFalse(same(numpy.ones(8, "float32"), x))
        self.assertFalse(same(numpy.ones(8, "float64"), numpy.full(8, 1 + 1e-3j, "complex64")))
        self.assertTrue(same(numpy.ones(8, "float64"), numpy.ones(8, "complex64")))

    def test_double_precision_is_kept_across_types(self):
        x = numpy.array([1 + 1e-6j, 1.0], "complex128")
        self.assertFalse(same(x, numpy.array([1.0, 1.0], "float64"), rtol=1e-9))

    def test_a_number_and_an_array_are_a_difference(self):
        array = numpy.zeros((2, 3))
        self.assertEqual(_arrays.differ(array, 0.0), "it is the number 0.0, and an array of shape (2, 3) is expected")
        self.assertEqual(_arrays.differ(1, array), "it is an array of shape (2, 3), and the number 1 is expected")
        self.assertIn("shape (0,)", _arrays.differ(True, numpy.zeros(0)))
        self.assertTrue(same(2.5, numpy.array([[2.5]])))
        self.assertFalse(same(2.5, numpy.array(2.6)))
        result = ridge.compare(lambda: 1.0, lambda: array, budget=0.1)
        self.assertEqual(result.verdict, "INVALID", str(result))
        self.assertIn("an array of shape (2, 3)", result.invalid_reason)

    def test_other_things_and_shapes_are_a_difference(self):
        array = numpy.zeros(3)
        self.assertEqual(_arrays.differ(array, numpy.zeros((3, 1))), "its shape is (3, 1), and (3,) is expected")
        for other in ("text", None, [0.0, 0.0, 0.0], {"a": 1}):
            self.assertIsNotNone(_arrays.differ(array, other), other)
            self.assertIsNotNone(_arrays.differ(other, array), other)
        self.assertTrue(same([array, {"x": array}], [array.copy(), {"x": array.copy()}]))

    def test_one_buffer_of_all_functions(self):
        buffer = numpy.zeros(4)

        def put(value):
            buffer[:] = value
            return buffer

        result = ridge.compare(lambda: put(1), lambda: put(1.5), budget=0.1)
        self.assertIn("4 of 4 elements differ", result.invalid_reason)
        later = ridge.compare(lambda: numpy.ones(4), lambda: put(1.5), lambda: put(1), budget=0.1, names=["own", "wrong", "right"])
        self.assertIn("wrong output of wrong", later.invalid_reason)


if __name__ == "__main__":
    unittest.main()
