# SPDX-License-Identifier: Apache-2.0
"""Traces with the names of Holistic Trace Analysis 0.6.1: its methods, arguments and columns over Ridge's readers and figures.

    from ridge.trace import TraceAnalysis        # was: from hta.trace_analysis import TraceAnalysis

docs/guide/trace.md says which figures are equal to HTA's, by which test, and which are not. `Traces` gives the same tables without
pandas. Nothing is drawn: `visualize=` is taken and has no effect; `ridge trace html` writes a page.
"""

import enum
import os
import re

from ._trace_counters import write_with_counters
from ._trace_library import NO_ANSWER, TraceError
from ._trace_table import Table, Traces, pandas_for

__all__ = ["CriticalPath", "Table", "TimeSeriesTypes", "TraceAnalysis", "TraceError", "Traces"]

_STATISTICS = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]
_TIMES = {"sum_us": "sum (us)", "max_us": "max (us)", "min_us": "min (us)", "deviation_us": "stddev", "mean_us": "mean (us)"}


class TimeSeriesTypes(enum.Flag):
    """What generate_trace_with_counters() adds."""

    QUEUE_LENGTH = enum.auto()
    MEMCPY_BANDWIDTH = enum.auto()


class CriticalPath:
    """The longest chain of dependent work in a window of one rank, as `ridge trace critical-path` finds it. It is no graph of
    networkx, and its classes are Ridge's."""

    def __init__(self, segments, classes):
        self.segments = segments  # start_ns, duration_ns, class, because, name: in order, without gaps
        self.classes = classes  # class, bound_by, duration_ns, share

    def get_critical_path_breakdown(self):
        """Returns a DataFrame with a row for each segment: event, s_name, duration (us), type and bound_by."""
        bounds = dict(zip(self.classes["class"], self.classes["bound_by"]))
        frame = self.segments.rename(columns={"name": "s_name", "class": "type"})
        frame["duration"] = frame["duration_ns"] / 1000
        frame["bound_by"] = [bounds[kind] for kind in frame["type"]]
        return frame[["s_name", "type", "because", "bound_by", "start_ns", "duration"]]

    def summary(self):
        """Returns a Series: the percentage of the path for each bound, largest first."""
        return (100 * self.classes.groupby("bound_by")["share"].sum()).sort_values(ascending=False)

    def __repr__(self):
        return f"<ridge.trace.CriticalPath of {len(self.segments)} segments>"


def _of_each_rank(frame):
    """Divides a frame whose rows are sorted by rank into frames by rank, without that column."""
    return {int(rank): part.drop(columns="rank").reset_index(drop=True) for rank, part in frame.groupby("rank", sort=False)}


def _summary(table, keys, series):
    """The distribution columns of a table as describe() gives them after groupby(keys); None for an empty table."""
    if table.rows == 0:
        return None
    pandas = pandas_for("TraceAnalysis")
    frame = pandas.DataFrame({(series, name): table[name] for name in _STATISTICS}, index=pandas.MultiIndex.from_arrays(
        [table[key] for key in keys], names=keys))
    return frame.astype("float64")


def _short(name):
    """A kernel's name without its parameters, template arguments and type, as HTA shortens it."""
    name, before = name.replace("->", ""), None
    while name != before:
        before, name = name, re.sub(r"<[^<>()]*>|\([^<>()]*\)", "", name)
    return name.rsplit(" ", 1)[-1]


def _files_in(folder, names):
    """The paths of trace_files, below the folder where they are relative."""
    folder = os.path.expanduser(folder)
    return [name if os.path.isabs(name) or name.startswith(folder) else os.path.join(folder, name) for name in map(os.fspath, names)]


