# SPDX-License-Identifier: Apache-2.0
"""How calls are timed on the processor: n calls in a loop that Python compiles for the number of arguments, between two readings of
time.perf_counter, with the garbage collector off."""

import functools
import gc
import itertools
import time

SHORTEST_SAMPLE_S = 100e-6

_LOOP = """
def loop(_repeat, _clock, _function, {names}):
    _begin = _clock()
    for _ in _repeat:
        _output = {call}
    return _clock() - _begin, _output
"""


@functools.lru_cache(maxsize=64)
def _loop_of(count):
    """The loop for a function of `count` arguments."""
    names = ", ".join(f"_a{i}" for i in range(count))
    scope = {}
    exec(_LOOP.format(names=names, call=f"_function({names})"), scope)
    return scope["loop"]


def _timed(loop, calls, function, arguments):
    collected = gc.isenabled()
    gc.disable()
    try:
        return loop(itertools.repeat(None, calls), time.perf_counter, function, *arguments)
    finally:
        if collected:
            gc.enable()


def loop_overhead_s():
    """Returns the seconds that the loop itself takes per call: that of an iteration without a call, the least of some."""
    scope = {}
    exec(_LOOP.format(names="", call="None"), scope)
    calls = 2000
    return min(_timed(scope["loop"], calls, None, ())[0] for _ in range(20)) / calls


class CpuTimer:
    """Times calls with the clock of the processor."""

    on_gpu = False

    def sample(self, function, arguments, calls):
        """Returns the seconds of `calls` calls together, and what the last one returned."""
        return _timed(_loop_of(len(arguments)), calls, function, arguments)

    def describe_to(self, session, calls_per_sample):
        """Tells the session how samples are made, and what was left out. `calls_per_sample` is None where the session chooses it."""
        session.set("ridge_set_sample_seconds", SHORTEST_SAMPLE_S)
        session.set("ridge_set_calls_per_sample", calls_per_sample or 0)
        session.set("ridge_set_fact", "python_loop", f"{loop_overhead_s() * 1e9:.0f} ns per call, part of every time")

    def add_checks(self, session):
        """Adds to the result what was found while measuring: nothing on a processor."""
