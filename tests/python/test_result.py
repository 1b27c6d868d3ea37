# SPDX-License-Identifier: Apache-2.0
"""Results as text, dict, JSON, table and frame."""

import importlib.util
import json
import os
import subprocess
import sys
import unittest
import unittest.mock

import ridge


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = ridge.compare(abs, lambda n: -n if n < 0 else n, args=(-3,), names=["a<b>", "&c"], budget=0.2, title="A title")

    def test_text(self):
        text = str(self.result)
        self.assertIn("&c vs a<b>: ", text)
        self.assertIn(self.result.verdict, text)
        self.assertIn("assurance 1 of 3 (verified)", text)
        self.assertIn("noise floor", text)

    def test_dict_is_plain(self):
        found = self.result.to_dict()
        self.assertEqual(json.loads(json.dumps(found)), found)
        self.assertEqual(found["comparisons"][0]["candidate"], "&c")

    def test_json_is_a_run(self):
        run = self.result.run
        self.assertEqual(run["schema"], "ridge.run/1")
        family = run["families"][0]
        self.assertEqual(family["title"], "A title")
        self.assertEqual([m["variant"] for m in family["measurements"]], ["a<b>", "&c"])
        samples = family["measurements"][0]["samples"][0]["value"]
        self.assertEqual(len(samples), len(self.result.times[0].samples))
        self.assertEqual(run["comparisons"][0]["verdict"], self.result.verdict)
        self.assertIn("python", self.result.facts)

    def test_html_escapes_names(self):
        page = self.result._repr_html_()
        self.assertIn("a&lt;b&gt;", page)
        self.assertEqual((page.count("<tr>"), page.count("</tr>")), (3, 3))

    @unittest.skipIf(importlib.util.find_spec("pandas") is None, f"{sys.executable} has no pandas (Debian: python3-pandas)")
    def test_frame_has_a_row_for_each_function(self):
        frame = self.result.to_frame()
        self.assertEqual(list(frame.index), ["a<b>", "&c"])
        self.assertEqual(frame.loc["&c", "verdict"], self.result.verdict)
        self.assertEqual(frame.loc["&c", "ratio"], self.result.ratio)
        self.assertTrue((frame["seconds"] > 0).all() and frame["seconds"].dtype.kind == "f")

    def test_without_pandas_a_frame_is_refused_with_what_needs_nothing(self):
        with unittest.mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, r"needs pandas.*to_dict\(\)"):
                self.result.to_frame()

    def test_a_missing_library_is_named(self):
        done = subprocess.run([sys.executable, "-c", "import ridge; ridge.version()"], capture_output=True, text=True,
                              env={**os.environ, "RIDGE_LIBRARY": "/nowhere/libridge.so"})
        self.assertIn("there is no /nowhere/libridge.so", done.stderr)

    def test_version(self):
        self.assertRegex(ridge.version(), r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
