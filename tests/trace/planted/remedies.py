#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries alarms about mended twins: follows what is advised, and times the program before and after, in turn and without a profiler.

usage: remedies.py FILE [--programs ID,...] [--device cuda|cpu] [--tiny] [--seconds N]
  FILE        gets what is measured; programs that it holds already are kept
  --programs  these alone of programs/remedies.py (all)
  --device    cuda; with cpu and --tiny every remedy is only tried
  --seconds   end a program that takes longer, building apart (20)
An alarm is true where following it saves at least half of what it promises; judge.py counts those apart.
exit: 0 all measured; 1 some failed (named); 64 bad usage; 69 PyTorch or the GPU is missing
"""
import argparse
import json
import pathlib
import sys
import time

import record

TWINS = ("mended", "remedied")


def measured(program, options):
    workers = {twin: record.Worker() for twin in TWINS}
    try:
        built_by = time.monotonic() + record.BUILD_SECONDS
        for twin, worker in workers.items():
            worker.order(do="build", program=program, twin=twin, device=options.device, tiny=options.tiny)
        samples = {twin: worker.answer(built_by)["samples"] for twin, worker in workers.items()}
        deadline = time.monotonic() + options.seconds
        device = workers["mended"].ask(deadline, do="describe")["device"]
        twins = record.time_twins(workers, deadline)
    finally:
        for worker in workers.values():
            worker.end()
    for twin in TWINS:
        twins[twin]["samples"] = samples[twin]
    sample_ms = {twin: row["median_ms"] / row["samples"] for twin, row in twins.items()}
    return {"id": program, "device": device, "twins": twins, "saving": round(1 - sample_ms["remedied"] / sample_ms["mended"], 4)}


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: (print(f"remedies.py: {message}", file=sys.stderr), sys.exit(64))
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--programs")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--seconds", type=float, default=20)
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    problem = record.missing_device(options)
    if problem:
        print(f"remedies.py: {problem}", file=sys.stderr)
        return 69
    from programs import load_remedies  # imports PyTorch

    known = list(load_remedies())
    rows = {row["id"]: row for row in json.loads(options.file.read_text())["programs"]} if options.file.exists() else {}
    failed = 0
    for program in options.programs.split(",") if options.programs else known:
        if program not in known:
            print(f"remedies.py: --programs: programs/remedies.py has no {program}", file=sys.stderr)
            return 64
        try:
            rows[program] = measured(program, options)
        except record.Failed as problem:  # the others go on
            print(f"FAILED {program}: {problem}", flush=True)
            failed += 1
            continue
        twins = rows[program]["twins"]
        print(f"{program:20} {twins['mended']['median_ms']:9.3f} ms {twins['remedied']['median_ms']:9.3f} ms  saves {rows[program]['saving']:4.0%}", flush=True)
        options.file.write_text(json.dumps({"schema": "ridge.planted.remedies/1", "programs": list(rows.values())}, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
