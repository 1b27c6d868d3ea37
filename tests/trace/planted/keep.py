#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what record.py wrote into the repository: times.json and the traces, compressed anew by zstd, without the programs of
dropped.json. These are chosen by times and sizes alone, before any trace is diagnosed.

usage: keep.py RECORDED FOLDER      exit: 0 kept; 64 bad usage; 69 there is no program zstd
"""
import gzip
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main(arguments):
    if len(arguments) != 2 or not (pathlib.Path(arguments[0]) / "times.json").exists():
        print(__doc__, file=sys.stderr)
        return 64
    if shutil.which("zstd") is None:
        print("keep.py: there is no program zstd: install the package zstd", file=sys.stderr)
        return 69
    recorded, folder = map(pathlib.Path, arguments)
    folder.mkdir(parents=True, exist_ok=True)
    dropped = json.loads((HERE / "dropped.json").read_text())
    times = json.loads((recorded / "times.json").read_text())
    times["programs"] = [row for row in times["programs"] if row["id"] not in dropped]
    for row in times["programs"]:
        for values in row["twins"].values():
            trace = values["trace"]
            text = gzip.decompress((recorded / trace["file"]).read_bytes())
            file = folder / trace["file"].replace(".json.gz", ".json.zst")
            file.write_bytes(subprocess.run(["zstd", "-q", "-19", "--long=24", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout)
            trace.update(file=file.name, bytes=file.stat().st_size)
    (folder / "times.json").write_text(json.dumps(times, indent=1) + "\n")
    total = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{len(times['programs'])} programs, {total / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
