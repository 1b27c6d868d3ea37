#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what `ridge diagnose` says of labelled traces against their labels.

usage: judge.py RIDGE LABELS.json [DATA]
  RIDGE   the program, as it is shipped
  LABELS  labels.json, second_labels.json or third_labels.json; of the former what labels_test.cpp judges with figures of its own (tables of counters) is left out
  DATA    the folder that holds traces/ (default: RIDGE_DATA, else ../shared/data beside the repository)
A line for each trace: the verdict, the label, then what a reader meets: alarming doubts (T), then findings, an alarm with `!`, each with
its share of the window. Verdicts: `first` and `second`: an accepted rule stands there; `later`; `missing`: none is named; for traces without an
accepted rule `silent`, or `false alarm` where a finding alarms that the label excludes (`*`: any; a doubt may). A trace that ridge refuses to diagnose counts as one of which
it finds nothing, and its complaint is printed. FORBIDDEN: an alarm that the label excludes.
exit: 0 judged; 64 bad usage; 69 a trace or the program is missing
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PLACES = ("first", "second")


def met(program, trace, options):
    """The verdict, what is read (alarming doubts, then findings), and the findings alone."""
    asked = subprocess.run([program, "diagnose", "--json", "--no-cache", str(trace), *options], capture_output=True, text=True)
    if asked.returncode:
        return f"exit {asked.returncode}: {asked.stderr.strip()}", [], []
    page = json.loads(asked.stdout)
    return page["verdict"], [f for f in page["doubts"] if f["alarm"]] + page["findings"], page["findings"]


def verdict_of(label, read, findings):
    if not label["accepts"]:
        return "false alarm" if any(f["alarm"] and ("*" in label["must_not"] or f["rule"] in label["must_not"]) for f in findings) else "silent"
    for place, f in enumerate(read):
        if f["rule"] in label["accepts"] and label.get("says", "") in f["text"]:
            return PLACES[place] if place < len(PLACES) else "later"
    return "missing"


def forbidden_in(label, read):
    return [f["rule"] for f in read if f["alarm"] and f["rule"] in label["must_not"]]


def judge(program, label, traces):
    """(verdict, forbidden alarms), printed too."""
    options = ["--rank", str(label["rank"])] if "rank" in label else []
    said, read, findings = met(program, traces / label["file"], options)
    verdict, forbidden = verdict_of(label, read, findings), forbidden_in(label, read)
    rules = " ".join(f"{f['rule']}{'!' if f['alarm'] else ''}({f['share']:.1%})" for f in read) or "-"
    print(f"{verdict:12} {' '.join([label['file'], *options])}\n             label {' or '.join(label['accepts']) or 'nothing'}; ridge ({said}): {rules}"
          + "".join(f" FORBIDDEN {rule}" for rule in forbidden))
    return verdict, forbidden


def main(arguments):
    if len(arguments) not in (2, 3) or any(a.startswith("-") for a in arguments):
        print(__doc__, file=sys.stderr)
        return 64
    traces = pathlib.Path(arguments[2] if len(arguments) > 2 else os.environ.get("RIDGE_DATA", ROOT.parent / "shared" / "data")) / "traces"
    page = json.loads(pathlib.Path(arguments[1]).read_text())
    labels = [row for group in ("labelled", "others") for row in page.get(group, []) if "device" not in row]
    counts, forbidden = collections.Counter(), 0
    for path in [pathlib.Path(arguments[0]), *(traces / row["file"] for row in labels)]:
        if not path.exists():
            print(f"judge.py: {path} is not there", file=sys.stderr)
            return 69
    for label in labels:
        verdict, excluded = judge(arguments[0], label, traces)
        counts[verdict] += 1
        forbidden += len(excluded)
    faults = sum(1 for row in labels if row["accepts"])
    named = counts["first"] + counts["second"]
    print(f"\n{len(labels)} traces, {faults} with an accepted rule: {counts['first']} first, {counts['second']} second ({named / max(faults, 1):.0%} in the first two), "
          f"{counts['later']} later, {counts['missing']} missing;\n{len(labels) - faults} without: {counts['silent']} silent, {counts['false alarm']} with a false alarm; "
          f"{forbidden} forbidden alarms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
