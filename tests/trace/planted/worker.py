# SPDX-License-Identifier: Apache-2.0
"""Runs one program in a process of its own, as record.py tells it: a line of JSON in, a line of JSON out.

Nothing here says which program, or which twin, in a name that lands in a trace.
"""
import gzip
import inspect
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time
import traceback

import torch

from programs import load_programs, load_remedies
from programs.common import Setting

WARM_UP, SKIPPED = 3, 2  # steps before times are taken; steps with the profiler on before it records
AHEAD = 8  # steps that the host may be ahead of the device while they are timed


class Session:
    def __init__(self):
        self.setting = self.step = self.plain = None
        self.count = 0

    def run(self, steps):
        for _ in range(steps):
            self.step(self.count)
            self.count += 1

    def build(self, program, twin, device, tiny):
        torch.manual_seed(0)
        self.setting = Setting(device, tiny)
        remedied = twin == "remedied"
        self.step = load_remedies()[program](self.setting) if remedied else load_programs()[program](self.setting, twin == "faulty")
        self.run(WARM_UP)
        self.setting.synchronize()
        return {"samples": getattr(self.step, "samples", 1)}

    def time(self, steps, seconds):
        """Milliseconds of each step: between the ends of neighbours on the device, for the host may run ahead."""
        cuda = self.setting.cuda
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        self.run(WARM_UP)
        self.setting.synchronize()
        marks, started = [self.mark()], time.perf_counter()
        while len(marks) <= steps or time.perf_counter() - started < seconds / 4:
            self.run(1)
            marks.append(self.mark())
            if cuda and len(marks) > AHEAD:
                marks[-AHEAD].synchronize()
            if time.perf_counter() - started > seconds:
                break
        self.setting.synchronize()
        pairs = zip(marks, marks[1:])
        took = [a.elapsed_time(b) if cuda else (b - a) * 1e3 for a, b in pairs]
        return {"milliseconds": took, "peak_memory_bytes": torch.cuda.max_memory_allocated() if cuda else None}

    def mark(self):
        if not self.setting.cuda:
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def profile(self, steps):
        """Traces so many steady steps."""
        self.plain = plain = pathlib.Path(tempfile.mkdtemp()) / "trace.json"  # the trace holds this name, so it tells nothing
        activities = [torch.profiler.ProfilerActivity.CPU] + [torch.profiler.ProfilerActivity.CUDA] * self.setting.cuda
        options = {"acc_events": True} if "acc_events" in inspect.signature(torch.profiler.profile).parameters else {}
        schedule = torch.profiler.schedule(wait=0, warmup=SKIPPED, active=steps, repeat=1)
        self.run(WARM_UP)
        with torch.profiler.profile(activities=activities, schedule=schedule, record_shapes=True, with_stack=True,
                                    on_trace_ready=lambda done: done.export_chrome_trace(str(plain)), **options) as profiler:
            for _ in range(SKIPPED + steps):
                self.run(1)
                profiler.step()
        return {}

    def compress(self, path):
        """Puts the trace there; how large it is, and the host's time of a step under the profiler."""
        text = self.plain.read_bytes()
        with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed:
            compressed.write(text)
        shutil.rmtree(self.plain.parent)
        events = json.loads(text)
        events = events["traceEvents"] if isinstance(events, dict) else events
        spans = [e["dur"] / 1e3 for e in events if e.get("cat") == "user_annotation" and e.get("name", "").startswith("ProfilerStep#")]
        return {"bytes": os.path.getsize(path), "bytes_uncompressed": len(text), "events": len(events),
                "kernels": sum(e.get("cat") == "kernel" for e in events), "profiled_steps": len(spans),
                "profiled_step_ms": statistics.median(spans) if spans else None}

    def describe(self):
        cuda = self.setting.cuda
        return {"torch": torch.__version__, "cuda": torch.version.cuda, "device": torch.cuda.get_device_name() if cuda else "CPU",
                "memory_bytes": torch.cuda.get_device_properties(0).total_memory if cuda else None}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what programs print is no answer
    session = Session()
    for line in sys.stdin:
        order = json.loads(line)
        try:
            answer = getattr(session, order.pop("do"))(**order)
        except Exception as problem:  # said to record.py, which goes on with the other programs
            answer = {"error": f"{type(problem).__name__}: {str(problem).strip()}".splitlines()[0]}
            traceback.print_exc()
        print(json.dumps(answer), file=answers, flush=True)
    os._exit(0)  # threads and loaders of the program may still run


if __name__ == "__main__":
    main()
