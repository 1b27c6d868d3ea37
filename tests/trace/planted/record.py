#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the programs of this folder without a profiler, each faulty twin against its mended one, and records a trace of each.

usage: record.py FOLDER [--programs ID,...] [--round 1|2|3] [--device cuda|cpu] [--tiny] [--jobs N] [--seconds N] [--seconds-each N] [--steps N] [--again]
  FOLDER          gets times.json, ID.faulty.json.gz, ID.mended.json.gz, ID.json (what is known of one program) and ID.log
  --programs      these alone
  --round         those of this round alone (all)
  --device        cuda; with cpu and --tiny every program is only tried
  --tiny          small sizes, on either device: what is recorded is no data, and is recorded anew without --tiny
  --jobs          so many programs at a time (1, with --tiny 6): their times are no data either
  --seconds       start no further program after so many seconds in all (480), and end what still runs 30 s later
  --seconds-each  end a program that takes longer, from both twins built to both traces recorded (20); building may take 60
  --steps         steps in a trace (3)
  --again         record what FOLDER holds already once more; without it, an interrupted recording goes on
  RIDGE_DATE      the date that times.json shall name (environment)
Both twins run in processes of their own, one at a time: faulty, mended, faulty, mended, each for 15 steps, at least 0.25 s and at
most 1 s. Programs without a fault have one twin, the mended one. Traces of more than 200 KB, 11 MB together and faults that cost
less than 10 % are marked with an exclamation mark. Needs PyTorch with CUDA.
exit:  0 all recorded; 1 some failed or were not reached (named); 64 bad usage; 69 PyTorch or the GPU is missing
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import signal
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD_SECONDS, STEPS_A_BLOCK, SECONDS_A_BLOCK = 60, 15, 1.0
TRYING_SECONDS = 100  # instead of BUILD_SECONDS, where several programs are compiled at a time
SECONDS_TO_END = 30  # after --seconds
LARGE_BYTES, ALL_BYTES, LEAST_RATIO = 200_000, 11_000_000, 1.1


class Failed(Exception):
    pass


class Worker:
    """worker.py in a process of its own; it imports PyTorch at once and waits for orders."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, str(HERE / "worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, start_new_session=True, errors="replace")
        self.answers, self.log = queue.Queue(), []
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.answers.put(line)
        self.answers.put("")

    def order(self, **order):
        try:
            print(json.dumps(order), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            raise Failed("its process ended") from None

    def answer(self, deadline):
        try:
            line = self.answers.get(timeout=max(0.01, deadline - time.monotonic()))
        except queue.Empty:
            raise Failed("took longer than its limit") from None
        if not line:
            raise Failed("its process ended")
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def ask(self, deadline, **order):
        self.order(**order)
        return self.answer(deadline)

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # its own session: itself and its loaders
        except ProcessLookupError:
            pass
        self.process.wait()


def spread(milliseconds):
    quarter = statistics.quantiles(milliseconds, n=4) if len(milliseconds) > 1 else [milliseconds[0]] * 3
    return {"median_ms": round(quarter[1], 4), "quartiles_ms": [round(quarter[0], 4), round(quarter[2], 4)], "steps": len(milliseconds)}


def time_twins(workers, deadline, steps=STEPS_A_BLOCK, seconds=SECONDS_A_BLOCK):
    """Two blocks of each twin, in turn."""
    blocks = {twin: [] for twin in workers}
    for _ in range(2):
        for twin, worker in workers.items():
            blocks[twin].append(worker.ask(deadline, do="time", steps=steps, seconds=seconds))
    rows = {}
    for twin, pair in blocks.items():
        rows[twin] = spread([t for block in pair for t in block["milliseconds"]])
        rows[twin]["medians_of_blocks_ms"] = [round(statistics.median(block["milliseconds"]), 4) for block in pair]
        rows[twin]["peak_memory_bytes"] = pair[-1]["peak_memory_bytes"]
    return rows


def record(label, workers, options):
    """What is known of one program once both twins were timed and profiled; the workers have yet to compress their traces."""
    deadline = min(options.ends, time.monotonic() + (TRYING_SECONDS if options.tiny else BUILD_SECONDS))
    for twin, worker in workers.items():
        worker.order(do="build", program=label["id"], twin=twin, device=options.device, tiny=options.tiny)
    built = {twin: worker.answer(deadline) for twin, worker in workers.items()}
    deadline = min(options.ends, time.monotonic() + options.seconds_each)
    about = next(iter(workers.values())).ask(deadline, do="describe")
    twins = time_twins(workers, deadline, 3, 0.1) if options.tiny else time_twins(workers, deadline)
    for twin, worker in workers.items():
        worker.ask(deadline, do="profile", steps=options.steps)
        twins[twin]["samples"] = built[twin]["samples"]
    return {"id": label["id"], "cause": label["cause"], **about, **({"tiny": True} if options.tiny else {}), "twins": twins}


def finish(row, workers, options):
    """Compressed traces and the row's file; while this waits, the next program runs."""
    deadline = time.monotonic() + BUILD_SECONDS
    files = {twin: f"{row['id']}.{twin}.json.gz" for twin in workers}
    for twin, worker in workers.items():
        worker.order(do="compress", path=str(options.folder / (files[twin] + ".tmp")))
    for twin, worker in workers.items():
        row["twins"][twin]["trace"] = {"file": files[twin], **worker.answer(deadline)}
    for file in files.values():
        (options.folder / (file + ".tmp")).rename(options.folder / file)
    if "faulty" in workers:
        each = {twin: values["median_ms"] / values["samples"] for twin, values in row["twins"].items()}
        row["faulty_over_mended"] = round(each["faulty"] / each["mended"], 4)
    (options.folder / f"{row['id']}.json").write_text(json.dumps(row, indent=1) + "\n")


