# SPDX-License-Identifier: Apache-2.0
"""Each method of ridge.trace.TraceAnalysis against what Holistic Trace Analysis 0.6.1 gave for the same traces
(tests/data/traces/golden/hta): NAME.json and NAME.last.json (last step included), and NAME.methods.json of further methods."""

import contextlib
import gzip
import importlib.util
import json
import math
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

if importlib.util.find_spec("pandas") is None:
    print(f"{sys.executable} has no pandas: no DataFrame was compared (Debian: python3-pandas)")
    sys.exit(77)  # skipped

from ridge.trace import CriticalPath, TimeSeriesTypes, TraceAnalysis, TraceError  # noqa: E402

SOURCE = pathlib.Path(os.environ["RIDGE_SOURCE_DIR"])
# The repository's traces and golden files, and the full set of both where it is.
FOLDERS = [SOURCE / "tests/data/traces", pathlib.Path(os.environ.get("RIDGE_DATA", SOURCE.parent / "shared/data")) / "traces"]
ONE = "kineto/samples/resnet50_num_workers_{}/worker0.{}.pt.trace.json.gz"
NS = "hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"
CASES = {
    "hta_cupti": {0: "hta/cupti_profiler/benchmark_result_924719_1679055439_trace.json.gz"},
    "hta_df_index_resolver": {0: "hta/df_index_resolver/df_index_resolver.json.gz"},
    "hta_ns_resolution": {0: NS},
    "hta_sampled_2rank": {0: "hta/trace_filter/sampled_rank-0.json.gz", 1: "hta/trace_filter/sampled_rank-1.json.gz"},
    "hta_triton": {0: "hta/triton_example/triton_example.json.gz"},
    "kineto_resnet50_w0_a": {0: ONE.format(0, 1623143089861)},
    "kineto_resnet50_w4_a": {0: ONE.format(4, 1623212756351)},
    "param_dlrm_8rank": ["param/dlrm_kineto.tar.gz"],
    "hta_trace_diff_control": {0: "hta/trace_diff/control/control.json.gz"},
    "hta_trace_diff_test": {0: "hta/trace_diff/test/test.json.gz"},
    "tl_h100_timesformer": {0: "tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz"},
    "tl_mi300_resnet_ckpt": {0: "tracelens/mi300/resnet_act_checkpoint.json.gz"},
    "tl_xdit_flux1": {0: "tracelens/inference/xdit_flux1_aiter_profile_rank0.json.gz"},
}


def data_folder(files):
    """The folder that holds these files; None where none does."""
    names = files.values() if isinstance(files, dict) else files
    return next((folder for folder in FOLDERS if all((folder / name).is_file() for name in names)), None)


def cases(suffix):
    """Yields (name, what HTA gave, the opened traces) for each golden file of a suffix whose traces are there."""
    for name, files in CASES.items():
        for last in (False, True):
            below = f"golden/hta/{name}{'.last' if last else ''}{suffix}"
            golden, folder = data_folder([below]), data_folder(files)
            if golden is not None and folder is not None:
                yield below, json.loads((golden / below).read_text()), TraceAnalysis(files, str(folder), last)


def rows_of(frame):
    return frame.reset_index().to_dict("records")


