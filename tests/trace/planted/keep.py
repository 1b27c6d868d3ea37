#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what record.py wrote into the repository: times.json and the traces, compressed anew by zstd. Programs that FOLDER has and
RECORDED has not stay as they are.

usage: keep.py RECORDED FOLDER [--round N]      exit: 0 kept; 64 bad usage; 69 there is no program zstd
  --round   the round of labels.json that was recorded (1)
Programs are dropped by times, sizes and failures alone, before any trace is diagnosed, and dropped.json then says why: those that
  - were not recorded, because they failed, took too long or were not begun,
  - have a trace without a kernel,
  - have a fault that costs less than 10 %,
  - have a trace of more than 400 KB,
  - are the largest, for as long as all traces together exceed 12 MB, or 18 MB with those of round 3.
What dropped.json names already stays dropped, unless it was not recorded then and is now.
"""
import argparse
import gzip
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEAST_RATIO, LARGE_BYTES, ALL_BYTES, THIRD_BYTES = 1.1, 400_000, 11_900_000, 6_000_000
ABSENT = "It was not recorded: "


def compress(row, recorded, folder):
    for values in row["twins"].values():
        trace = values["trace"]
        text = gzip.decompress((recorded / trace["file"]).read_bytes())
        file = folder / trace["file"].replace(".json.gz", ".json.zst")
        file.write_bytes(subprocess.run(["zstd", "-q", "-19", "--long=24", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout)
        trace.update(file=file.name, bytes=file.stat().st_size)


def bytes_of(row):
    return sum(values["trace"]["bytes"] for values in row["twins"].values())


def reason_to_drop(row):
    largest = max(values["trace"]["bytes"] for values in row["twins"].values())
    if not all(values["trace"]["kernels"] for values in row["twins"].values()):
        return "A trace of it has no kernels."
    if (ratio := row.get("faulty_over_mended", LEAST_RATIO)) < LEAST_RATIO:
        return f"The step takes {ratio:.2f} times as long with the fault, less than the {LEAST_RATIO} that a label needs."
    if largest > LARGE_BYTES:
        return f"A trace of it has {largest / 1e6:.1f} MB."
    return None


def missing(labels, recorded, problems):
    """Why programs of these labels are not among those recorded."""
    return {row["id"]: f"{ABSENT}{problems.get(row['id'], 'no times of it')}." for row in labels if row["id"] not in recorded}


def kept_of(rows, others, dropped, limit=ALL_BYTES):
    """The rows that stay beside the others; those that do not are added to dropped."""
    rows = [row for row in rows if row["id"] not in dropped]
    dropped.update({row["id"]: reason for row in rows if (reason := reason_to_drop(row))})
    rows = [row for row in rows if row["id"] not in dropped]
    while rows and sum(map(bytes_of, rows + others)) > limit:
        largest = max(rows, key=bytes_of)
        dropped[largest["id"]] = f"Its traces have {bytes_of(largest) / 1e6:.2f} MB, and all together would exceed {limit / 1e6:.0f} MB."
        rows.remove(largest)
    return rows


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: (print(f"keep.py: {message}", file=sys.stderr), sys.exit(64))
    parser.add_argument("recorded", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--round", type=int, default=1)
    options = parser.parse_args(arguments)
    if not (options.recorded / "times.json").exists():
        parser.error(f"{options.recorded} has no times.json: record.py {options.recorded} writes it")
    return options


def main(arguments):
    options = parsed(arguments)
    if shutil.which("zstd") is None:
        print("keep.py: there is no program zstd: install the package zstd", file=sys.stderr)
        return 69
    folder, index = options.folder, options.folder / "times.json"
    folder.mkdir(parents=True, exist_ok=True)
    times = json.loads((options.recorded / "times.json").read_text())
    labels = [row for row in json.loads((HERE / "labels.json").read_text())["programs"] if row.get("round", 1) == options.round]
    dropped = json.loads((HERE / "dropped.json").read_text())
    problems, ids = times.pop("problems", {}), {row["id"] for row in times["programs"]}
    before = json.loads(index.read_text()) if index.exists() else {**times, "programs": []}
    dropped = {name: reason for name, reason in dropped.items() if name not in ids or not reason.startswith(ABSENT)}
    absent = missing(labels, ids | {row["id"] for row in before["programs"]}, problems)
    dropped.update({name: reason for name, reason in absent.items() if name not in dropped})
    others = [row for row in before["programs"] if row["id"] not in ids]
    for row in times["programs"]:
        row["date"] = times["date"]
        compress(row, options.recorded, folder)
    limit = ALL_BYTES + (THIRD_BYTES if options.round == 3 else 0)
    rows = kept_of(times["programs"], others, dropped, limit)
    for name in ids - {row["id"] for row in rows}:
        for file in folder.glob(f"{name}.*.json.zst"):
            file.unlink()
    index.write_text(json.dumps({**before, "programs": others + rows}, indent=1) + "\n")
    (HERE / "dropped.json").write_text(json.dumps(dropped, indent=1, ensure_ascii=False) + "\n")
    total = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{len(rows)} programs kept beside {len(others)}, {total / 1e6:.2f} MB; dropped.json names {len(dropped)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