def twins_of(label):
    return ["mended"] if label["cause"] == "none" else ["faulty", "mended"]


def warnings_of(row):
    if row["device"] != "CPU" and not row.get("tiny") and row.get("faulty_over_mended", LEAST_RATIO) < LEAST_RATIO:
        yield f"the fault costs less than {LEAST_RATIO - 1:.0%}"
    for twin, values in row["twins"].items():
        if values["trace"]["bytes"] > LARGE_BYTES:
            yield f"{twin}: {values['trace']['bytes'] / 1e3:.0f} KB"
        if not values["trace"]["kernels"] and row["device"] != "CPU":
            yield f"{twin}: no kernels in the trace"


def line_of(row):
    twins = row["twins"]
    columns = [f"{row['id']:20} {row['cause']:22}"]
    for twin in ("faulty", "mended"):
        columns.append(f"{twins[twin]['median_ms']:9.3f} ms {twins[twin]['trace']['bytes'] / 1e3:5.0f} KB" if twin in twins else " " * 21)
    columns.append(f"{row.get('faulty_over_mended', 1):7.2f} x")
    return "  ".join(columns + [f"! {w}" for w in warnings_of(row)])


def conclude(options, labels, problems):
    rows = [json.loads(path.read_text()) for path in (options.folder / f"{row['id']}.json" for row in labels) if path.exists()]
    document = {"schema": "ridge.planted.times/1", "date": os.environ.get("RIDGE_DATE"), "programs": rows, "problems": problems}
    (options.folder / "times.json").write_text(json.dumps(document, indent=1) + "\n")
    size = sum(values["trace"]["bytes"] for row in rows for values in row["twins"].values())
    warning = f" ! more than {ALL_BYTES / 1e6:.0f} MB" if size > ALL_BYTES else ""
    print(f"{len(rows)} of {len(labels)} programs recorded, {size / 1e6:.2f} MB of traces{warning}")
    for name, problem in problems.items():
        print(f"FAILED {name}: {problem}")


def parsed(arguments, known):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: (print(f"record.py: {message}", file=sys.stderr), sys.exit(64))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", default=",".join(known))
    parser.add_argument("--round", type=int, choices=[1, 2, 3])
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--seconds-each", type=float, default=20)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(arguments)
    options.programs = options.programs.split(",")
    options.jobs = options.jobs or (6 if options.tiny else 1)
    for name in options.programs:
        if name not in known:
            parser.error(f"--programs: labels.json has no program {name}")
    return options