class Golden(unittest.TestCase):
    def same(self, expected, found, places, where):
        """Compares two values; null stands for NaN. Numbers agree to `places` decimals."""
        if expected is None or isinstance(expected, float) and math.isnan(expected):
            self.assertTrue(found is None or found != found, where)
        elif isinstance(expected, str):
            self.assertEqual(expected, found, where)
        else:
            self.assertAlmostEqual(float(expected), float(found), places, where)

    def same_rows(self, expected, frame, keys, places=6, most=None):
        """Compares rows by their keys; every column that HTA gave is there."""
        found = {tuple(row[key] for key in keys): row for row in rows_of(frame)}
        self.assertTrue(most or len(expected) == len(found), (len(expected), len(found)))
        for row in expected:
            key = tuple(row[key] for key in keys)
            self.assertIn(key, found)
            for name, value in row.items():
                self.same(value, found[key][name], places, (key, name))

    def test_methods_with_figures_of_all_golden_files(self):
        seen = 0
        for name, golden, traces in cases(".json"):
            with self.subTest(name):
                seen += 1
                if isinstance(golden["temporal_breakdown"], dict):  # HTA failed: no device work
                    self.assertTrue((traces.get_temporal_breakdown(visualize=False)["kernel_time(us)"] == 0).all())
                    continue
                self.same_rows(golden["temporal_breakdown"], traces.get_temporal_breakdown(visualize=False), ["rank"], 6)
                self.assertEqual(list(golden["temporal_breakdown"][0]), list(traces.get_temporal_breakdown().columns))
                self.same_rows(golden["comm_comp_overlap"], traces.get_comm_comp_overlap(visualize=False), ["rank"], 6)
                self._kernels(golden, traces)
                self._idle(golden, traces)
                self._launches(golden, traces)
                self._summaries(golden, traces)
        self.assertGreaterEqual(seen, 12)

    def _kernels(self, golden, traces):
        types, kernels = traces.get_gpu_kernel_breakdown(visualize=False)
        self.same_rows([row for row in golden["kernel_breakdown"]["by_type"] if row["sum"]], types, ["kernel_type"])
        self.same_rows(golden["kernel_breakdown"]["kernels"], kernels, ["rank", "kernel_type", "name"], 4, most=60)

    def _idle(self, golden, traces):
        printed = golden["idle_time_breakdown"]
        if "error" in printed:
            return
        idle, gaps = traces.get_idle_time_breakdown(ranks=golden["ranks"], visualize=False, show_idle_interval_stats=True)
        self.same_rows(printed["idle"], idle, ["rank", "stream", "idle_category"], 2)
        self.same_rows(printed["stats"], gaps, ["rank", "stream", "idle_category"], 2)
        self.assertEqual([row["stream"] for row in printed["idle"] if row["rank"] == 0], list(idle[idle["rank"] == 0]["stream"]))

    def _launches(self, golden, traces):
        frames = traces.get_cuda_kernel_launch_stats(ranks=golden["ranks"], visualize=False)
        for rank, printed in golden["launch_stats"].items():
            frame = frames[int(rank)]
            self.assertEqual(printed["rows"], len(frame))
            for row, first in zip(printed["first5"], rows_of(frame.head(5))):
                for column, value in row.items():
                    self.same(value, first[column], 5, (rank, column))
            self.assertEqual(printed["launch_delay_gt100"], int((frame["launch_delay"] > 100).sum()))

    def _summaries(self, golden, traces):
        queues, copies = traces.get_queue_length_summary(golden["ranks"]), traces.get_memory_bw_summary(golden["ranks"])
        for printed, frame, key in ((golden["queue_length_summary"], queues, "stream"), (golden["memory_bw_summary"], copies, "name")):
            if printed is None:
                self.assertIsNone(frame)
                continue
            self.assertEqual(len(printed), len(frame))
            head = "queue_length" if key == "stream" else "memory_bw_gbps"
            for row in printed:
                found = frame.loc[(row["rank"], row[key])][head]
                self.assertGreaterEqual(row[f"{head}_count"], found["count"])  # HTA also counts specks of 1e-17 GB/s
                if key == "stream":
                    self.same(row[f"{head}_max"], found["max"], 6, (row["rank"], row[key]))

    def test_series_have_the_values_of_hta_at_every_time(self):
        for name, golden, traces in cases(".methods.json"):
            with self.subTest(name):
                ranks = [int(rank) for rank in golden["queue_length_series"]]
                for kind, series, group, column in (
                    ("queue_length_series", traces.get_queue_length_time_series(ranks), "stream", "queue_length"),
                    ("memory_bw_series", traces.get_memory_bw_time_series(ranks), "name", "memory_bw_gbps")):
                    for rank, groups in golden[kind].items():
                        frame = series[int(rank)]
                        self.assertEqual(set(groups), {str(value) for value in frame[group].unique()})
                        for key, steps in groups.items():
                            part = frame[frame[group].astype(str) == key]
                            last = dict(zip(part["ts"], part[column]))  # after all changes of one time
                            self.assertEqual(steps["count"], len(last))
                            for ts, value in steps["first"]:
                                self.assertTrue(math.isclose(value, last[ts], rel_tol=2e-6, abs_tol=2e-6), (kind, key, ts, value, last[ts]))
                places = {rank: sorted({tuple(map(int, row)) for row in zip(frame["pid"], frame["tid"], frame["stream"])})
                          for rank, frame in traces.get_queue_length_time_series(ranks).items()}
                self.assertEqual({int(rank): [tuple(row) for row in rows] for rank, rows in golden["queue_places"].items()}, places)

    def test_full_queues(self):
        for name, golden, traces in cases(".methods.json"):
            with self.subTest(name):
                series = traces.get_queue_length_time_series([int(rank) for rank in golden["queue_length_series"]])
                found = traces.get_time_spent_blocked_on_full_queue(series, 3)
                self.assertEqual(["rank", "stream", "duration_at_max_queue_length", "relative_duration_at_max_queue_length"],
                                 list(found.columns))
                kept = found.groupby("rank").tail(1)  # HTA keeps the last stream of a rank
                self.same_rows(golden["full_queue_3"], kept, ["rank", "stream"], 6)
                summary = traces.get_queue_length_summary_from_time_series(series)
                self.assertEqual(set(summary.index), set(traces.get_queue_length_summary(list(series)).index))

    def test_annotations(self):
        for name, golden, traces in cases(".methods.json"):
            for device in (True, False):
                for number in (1000, 5):
                    with self.subTest(name, device=device, number=number):
                        printed = golden[f"annotations_{'gpu' if device else 'cpu'}_{number}"]
                        found = traces.get_gpu_user_annotation_breakdown(device, visualize=False, num_kernels=number)
                        if printed is None:
                            self.assertIsNone(found)
                        else:
                            self.assertEqual(list(printed[0]), list(found.columns))
                            self.same_rows(printed, found, ["rank", "name"], 5)

    def test_arguments_of_kernels_and_launches(self):
        for name, golden, traces in cases(".methods.json"):
            with self.subTest(name):
                types, kernels = traces.get_gpu_kernel_breakdown(visualize=False, duration_ratio=0.5, num_kernels=3, include_memory_kernels=False)
                self.same_rows(golden["kernels_3"], kernels, ["rank", "kernel_type", "name"], 5)
                self.assertEqual([row["name"] for row in golden["kernels_3"]], list(kernels["name"]))
                self.same_rows([row for row in golden["types_without_memory"] if row["sum"]], types, ["kernel_type"])
                few = traces.get_cuda_kernel_launch_stats(list(map(int, golden["launches_without_memory"])), include_memory_events=False)
                self.assertEqual(golden["launches_without_memory"], {str(rank): len(frame) for rank, frame in few.items()})

    def test_steps_and_stragglers(self):
        for name, golden, traces in cases(".methods.json"):
            with self.subTest(name):
                self.assertEqual(golden["profiler_steps"], traces.get_profiler_steps())
                for number, ranks in golden["stragglers"].items():
                    if isinstance(ranks, list):
                        self.assertEqual(ranks, traces.get_potential_stragglers(num_candidates=int(number)))
                    else:  # HTA raises what pandas raised
                        with self.assertRaisesRegex(ValueError, "in these traces|of two ranks"):
                            traces.get_potential_stragglers(num_candidates=int(number))

    def test_sequences(self):
        compared = 0
        for name, golden, traces in cases(".methods.json"):
            for operator, printed in golden["sequences"].items():
                with self.subTest(name, operator=operator):
                    found = traces.get_frequent_cuda_kernel_sequences(operator, min_pattern_len=1)
                    self.assertEqual(list(printed[0]), list(found.columns))
                    self.same_rows(printed, found, ["pattern"], 5)
                    compared += 1
        self.assertGreaterEqual(compared, 2)


