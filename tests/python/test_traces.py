# SPDX-License-Identifier: Apache-2.0
"""Tables of traces without any other package: columns, arguments, sentences of errors, lifetimes."""

import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from ridge.trace import Table, TraceAnalysis, TraceError, Traces
from ridge import _trace_table

DATA = pathlib.Path(os.environ["RIDGE_SOURCE_DIR"]) / "tests/data/traces"
RANKS = [DATA / f"hta/trace_filter/sampled_rank-{rank}.json.gz" for rank in (0, 1)]


def two_ranks(**options):
    traces = Traces(**options)
    for rank, path in enumerate(RANKS):
        traces.add(path, rank)
    return traces


class Tables(unittest.TestCase):
    def test_columns_have_one_length_and_their_types(self):
        with two_ranks() as traces:
            table = traces.ask("queue_length", ranks=[1])
        self.assertEqual(set(table["rank"]), {1})
        self.assertTrue(all(len(table[name]) == table.rows for name in table))
        self.assertEqual(int(table["count"][list(table["stream"]).index(7)]), 1002)
        self.assertIsInstance(table.to_dict()["mean"], list)
        with self.assertRaises(KeyError):
            table["no such column"]

    def test_a_column_outlives_its_table_and_the_traces(self):
        traces = two_ranks()
        lengths = traces.ask("queue_length_series", ranks=[0])["length"]
        before = list(lengths)
        traces.close()
        del traces
        gc.collect()
        others = [bytearray(len(before) * 8) for _ in range(50)]  # what would be written over freed memory
        self.assertEqual(list(lengths), before)
        self.assertEqual(len(others), 50)

    def test_an_array_is_the_memory_of_the_table(self):
        if _trace_table.numpy is None:
            self.skipTest(f"{sys.executable} has no NumPy: its columns are lists")
        table = two_ranks().ask("launches")
        first, again = Table(table._handle.address), Table(table._handle.address)
        self.assertEqual(first["cpu_us"].ctypes.data, again["cpu_us"].ctypes.data)
        self.assertFalse(first["cpu_us"].flags.owndata)
        for double in (first, again):  # the table is closed once
            double._handle.address = None

    def test_texts_keep_what_is_no_ascii(self):
        kernel = {"ph": "X", "cat": "kernel", "name": "größe_核", "pid": 0, "tid": 7, "ts": 1.5, "dur": 2, "args": {"stream": 7, "correlation": 1}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "naïve.json"
            path.write_text(json.dumps({"traceEvents": [kernel, {**kernel, "name": "", "ts": 9}]}, ensure_ascii=False), encoding="utf-8")
            traces = Traces(path)
        self.assertEqual(traces.ask("works")["name"], ["größe_核", ""])
        self.assertEqual(traces.ask("ranks")["path"], [str(path)])

    def test_errors_are_sentences(self):
        traces = two_ranks()
        for question, arguments, part in (("nothing", {}, "there is no table nothing; there are annotated_works, annotations"),
                                          ("launches", {"rank": 1}, "has no argument rank"), ("launches", {"ranks": [5]}, "ranks 0, 1"),
                                          ("works", {"ranks": "x"}, "whole numbers")):
            with self.assertRaises(TraceError) as raised:
                traces.ask(question, **arguments)
            self.assertIn(part, str(raised.exception))
        with self.assertRaisesRegex(TraceError, "is rank 0, and so is"):
            traces.add(RANKS[1], 0)
        with self.assertRaisesRegex(TraceError, "nowhere"):
            traces.add("nowhere")
        with self.assertRaisesRegex(TraceError, "no option colour"):
            Traces(colour=1)
        traces.close()
        with self.assertRaisesRegex(TraceError, "closed"):
            traces.ask("works")

    def test_a_folder_an_archive_and_another_format_are_read(self):
        self.assertEqual(sorted(Traces(DATA / "param/dlrm_kineto.tar.gz").ask("ranks")["rank"]), list(range(8)))
        self.assertEqual(list(Traces(DATA / "nsys/healthy_1pct.sqlite.gz").ask("ranks")["format"]), ["nsys_sqlite"])
        self.assertEqual(len(Traces(DATA / "hta/trace_filter").ask("ranks")["rank"]), 2)

    def test_the_last_step_counts_when_asked_for(self):
        few, more = (traces.ask("temporal_breakdown")["kernel_us"][0] for traces in (two_ranks(), two_ranks(last_step=1)))
        self.assertGreater(more, few)

    def test_without_pandas_the_methods_say_so(self):
        code = ("import sys; sys.modules['pandas'] = None\nfrom ridge.trace import TraceAnalysis\n"
                "try: TraceAnalysis(trace_dir='.')\nexcept ImportError as why: assert 'ridge.trace.Traces' in str(why), why\n"
                "else: raise SystemExit('no ImportError')")
        subprocess.run([sys.executable, "-c", code], check=True)
        self.assertTrue(callable(TraceAnalysis))


if __name__ == "__main__":
    unittest.main()