def missing_device(options):
    """Why nothing can run, if so; asked of a process of its own."""
    question = "import torch, sys; sys.exit(0 if sys.argv[1] == 'cpu' or torch.cuda.is_available() else 'PyTorch finds no GPU')"
    asked = subprocess.run([sys.executable, "-c", question, options.device], capture_output=True, text=True)
    return asked.stderr.strip().splitlines()[-1] if asked.returncode else None


class Recording:
    """All programs in order. While one runs, the processes of the next import PyTorch and those of the last compress."""

    def __init__(self, options):
        self.options, self.started, self.problems = options, time.monotonic(), {}
        options.ends = self.started + options.seconds + SECONDS_TO_END

    def elapsed(self):
        return time.monotonic() - self.started

    def end(self, label, workers, problem=None):
        for worker in workers.values():
            worker.end()
        folder = self.options.folder
        for partial in folder.glob(f"{label['id']}.*.tmp"):
            partial.unlink()
        (folder / f"{label['id']}.log").write_text("".join(f"[{twin}] {line}" for twin, worker in workers.items() for line in worker.log))
        if problem is not None:
            self.problems[label["id"]] = str(problem)
            print(f"{self.elapsed():5.0f} s  {label['id']:20} FAILED: {problem}", flush=True)
            if self.options.tiny:
                print("".join(f"    [{twin}] {line}" for twin, worker in workers.items() for line in worker.log[-12:]), end="", flush=True)

    def finish(self, label, row, workers):
        try:
            finish(row, workers, self.options)
        except Exception as problem:  # the other programs go on
            self.end(label, workers, problem)
            return
        self.end(label, workers)
        print(f"{self.elapsed():5.0f} s  {line_of(row)}", flush=True)

    def one(self, label, workers):
        """Runs one program; the thread that finishes it, or None."""
        try:
            row = record(label, workers, self.options)
        except Exception as problem:  # the other programs go on
            self.end(label, workers, problem)
            return None
        finishing = threading.Thread(target=self.finish, args=(label, row, workers))
        finishing.start()
        return finishing

    def too_late(self, label):
        if self.elapsed() <= self.options.seconds:
            return False
        self.problems[label["id"]] = f"not begun: {self.options.seconds:.0f} s are over (--seconds)"
        return True

    def apart(self, label):
        """Runs one program beside others."""
        if self.too_late(label):
            return
        finishing = self.one(label, {twin: Worker() for twin in twins_of(label)})
        if finishing is not None:
            finishing.join()

    def together(self, pending):
        """Several at a time, from the end of the list, where those are that take long to compile."""
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(self.apart, pending[::-1]))
        return self.problems

    def all(self, pending):
        finishing, workers = [], None
        for k, label in enumerate(pending):
            if self.too_late(label):
                continue
            workers = workers or {twin: Worker() for twin in twins_of(label)}
            following = {twin: Worker() for twin in twins_of(pending[k + 1])} if k + 1 < len(pending) else {}
            finishing.append(self.one(label, workers))
            workers = following
        for worker in (workers or {}).values():
            worker.end()
        for thread in finishing:
            if thread is not None:
                thread.join()
        return self.problems


def is_recorded(name, options):
    """What was recorded with small sizes counts only for others of the kind."""
    path = options.folder / f"{name}.json"
    return path.exists() and (options.tiny or not json.loads(path.read_text()).get("tiny"))


def main(arguments):
    labels = json.loads((HERE / "labels.json").read_text())["programs"]
    options = parsed(arguments, [row["id"] for row in labels])
    problem = missing_device(options)
    if problem:
        print(f"record.py: {problem}", file=sys.stderr)
        return 69
    options.folder.mkdir(parents=True, exist_ok=True)
    options.folder = options.folder.resolve()
    chosen = [row for row in labels if row["id"] in options.programs and options.round in (None, row.get("round", 1))]
    pending = [row for row in chosen if options.again or not is_recorded(row["id"], options)]
    recording = Recording(options)
    problems = recording.together(pending) if options.jobs > 1 else recording.all(pending)
    conclude(options, chosen, problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
