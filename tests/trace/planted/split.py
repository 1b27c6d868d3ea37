#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses which programs of labels.json are held out, from the hashes of their ids alone.

usage: split.py [--write]
  Within each cause, programs in the order of SHA-256 of their id: the first half is held out, the second is for tuning. What is
  left over of causes with an odd number is put together, and halved in the same way. Programs of round 2 and of round 3 are
  lists of their own: nothing is tuned on them.
  --write   writes split.json beside this script; without it the lists are printed
"""
import hashlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def by_hash(ids):
    return sorted(ids, key=lambda name: hashlib.sha256(name.encode()).hexdigest())


def split(programs):
    """{"held_out": [...], "tuning": [...], "second_round": [...], "third_round": [...]} of rows with id, cause and, where it is not 1, round."""
    later = {name: sorted(row["id"] for row in programs if row.get("round", 1) == k) for k, name in ((2, "second_round"), (3, "third_round"))}
    programs = [row for row in programs if row.get("round", 1) == 1]
    held_out, tuning, left_over = [], [], []
    for cause in sorted({row["cause"] for row in programs}):
        ids = by_hash(row["id"] for row in programs if row["cause"] == cause)
        half = len(ids) // 2
        held_out += ids[:half]
        tuning += ids[half:2 * half]
        left_over += ids[2 * half:]
    ordered = by_hash(left_over)
    half = (len(ordered) + 1) // 2
    return {"held_out": sorted(held_out + ordered[:half]), "tuning": sorted(tuning + ordered[half:]), **later}


def main(arguments):
    if set(arguments) - {"--write"}:
        print(__doc__, file=sys.stderr)
        return 64
    lists = split(json.loads((HERE / "labels.json").read_text())["programs"])
    if "--write" in arguments:
        (HERE / "split.json").write_text(json.dumps(lists, indent=1) + "\n")
    for name, ids in lists.items():
        print(f"{name} ({len(ids)}): {', '.join(ids)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
