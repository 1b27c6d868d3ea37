# SPDX-License-Identifier: Apache-2.0
"""Counters added to a trace in Chrome JSON."""

import gzip
import json

from ._trace_library import TraceError


def _events(series, zero, counter, value, name=None, number=None):
    """One counter event for each row: named by its column `name`, else `counter`; told apart by its column `number`."""
    columns = [series[column].tolist() for column in ("pid", "ts", value)]
    names = series[name].tolist() if name else [counter] * len(series)
    numbers = series[number].tolist() if number else None
    for i, (pid, ts, amount) in enumerate(zip(*columns)):
        event = {"ph": "C", "pid": pid, "ts": ts + zero, "name": names[i], "args": {counter: amount}}
        if numbers is not None:
            event["id"] = numbers[i]
        yield event


def _opened(path, mode):
    return gzip.open(path, mode, encoding="utf-8") if path.endswith(".gz") else open(path, mode, encoding="utf-8")


def write_with_counters(path, suffix, zero, queues, copies):
    """Writes the trace of a path once more, with series of counters, into "name<suffix>.json[.gz]"."""
    output = path.replace(".json", f"{suffix}.json")
    if output == path:
        raise TraceError(f"{path} has no .json in its name, by which the name of the new trace is made")
    try:
        with _opened(path, "rt") as file:
            content = json.load(file)
    except (UnicodeDecodeError, json.JSONDecodeError, gzip.BadGzipFile) as why:
        raise TraceError(f"{path} is no Chrome JSON, plain or gzip, to which counters can be added: {why}") from None
    events = content["traceEvents"] if isinstance(content, dict) else content
    if queues is not None:
        events.extend(_events(queues, zero, "Queue Length", "queue_length", number="stream"))
    if copies is not None:
        events.extend(_events(copies, zero, "Memcpy BW", "memory_bw_gbps", name="name"))
    with _opened(output, "wt") as file:
        json.dump(content, file)
    return output