class TraceAnalysis:
    """HTA's analyses of the ranks of one job.

    trace_files: a dict from rank to path, or a list of paths whose traces tell their ranks; paths may be relative to trace_dir.
    None: everything in the folder trace_dir. Any format that Ridge reads will do. A rank that two files claim is an error; a trace
    that tells no rank is rank 0."""

    def __init__(self, trace_files=None, trace_dir="/tmp/trace", include_last_profiler_step=False):
        pandas_for("TraceAnalysis")
        rounds = os.environ.get("HTA_DISABLE_NS_ROUNDING", "0") != "1"
        self.traces = Traces(last_step=bool(include_last_profiler_step), round_to_us=rounds)
        if trace_files is None:
            self.traces.add(os.path.expanduser(trace_dir))
        elif isinstance(trace_files, dict):
            for rank, path in zip(trace_files, _files_in(trace_dir, trace_files.values())):
                self.traces.add(path, int(rank))
        elif isinstance(trace_files, (list, tuple)):
            for path in _files_in(trace_dir, trace_files):
                self.traces.add(path)
        else:
            raise TypeError(f"trace_files is of type {type(trace_files).__name__}, and a dict, a list or None is wanted")

    def _frame(self, table, **arguments):
        return self.traces.ask(table, **arguments).to_frame()

    def _answer(self, table, **arguments):
        """The same; None where the traces hold nothing that would answer."""
        try:
            return self._frame(table, **arguments)
        except TraceError as why:
            if why.status == NO_ANSWER:
                return None
            raise

    def get_temporal_breakdown(self, visualize=True):
        """Returns idle, compute and non-compute time of each rank. A rank without device work has zeros and NaN; HTA fails there."""
        frame = self._frame("temporal_breakdown").drop(columns="overlap_pct")
        frame.columns = ["rank", "idle_time(us)", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)"]
        for name in ("idle_time", "compute_time", "non_compute_time"):
            frame[f"{name}_pctg"] = (100 * (frame[f"{name}(us)"] / frame["kernel_time(us)"])).round(2)
        return frame

    def get_comm_comp_overlap(self, visualize=True):
        """Returns the percentage of each rank's communication during which it computes; NaN without communication."""
        frame = self._frame("temporal_breakdown")[["rank", "overlap_pct"]].round(2)
        return frame.rename(columns={"overlap_pct": "comp_comm_overlap_pctg"})

    def get_gpu_kernel_breakdown(self, visualize=True, duration_ratio=0.8, num_kernels=10, include_memory_kernels=True, image_renderer=""):
        """Returns the times of kernel types, all ranks together, and of kernels by name."""
        folding = {"sums_shown": duration_ratio, "names_shown": num_kernels, "memory_kernels": bool(include_memory_kernels)}
        types = self._frame("kernel_types", **folding).rename(columns={"sum_us": "sum"})
        types["percentage"] = (100 * types["sum"] / types["sum"].sum()).round(1)
        kernels = self._frame("kernels", **folding).rename(columns=_TIMES)
        kernels = kernels.sort_values(["kernel_type", "name", "rank"], ignore_index=True)
        return types, kernels[["name", *_TIMES.values(), "kernel_type", "rank"]]

    def get_gpu_user_annotation_breakdown(self, use_gpu_annotation=True, visualize=True, duration_ratio=0.8, num_kernels=1000,
                                          allowlist_patterns=None, image_renderer=None):
        """Returns the times of annotations by rank and name; None where the traces hold none."""
        frame = self._answer("annotations", of_device=bool(use_gpu_annotation), sums_shown=duration_ratio, names_shown=num_kernels,
                             kept_parts=allowlist_patterns)
        if frame is None:
            return None
        frame = frame.rename(columns=_TIMES).sort_values(["rank", "name"], ignore_index=True)
        return frame[["name", *_TIMES.values(), "rank"]]

    def get_idle_time_breakdown(self, ranks=None, streams=None, visualize=True, visualize_pctg=True, show_idle_interval_stats=False,
                                consecutive_kernel_delay=30):
        """Returns the idle time of streams by category, and with show_idle_interval_stats the distribution of the gaps. The delay
        is compared in microseconds, as HTA does it."""
        pandas = pandas_for("TraceAnalysis")
        table = self._frame("idle_time", ranks=ranks or [0], streams=streams or None, short_gap_us=consecutive_kernel_delay)
        table = table.rename(columns={"cause": "idle_category"})
        idle = table[["rank", "stream", "idle_category", "idle_us", "share"]].round(2)
        idle.columns = ["rank", "stream", "idle_category", "idle_time", "idle_time_ratio"]
        idle.index = pandas.Index(table.groupby("rank").cumcount())
        if not show_idle_interval_stats:
            return idle, None
        gaps = table[["rank", "stream", "idle_category", *_STATISTICS]].astype({"count": "float64"}).round(2)
        return idle, gaps.set_index("idle_category")

    def _launches(self, ranks, **which):
        names = ["correlation", "cpu_duration", "gpu_duration", "launch_delay"]
        found = _of_each_rank(self._frame("launches", ranks=ranks or [0], **which).set_axis(["rank", *names], axis=1))
        empty = pandas_for("TraceAnalysis").DataFrame({name: [] for name in names})
        return {rank: found.get(rank, empty.copy()) for rank in ranks or [0]}

    def get_cuda_kernel_launch_stats(self, ranks=None, runtime_cutoff=50, launch_delay_cutoff=100, include_memory_events=True, visualize=True):
        """Returns by rank the durations of each launch call and its work, and the delay between. The cutoffs only concern plots."""
        return self._launches(ranks, memory_calls=bool(include_memory_events))

    def get_mtia_launch_stats(self, ranks=None):
        """Returns the same for MTIA's launch call alone. HTA 0.6.1 has no such method; its launch statistics count these calls among
        CUDA's. Which of MTIA's events HTA keeps is not imitated."""
        return self._launches(ranks, only_mtia=True)

    def get_queue_length_time_series(self, ranks=None):
        """Returns by rank the lengths of the streams' queues at each change. Of equal times a call comes before a start."""
        frame = self._frame("queue_length_series", ranks=ranks or [0])
        return _of_each_rank(frame.set_axis(["rank", "ts", "pid", "tid", "stream", "queue_length"], axis=1))

    def get_queue_length_summary(self, ranks=None):
        """Returns the distribution of the lengths by rank and stream; None where nothing was queued."""
        return _summary(self.traces.ask("queue_length", ranks=ranks or [0]), ["rank", "stream"], "queue_length")

    def get_queue_length_summary_from_time_series(self, queue_length_dict):
        """Returns the same of series that get_queue_length_time_series() returned."""
        parts = [frame.assign(rank=rank)[["rank", "stream", "queue_length"]] for rank, frame in queue_length_dict.items()]
        return pandas_for("TraceAnalysis").concat(parts).groupby(["rank", "stream"]).describe() if parts else None

    def get_time_spent_blocked_on_full_queue(self, queue_length_dict, max_queue_length=1024):
        """Returns how long the queues of those series held max_queue_length works or more, with a row for each stream. HTA keeps
        only the last stream of each rank."""
        about = self._frame("ranks").set_index("rank")["starts_span_us"]
        rows = []
        for rank, series in queue_length_dict.items():
            for stream, part in series.groupby("stream", sort=True):
                full = (part["ts"].shift(-1) - part["ts"])[part["queue_length"] >= max_queue_length]
                if len(full):
                    rows.append((rank, stream, full.sum(), full.sum() / about[rank]))
        return pandas_for("TraceAnalysis").DataFrame(
            rows, columns=["rank", "stream", "duration_at_max_queue_length", "relative_duration_at_max_queue_length"])

    def get_memory_bw_time_series(self, ranks=None):
        """Returns by rank the rates of copies and fills at each change, in GB/s of single precision. Of equal times an end comes
        before a start."""
        frame = self._frame("copy_bandwidth_series", ranks=ranks or [0])
        return _of_each_rank(frame.set_axis(["rank", "ts", "pid", "name", "memory_bw_gbps"], axis=1))

    def get_memory_bw_summary(self, ranks=None):
        """Returns the distribution of the rates above zero by rank and kind; None without copies."""
        return _summary(self.traces.ask("copy_bandwidth", ranks=ranks or [0]), ["rank", "name"], "memory_bw_gbps")

    def get_profiler_steps(self):
        """Returns the numbers of the profiler's steps."""
        return [int(step) for step in self.traces.ask("profiler_steps")["step"]]

    def get_potential_stragglers(self, profiler_steps=None, num_candidates=2, visualize=False, straggler_identification_impl=None):
        """Returns the ranks that begin the communication kernel last whose length varies most. Raises ValueError, with the reason,
        where the traces do not tell."""
        if straggler_identification_impl is not None:
            raise NotImplementedError("straggler_identification_impl works on HTA's own tables of events, which Ridge does not build; "
                                      "rank the result of get_comm_comp_overlap() or `ridge trace comm` instead")
        try:
            found = self.traces.ask("stragglers", steps=profiler_steps, candidates=num_candidates)
        except TraceError as why:
            if why.status == NO_ANSWER:
                raise ValueError(str(why)) from None
            raise
        return [int(rank) for rank in found["rank"]]

    def get_frequent_cuda_kernel_sequences(self, operator_name, output_dir=None, min_pattern_len=3, rank=0, top_k=5, visualize=False,
                                           compress_other_kernels=True):
        """Returns the sequences of works below operators whose name holds operator_name. No overlaid trace is written to output_dir,
        so that top_k and compress_other_kernels have no effect."""
        frame = self._frame("kernel_sequences", operator=operator_name, shortest=min_pattern_len, ranks=[rank])
        names = ["pattern", "count", "GPU kernel duration (us)", "CPU op duration (us)"]
        frame = frame.drop(columns="rank").set_axis(names, axis=1)
        return frame if len(frame) else pandas_for("TraceAnalysis").DataFrame()

    def critical_path_analysis(self, rank, annotation, instance_id=None, data_load_events=None):
        """Returns (CriticalPath, True) for the window of one instance of an annotation, counted from 0, or of a range (first, last)
        of them. The path is Ridge's, not HTA's: it needs no synchronization records, and its figures differ."""
        if data_load_events is not None:
            raise NotImplementedError("Ridge knows data loaders by their frames and ranges; data_load_events cannot name others")
        first, last = instance_id if isinstance(instance_id, (tuple, list)) else (instance_id or 0, instance_id or 0)
        asked = {"ranks": [rank], "annotation": annotation, "first": first, "last": last}
        return CriticalPath(self._frame("critical_path", **asked), self._frame("critical_path_classes", **asked)), True

    def generate_trace_with_counters(self, time_series=None, ranks=None, output_suffix="_with_counters"):
        """Writes beside each rank's file one with counters of queue lengths and copy rates added. The traces must be files of Chrome
        JSON, plain or gzip; the new file is compressed as the old one is."""
        if time_series is None:
            time_series = TimeSeriesTypes.QUEUE_LENGTH | TimeSeriesTypes.MEMCPY_BANDWIDTH
        about = self._frame("ranks").set_index("rank")
        zero = about["first_start_us"].min()
        queues = self.get_queue_length_time_series(ranks) if TimeSeriesTypes.QUEUE_LENGTH in time_series else {}
        copies = self.get_memory_bw_time_series(ranks) if TimeSeriesTypes.MEMCPY_BANDWIDTH in time_series else {}
        for rank in ranks or [0]:
            write_with_counters(about["path"][rank], output_suffix or "_with_counters", zero, queues.get(rank), copies.get(rank))

    def get_gpu_kernels_with_user_annotations(self, rank, expand_names=True, shorten_names=True):
        """Returns the device work of a rank with the annotation that it ran in; None where the trace has none of the device. Of
        HTA's columns there are ts, dur, stream, correlation, user_annotation (a number for each name, -1 for none) and, with
        expand_names, s_name, s_cat and s_user_annotation: "" for none, where HTA 0.6.1 shows an unrelated name."""
        frame = self._answer("annotated_works", ranks=[rank])
        if frame is None:
            return None
        frame = frame.drop(columns="rank").rename(columns={"start_us": "ts", "duration_us": "dur"})
        names = [name for name in dict.fromkeys(frame["annotation"]) if name]
        frame["user_annotation"] = frame["annotation"].map({**{name: i for i, name in enumerate(names)}, "": -1})
        if expand_names:
            frame["s_cat"], frame["s_user_annotation"] = frame["category"], frame["annotation"]
            frame["s_name"] = [_short(name) if shorten_names and category == "kernel" else name
                               for name, category in zip(frame["name"], frame["category"])]
        return frame.drop(columns=["name", "category", "annotation"])

    def get_aten_op_kernels_and_delay(self, ranks=None, sort_by=None):
        raise NotImplementedError("Ridge has no table of operators' launch delays; `ridge trace ops` and "
                                  "get_frequent_cuda_kernel_sequences() join operators and kernels")

    def get_cupti_counter_data_with_operators(self, ranks=None):
        raise NotImplementedError("counters are joined to kernels, not to stacks of operators: `ridge trace counters` shows them")

    def overlay_critical_path_analysis(self, rank, critical_path_graph, output_dir, only_show_critical_events=True, show_all_edges=False):
        raise NotImplementedError("`ridge trace perfetto FILE` writes a trace with the critical path as a track of its own")