# What HTA's own test of the method and the notebook trace_analysis_demo.ipynb print for this trace (HolisticTraceAnalysis, MIT).
class AnnotatedKernels(unittest.TestCase):
    def setUp(self):
        folder = data_folder([NS])
        if folder is None:
            self.skipTest(f"{NS} is not there")
        self.traces = TraceAnalysis({0: NS}, str(folder))

    def test_have_the_annotations_that_hta_gives_them(self):
        frame = self.traces.get_gpu_kernels_with_user_annotations(rank=0, expand_names=True, shorten_names=True)
        self.assertEqual(4876, len(frame))
        self.assertEqual(4, frame.user_annotation.unique().size)
        self.assertEqual(27, (frame.s_user_annotation == "Optimizer.step#SGD.step").sum())
        for correlation, annotation, name in ((135139, "DistributedDataParallel.forward", "Memcpy DtoD (Device -> Device)"),
                                              (164926, "Optimizer.step#SGD.step", "at::native::::multi_tensor_apply_kernel")):
            row = frame[frame.correlation == correlation]
            self.assertEqual((annotation, name), (row["s_user_annotation"].item(), row["s_name"].item()))

    def test_have_the_columns_and_times_of_the_notebook(self):
        frame = self.traces.get_gpu_kernels_with_user_annotations(rank=0, expand_names=True, shorten_names=False)
        shown = frame[["s_name", "s_cat", "s_user_annotation", "stream", "ts", "dur"]]
        self.assertEqual([3488, 3678, 4067, 4081, 4090], list(shown["ts"].head(5)))
        self.assertEqual([5, 2, 0, 0, 1], list(shown["dur"].head(5)))
        self.assertEqual(["kernel", "kernel", "gpu_memcpy", "gpu_memcpy", "gpu_memcpy"], list(shown["s_cat"].head(5)))
        self.assertEqual([387344, 387460, 387724, 387756], list(shown["ts"].tail(5).head(4)))
        self.assertEqual({"DistributedDataParallel.forward"}, set(shown["s_user_annotation"].head(5)))
        self.assertNotIn("s_name", self.traces.get_gpu_kernels_with_user_annotations(rank=0, expand_names=False).columns)


