#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what `ridge diagnose` says of the recorded programs against the fault that each one has.

usage: judge.py RIDGE DATA [--half tuning|held_out|second_round|third_round] [--labels FOLDER] [--check] [--summary]
  RIDGE     the program, as it is shipped
  DATA      the folder with times.json and the traces: ID.faulty.json and ID.mended.json, compressed by gzip or zstd
  --half    the list of split.json that is judged (tuning); rules are tuned on that half alone, and the others are judged once
  --labels  the folder with labels.json and split.json (default: this one)
  --check   fail where a floor is missed: cause first 80 %, in the first two 95 %, mended twins with an alarm first 5 %,
            median error of the promised saving 30 %
  --summary prints the figures without the programs: sets that nothing is tuned on are judged so
The saving that mending gives is that of a sample's time, without a profiler; what a finding promises is its share of the window.
An alarm about a mended twin counts as false, unless remedies.json in DATA (of remedies.py) shows that following it saved at least
half of what it promised: mended twins were mended of one fault and may have others. Where a finding of the cause names a phase and
labels.json puts the fault into one, it is counted whether they agree.
exit: 0 judged; 1 a floor is missed (--check); 64 bad usage; 69 a trace or the program is missing
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FLOORS = {"first": 0.80, "first two": 0.95, "alarms": 0.05, "error": 0.30}


def diagnosis(program, trace):
    asked = subprocess.run([program, "diagnose", "--json", "--no-cache", str(trace)], capture_output=True, text=True)
    if asked.returncode:
        print(f"judge.py: {trace}: {asked.stderr.strip()}", file=sys.stderr)
        sys.exit(69)
    page = json.loads(asked.stdout)
    return [f for f in page["doubts"] if f["alarm"]], page["findings"]


def trace_of(folder, program, twin):
    for ending in ("gz", "zst"):
        if (path := folder / f"{program}.{twin}.json.{ending}").exists():
            return path
    print(f"judge.py: {folder} holds no trace {program}.{twin}.json.gz or .zst", file=sys.stderr)
    sys.exit(69)


def place_of(cause, findings):
    for place, finding in enumerate(findings):
        if finding["cause"] == cause:
            return place
    return None


def saving_of(row):
    each = {twin: values["median_ms"] / values["samples"] for twin, values in row["twins"].items()}
    return 1 - each["mended"] / each["faulty"]


def phase_in(finding):
    named = re.search(r"most of it in the (\w+) phase", finding.get("text", ""))
    return named and named.group(1)


def brief(findings):
    return " ".join(f"{f['rule']}{'!' if f['alarm'] else ''}={f['cause'] or '-'}:{f['share']:.0%}" for f in findings[:4]) or "nothing"


class Tally:
    def __init__(self, remedies, phases, show=print):
        self.show = show  # prints the line of a program
        self.remedies = remedies  # id: what following the alarm about the mended twin saved, a share of its step
        self.phases = phases  # id: the phase that the fault lies in; "whole": in no single one
        self.named = self.named_right = 0
        self.faulty = self.first = self.two = self.mended = self.alarms = self.true_alarms = 0
        self.errors = []

    def judge_faulty(self, row, doubts, findings):
        place, real = place_of(row["cause"], findings), saving_of(row)
        self.faulty += 1
        self.first += place == 0
        self.two += place in (0, 1)
        promised = sum(f["share"] for f in findings if f["cause"] == row["cause"]) if place is not None else 0.0
        self.errors.append(abs(promised - real) / max(real, 0.01))
        phase, labelled = phase_in(findings[place]) if place is not None else None, self.phases.get(row["id"], "whole")
        if phase and labelled != "whole":
            self.named += 1
            self.named_right += phase == labelled
        seen = "-" if place is None else str(place + 1)
        self.show(f"{row['id']:20} {row['cause']:22} {seen:>2}  promised {promised:4.0%} of {real:4.0%}  {brief(findings)}" + said(doubts))

    def judge_mended(self, row, doubts, findings):
        alarm = bool(findings) and findings[0]["alarm"]
        saved = self.remedies.get(row["id"]) if alarm else None
        is_true = saved is not None and saved >= findings[0]["share"] / 2
        self.mended += 1
        self.alarms += alarm
        self.true_alarms += is_true
        mark = "ok" if is_true else "!!" if alarm else "  "
        followed = "" if saved is None else f"followed: saves {saved:4.0%}"
        self.show(f"{row['id']:20} {'mended':22} {mark}  {followed:21}  {brief(findings)}" + said(doubts))

    def figures(self):
        return {"first": self.first / max(1, self.faulty), "first two": self.two / max(1, self.faulty),
                "alarms": (self.alarms - self.true_alarms) / max(1, self.mended), "error": statistics.median(self.errors) if self.errors else 0.0}


def remedies_in(folder):
    path = folder / "remedies.json"
    return {row["id"]: row["saving"] for row in json.loads(path.read_text())["programs"]} if path.exists() else {}


def phases_in(folder):
    path = folder / "labels.json"
    return {row["id"]: row["phase"] for row in json.loads(path.read_text())["programs"]} if path.exists() else {}


def said(doubts):
    return "".join(f"  doubt {d['rule']}" for d in doubts)


def missed(figures):
    for name, floor in FLOORS.items():
        if (figures[name] > floor) if name in ("alarms", "error") else (figures[name] < floor):
            yield name


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: (print(f"judge.py: {message}", file=sys.stderr), sys.exit(64))
    parser.add_argument("ridge")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--half", choices=["tuning", "held_out", "second_round", "third_round"], default="tuning")
    parser.add_argument("--labels", type=pathlib.Path, default=HERE)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args(arguments)
    chosen = json.loads((options.labels / "split.json").read_text())[options.half]
    rows = [row for row in json.loads((options.data / "times.json").read_text())["programs"] if row["id"] in chosen]
    if not rows:
        print(f"judge.py: {options.data}/times.json names no program of the list {options.half}", file=sys.stderr)
        return 69
    tally = Tally(remedies_in(options.data), phases_in(options.labels), (lambda line: None) if options.summary else print)
    for row in rows:
        for twin in row["twins"]:
            found = diagnosis(options.ridge, trace_of(options.data, row["id"], twin))
            (tally.judge_faulty if twin == "faulty" else tally.judge_mended)(row, *found)
    figures = tally.figures()
    print(f"{options.half}: cause first {tally.first} of {tally.faulty} ({figures['first']:.0%}), in the first two {tally.two} "
          f"({figures['first two']:.0%}); mended twins with an alarm first {tally.alarms} of {tally.mended}, "
          f"{tally.true_alarms} of them true ({figures['alarms']:.0%} false); "
          f"median error of the promised saving {figures['error']:.0%}")
    print(f"phases that findings of the cause name: {tally.named_right} of {tally.named} right")
    floors = list(missed(figures))
    for name in floors:
        print(f"below its floor: {name} ({figures[name]:.0%}, asked {FLOORS[name]:.0%})")
    return 1 if options.check and floors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
