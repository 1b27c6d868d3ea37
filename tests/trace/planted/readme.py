#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of programs in README.md from labels.json and split.json.

usage: readme.py [--check]      exit: 0 written, or as it should be; 1 --check: README.md differs; 64 bad usage
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- programs: written by readme.py -->\n", "<!-- end of programs -->\n"


def table():
    labels = json.loads((HERE / "labels.json").read_text())["programs"]
    lists = json.loads((HERE / "split.json").read_text())
    held_out = {**dict.fromkeys(lists["held_out"], "yes"), **dict.fromkeys(lists["second_round"], "round 2"), **dict.fromkeys(lists["third_round"], "round 3")}
    dropped = json.loads((HERE / "dropped.json").read_text())
    lines = ["| id | family | cause | phase | held out | what is wrong |", "|---|---|---|---|---|---|"]
    for row in labels:
        family = row["family"] if row["kind"] in row["family"] else f"{row['family']}, {row['kind']}"
        why = f" Dropped: {dropped[row['id']]}" if row["id"] in dropped else ""
        lines.append(f"| {row['id']} | {family} | {row['cause']} | {row['phase']} | {held_out.get(row['id'], '')} | {row['wrong']}{why} |")
    return "\n".join(lines) + "\n"


def main(arguments):
    if set(arguments) - {"--check"}:
        print(__doc__, file=sys.stderr)
        return 64
    text = (HERE / "README.md").read_text()
    head, rest = text.split(BEGIN)
    wanted = head + BEGIN + table() + END + rest.split(END)[1]
    if "--check" in arguments:
        if wanted != text:
            print("README.md differs from labels.json and split.json: run readme.py")
        return int(wanted != text)
    (HERE / "README.md").write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