# The calls of HTA's example notebooks, with their arguments, on a trace of two ranks.
class Notebooks(unittest.TestCase):
    def setUp(self):
        files = CASES["hta_sampled_2rank"]
        self.analyzer = TraceAnalysis(trace_dir=f"{data_folder(files)}/hta/trace_filter")

    def test_trace_analysis_demo(self):
        analyzer = self.analyzer
        self.assertEqual(2, len(analyzer.get_temporal_breakdown(visualize=False)))
        types, kernels = analyzer.get_gpu_kernel_breakdown(visualize=False, duration_ratio=0.8, num_kernels=5, include_memory_kernels=True)
        self.assertTrue(len(types) and len(kernels))
        self.assertEqual(2, len(analyzer.get_comm_comp_overlap(visualize=False)))
        idle, gaps = analyzer.get_idle_time_breakdown(ranks=[1], visualize=False, visualize_pctg=1, show_idle_interval_stats=True)
        self.assertTrue(len(idle) and len(gaps))
        self.assertEqual([1], sorted({rank for rank, _ in analyzer.get_queue_length_summary(ranks=[1]).index}))
        queues = analyzer.get_queue_length_time_series(ranks=[1])
        analyzer.get_time_spent_blocked_on_full_queue(queues, max_queue_length=1024)
        self.assertEqual([0], list(analyzer.get_cuda_kernel_launch_stats(visualize=False)))
        analyzer.get_frequent_cuda_kernel_sequences(operator_name="aten::linear", output_dir="/tmp/", min_pattern_len=3, rank=0, top_k=5,
                                                    visualize=False)

    def test_identify_stragglers(self):
        steps = self.analyzer.get_profiler_steps()
        for arguments in ({"profiler_steps": steps[:1], "num_candidates": 1, "visualize": True}, {}, {"visualize": True}):
            with contextlib.suppress(ValueError):  # which says that this trace does not tell
                self.assertTrue(set(self.analyzer.get_potential_stragglers(**arguments)) <= {0, 1})


