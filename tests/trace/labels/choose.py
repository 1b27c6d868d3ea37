#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses the traces of second_labels.json or third_labels.json, by their content's digests and the hashes of their paths alone.

usage: choose.py [DATA] [--third] [--why]
  DATA      the folder that holds traces/ (default: RIDGE_DATA, else ../shared/data beside the repository)
  --third   the third set instead of the second
  --why     prints what was left out too, each with its reason
A candidate is a file that `ridge diagnose` reads as a timeline: JSON of a profiler, plain or packed, or an SQLite export of Nsight
Systems, with at least one event that has a duration (a kernel, a copy, an operator, a call). Files of one folder that state distinct
ranks of one run count as one candidate, which is that folder. Left out are malformed/, the golden folders, tables of counters, what labels.json names, every
file beside one that labels.json names (except in traces/nsys and its like, which only collect files of one origin), and content that was met
before (folders of ranks are met first, then files by path).
Candidates stand in the order of SHA-256 of their path below traces/. All are taken where there are fewer than 24, else the first 20.
The third set is made of what both leave: files beside labelled ones and inputs of golden tables (not what such a test expects), and the single
ranks of archives that labels.json judges only as a whole, as `ARCHIVE --rank N`. Its order is that of SHA-256 of "third:" and the path.
exit: 0 chosen; 64 bad usage; 69 DATA holds no traces
"""
import collections
import gzip
import hashlib
import json
import os
import pathlib
import re
import sqlite3
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LEFT_OUT = {"malformed", "golden"}
FEW, DRAWN = 24, 20
TABLES = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS")


def unpacked(path):
    """The bytes of the file, without its gzip; of an archive those of all its members."""
    data = path.read_bytes()
    if path.name.endswith((".tar.gz", ".tgz", ".tar")):
        with tarfile.open(path) as archive:
            return b"".join(archive.extractfile(m).read() for m in archive.getmembers() if m.isfile())
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def document(data):
    """The JSON of a trace; None: it is none."""
    try:
        page = json.loads(data)
    except ValueError:
        return None
    return page if isinstance(page, dict) and isinstance(page.get("traceEvents"), list) else None


def is_active(path, data):
    """Whether the trace holds work of a device or of the host."""
    if path.suffix == ".sqlite":
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        there = {row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return any(base.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES if table in there)
    page = document(data)
    return page is not None and any(e.get("ph") == "X" and e.get("dur", 0) > 0 for e in page["traceEvents"])


def rank_of(data):
    """(rank, size of its world) as the trace states them, or None."""
    page = document(data) if data[:1] in (b"{", b"\n", b" ") else None
    about = (page or {}).get("distributedInfo") or {}
    return (about["rank"], about.get("world_size")) if "rank" in about else None


def folders_of_ranks(ranks):
    """The folders whose traces all state a rank, each another, of a world of the same size."""
    by_folder = collections.defaultdict(list)
    for path, rank in ranks.items():
        by_folder[path.parent].append(rank)
    return {folder for folder, all_of in by_folder.items()
            if len(all_of) > 1 and None not in all_of and len(set(all_of)) == len(all_of) and len({size for _, size in all_of}) == 1}


def named_in(labels):
    page = json.loads(labels.read_text())
    return {pathlib.PurePath(row["file"]) for group in ("labelled", "others") for row in page.get(group, [])}


def candidates(traces):
    """(those that remain, {path: why it was left out}), paths relative to traces/."""
    names = named_in(HERE / "labels.json")
    # Beside a labelled trace lie its twins; folders of the first level merely collect files of one origin.
    twins = {name.parent for name in names if len(name.parts) > 2}
    left_out, content = {}, {}
    for path in sorted(p for p in traces.rglob("*") if p.is_file()):
        name = path.relative_to(traces)
        if LEFT_OUT & set(name.parts[:-1]):
            continue
        data = path.read_bytes() if path.suffix == ".sqlite" else unpacked(path) if path.name.endswith((".json", ".gz")) else None
        if data is None:
            left_out[name] = "no format of a timeline"
        elif not is_active(path, data) and name not in names:
            left_out[name] = "no trace, or nothing in it has a duration"
        else:
            content[name] = (hashlib.sha256(data).hexdigest(), rank_of(data) if path.suffix != ".sqlite" else None)
    folders = folders_of_ranks({name: rank for name, (_, rank) in content.items()})
    met = {digest: name for name, (digest, _) in content.items() if name in names}
    chosen = []
    for name in sorted(content, key=lambda n: (n.parent not in folders, n)):
        digest = content[name][0]
        if name in names:
            left_out[name] = "labels.json names it"
        elif name.parent in twins:
            left_out[name] = f"labels.json names another of {name.parent}/"
        elif digest in met:
            left_out[name] = f"the content of {met[digest]}"
        else:
            met[digest] = name
            unit = name.parent if name.parent in folders else name
            if unit not in chosen:
                chosen.append(unit)
    return chosen, left_out


def single_ranks(archive):
    """The ranks that the members of an archive state."""
    with tarfile.open(archive) as members:
        stated = (rank_of(members.extractfile(m).read()) for m in members.getmembers() if m.isfile())
        return sorted(rank for rank, _ in filter(None, stated))


def third_candidates(traces):
    """As candidates(), of what neither set holds."""
    first = named_in(HERE / "labels.json")
    held = first | named_in(HERE / "second_labels.json")
    chosen, left_out, met = [], {}, set()

    def is_held(name):
        return name in held or name.parent in held

    for name in sorted((p.relative_to(traces) for p in traces.rglob("*") if p.is_file()), key=lambda n: (not is_held(n), n)):
        path = traces / name
        if name.parts[0] in LEFT_OUT or path.suffix not in {".json", ".gz", ".sqlite"}:
            continue
        data = path.read_bytes() if path.suffix == ".sqlite" else unpacked(path)
        digest = hashlib.sha256(data).hexdigest()
        if name in first and ".tar" in path.suffixes:
            chosen += [f"{name.as_posix()} --rank {rank}" for rank in single_ranks(path)]
        elif is_held(name):
            left_out[name] = "one of the two sets holds it"
        elif digest in met:
            left_out[name] = "the content of another"
        elif re.search("expected", name.name):
            left_out[name] = "what a test expects of another file"
        elif not is_active(path, data):
            left_out[name] = "no trace, or nothing in it has a duration"
        else:
            chosen.append(name.as_posix())
        met.add(digest)
    return chosen, left_out


def main(arguments):
    why, third = "--why" in arguments, "--third" in arguments
    places = [a for a in arguments if a not in ("--why", "--third")]
    if len(places) > 1 or any(p.startswith("-") for p in places):
        print(__doc__, file=sys.stderr)
        return 64
    traces = pathlib.Path(places[0] if places else os.environ.get("RIDGE_DATA", ROOT.parent / "shared" / "data")) / "traces"
    if not traces.is_dir():
        print(f"choose.py: {traces} is no folder", file=sys.stderr)
        return 69
    remaining, left_out = third_candidates(traces) if third else candidates(traces)
    salt = "third:" if third else ""
    ordered = sorted(map(str, remaining), key=lambda name: hashlib.sha256((salt + name).encode()).hexdigest())
    for name in ordered if len(ordered) < FEW else ordered[:DRAWN]:
        print(name)
    if why:
        for name, reason in sorted(left_out.items()):
            print(f"left out: {name.as_posix()}: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