class Alone(unittest.TestCase):
    def setUp(self):
        self.files = CASES["hta_sampled_2rank"]
        self.folder = str(data_folder(self.files))
        self.traces = TraceAnalysis(dict(self.files), self.folder)

    def test_folders_lists_and_dicts_name_the_same_ranks(self):
        expected = self.traces.get_temporal_breakdown()
        for given in (TraceAnalysis(trace_dir=f"{self.folder}/hta/trace_filter"), TraceAnalysis(list(self.files.values()), self.folder),
                      TraceAnalysis({rank: f"{self.folder}/{name}" for rank, name in self.files.items()})):
            self.assertTrue(expected.equals(given.get_temporal_breakdown()))
        with self.assertRaises(TypeError):
            TraceAnalysis("one.json")
        with self.assertRaisesRegex(TraceError, "no_such_folder"):
            TraceAnalysis(trace_dir="/no_such_folder")

    def test_frames_lie_in_the_memory_of_the_table(self):
        table = self.traces.traces.ask("queue_length_series")
        frame = table.to_frame()
        self.assertEqual(frame["length"].to_numpy().ctypes.data, table["length"].ctypes.data)
        frame["length"] += 1  # and may be changed

    def test_streams_are_chosen(self):
        idle, gaps = self.traces.get_idle_time_breakdown(ranks=[1], streams=[7], visualize=False)
        self.assertEqual(({1}, {7}, None), (set(idle["rank"]), set(idle["stream"]), gaps))

    def test_the_critical_path_tiles_its_window(self):
        path, success = self.traces.critical_path_analysis(rank=0, annotation="ProfilerStep", instance_id=0)
        self.assertTrue(success and isinstance(path, CriticalPath))
        ends = path.segments["start_ns"] + path.segments["duration_ns"]
        self.assertTrue((ends.to_numpy()[:-1] == path.segments["start_ns"].to_numpy()[1:]).all())
        self.assertAlmostEqual(100, path.summary().sum())
        self.assertEqual(len(path.segments), len(path.get_critical_path_breakdown()))
        with self.assertRaisesRegex(TraceError, "instances 9 to 9"):
            self.traces.critical_path_analysis(0, "ProfilerStep", 9)

    def test_counters_are_added_to_a_copy_of_the_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "one.json.gz"
            shutil.copy(pathlib.Path(self.folder) / self.files[0], path)
            traces = TraceAnalysis({0: str(path)})
            traces.generate_trace_with_counters(time_series=TimeSeriesTypes.QUEUE_LENGTH)
            before, after = (json.loads(gzip.open(name).read())["traceEvents"] for name in (path, path.with_name("one_with_counters.json.gz")))
            added = after[len(before) :]
            self.assertEqual(before, after[: len(before)])
            series = traces.get_queue_length_time_series()[0]
            self.assertEqual(len(series), len(added))
            self.assertEqual({"C"}, {event["ph"] for event in added})
            launches = {event["ts"] for event in before if str(event.get("name", "")).startswith("cudaLaunchKernel")}
            self.assertTrue({event["ts"] for event in added} & launches)
            self.assertEqual(added[0]["args"], {"Queue Length": 1})
            traces.generate_trace_with_counters(output_suffix="_both")
            both = json.loads(gzip.open(path.with_name("one_both.json.gz")).read())["traceEvents"]
            self.assertGreater(len(both), len(after))

    def test_what_is_not_there_says_why(self):
        for call in (lambda: self.traces.get_aten_op_kernels_and_delay(),
                     lambda: self.traces.get_cupti_counter_data_with_operators(),
                     lambda: self.traces.overlay_critical_path_analysis(0, None, "."),
                     lambda: self.traces.get_potential_stragglers(straggler_identification_impl=max),
                     lambda: self.traces.critical_path_analysis(0, "ProfilerStep", 0, data_load_events=["load"])):
            with self.assertRaisesRegex(NotImplementedError, r"\w+ \w+ \w+"):
                call()
        self.assertEqual({0: 0}, {rank: len(frame) for rank, frame in self.traces.get_mtia_launch_stats().items()})
        self.assertTrue(self.traces.get_frequent_cuda_kernel_sequences("no such operator").empty)


if __name__ == "__main__":
    unittest.main()
