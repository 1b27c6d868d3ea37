# SPDX-License-Identifier: Apache-2.0
"""compare() and measure()."""

import contextlib
import ctypes
import inspect
import platform

from . import _arrays, _cuda
from ._library import SKIPPED, RidgeError
from ._result import Result
from ._session import Session
from ._timers import CpuTimer

_EVERY_SEED = 0xFFFFFFFF  # what every generator of random numbers takes


class _Inputs:
    """The arguments of a round: fixed ones, or what `args` draws from a seed."""

    def __init__(self, args, frameworks):
        self._draw = args if callable(args) else None
        self._frameworks = frameworks
        self.seed = 0
        self.fresh = self._draw is not None
        self._fixed = () if args is None or self.fresh else self._in_frameworks(_tuple(args))
        self._now = None if self.fresh else self._fixed

    def _in_frameworks(self, arguments):
        return [arguments if name is None else tuple(_arrays.converted(list(arguments), name)) for name in self._frameworks]

    def draw(self, key):
        self.seed = key & _EVERY_SEED
        if self.fresh:
            self._now = None  # the memory of the last round may be used again
            self._now = self._in_frameworks(_tuple(self._draw(self.seed)))

    def of_arm(self, arm):
        return self._now[arm] if self._now else ()


def _tuple(arguments):
    return arguments if isinstance(arguments, tuple) else tuple(arguments) if isinstance(arguments, list) else (arguments,)


class _Arms:
    """The functions while they are measured: their inputs, their last outputs, and what is found wrong with these."""

    def __init__(self, functions, inputs, mutates, tolerance):
        self._functions, self._inputs, self._mutates = functions, inputs, mutates
        self._tolerance = tolerance
        self.timer = None
        self._outputs = [None] * len(functions)
        self.keeps_outputs = True
        self.snapshots = False  # outputs share memory: the first one is copied before the second function overwrites it

    def prepare(self, key):
        # Blocks of memory go back before the round, so that which arm gets which depends on the order alone, which is random.
        for i in range(len(self._outputs)):
            self._outputs[i] = None
        self._inputs.draw(key)

    def sampler(self, arm):
        function = self._functions[arm]

        def sample(calls):
            if self._mutates:
                self._inputs.draw(self._inputs.seed)
            self._outputs[arm] = None
            seconds, output = self.timer.sample(function, self._inputs.of_arm(arm), calls)
            if self.keeps_outputs:
                self._outputs[arm] = _arrays.snapshot(output) if self.snapshots else output
            return seconds

        return sample

    def agreement(self):
        for arm in range(1, len(self._functions)):
            wrong = _arrays.differ(self._outputs[0], self._outputs[arm], *self._tolerance)
            if wrong is not None:
                return arm, wrong
        return None

    def checker(self, check):
        def checked(arm):
            try:
                right = check(self._outputs[arm], *self._inputs.of_arm(arm))
            except AssertionError as wrong:
                return str(wrong) or "the check failed"
            return "the check says that it is wrong" if right is not None and not right else None

        return checked

    def try_each(self):
        """Calls each function once, untimed, and returns what they return."""
        self.prepare(1)
        for arm, function in enumerate(self._functions):
            if self._mutates and arm:
                self._inputs.draw(self._inputs.seed)
            self._outputs[arm] = function(*self._inputs.of_arm(arm))
        return self._outputs


def _names(functions, given):
    if given is not None:
        names = [str(name) for name in given]
        if len(names) != len(functions) or len(set(names)) != len(names):
            raise ValueError(f"names: {len(functions)} different names are needed, and {names} are given")
        return names
    names = []
    for i, function in enumerate(functions):
        own = getattr(function, "__name__", type(function).__name__)
        if own == "<lambda>":
            own = "function" if len(functions) == 1 else "baseline" if i == 0 else "candidate"
        same = sum(name == own or name.startswith(f"{own} (") for name in names)
        names.append(own if not same else f"{own} ({same + 1})")
    return names


def _tolerance(tolerance):
    if tolerance is None:
        return None, None
    return tuple(tolerance) if isinstance(tolerance, (tuple, list)) else (float(tolerance), None)


def _takes_kernels(arrays, device):
    """Whether the functions run on a GPU: as `device` says, else where an argument or an output lies there."""
    if device not in (None, "cpu", "cuda"):
        raise ValueError(f'device: "cpu", "cuda" or None, not {device!r}')
    gpu = [x for x in arrays if _arrays.on_gpu(x)]
    if device == "cpu" or (device is None and not gpu):
        return []
    if not gpu:
        raise RidgeError('device="cuda" needs an argument or an output on the GPU, so that its stream is known')
    return gpu


def _set_checks(session, arms, check, outputs, names):
    """Sets what looks at outputs, and states what cannot be looked at. Returns whether outputs are looked at."""
    if callable(check):
        session.set_check(arms.checker(check))
        return True
    if check is not False and len(names) > 1:
        if all(output is None for output in outputs):
            session.set("ridge_add_check", "outputs", SKIPPED, "the functions return None: return what they compute, or give check=")
            return False
        arms.snapshots = _arrays.any_share_memory(outputs)
        session.set_agreement(arms.agreement)
        return True
    return False


def _measure(functions, *, args, check, names, budget, min_effect, seed, calls, device, cold, hold, mutates, tolerance, frameworks, pinned, title):
    for function in functions:
        if not callable(function):
            raise TypeError(f"compare() needs functions, and {function!r} cannot be called")
    if calls is not None and (not isinstance(calls, int) or calls < 1):
        raise ValueError(f"calls: a whole number from 1 on, not {calls!r}")
    names = _names(functions, names)
    frameworks = [None] * len(functions) if frameworks is None else list(frameworks)
    if len(frameworks) != len(functions):
        raise ValueError(f"frameworks: one for each of the {len(functions)} functions")
    if mutates and not callable(args):
        raise ValueError("mutates: fixed arguments would be changed by the first call; args must be a function that makes them from a seed")
    if mutates and calls not in (None, 1):
        raise ValueError(f"calls: with mutates every sample is one call on arguments made for it, not {calls}")
    inputs = _Inputs(args, frameworks)
    session = Session(title)
    arms = _Arms(functions, inputs, mutates, _tolerance(tolerance))
    outputs = arms.try_each()
    seen = [x for arm in range(len(functions)) for x in _arrays.arrays_in([inputs.of_arm(arm), outputs[arm], functions[arm]])]
    gpu = _takes_kernels(seen, device)
    libraries = {_arrays.library_of(x) for x in gpu}
    arms.timer = timer = _cuda.timer_for(gpu, cold, hold) if gpu else CpuTimer()
    with contextlib.ExitStack() as around:
        if gpu:
            around.enter_context(timer.scope())
            around.enter_context(_cuda.cupy_on_stream_of_torch(libraries == {"torch", "cupy"}))
        timer.describe_to(session, 1 if mutates or (gpu and not calls) else calls)
        for arm, name in enumerate(names):
            session.add_arm(name, arms.sampler(arm))
            if isinstance(functions[arm], ctypes._CFuncPtr):  # the file that holds it says how it was compiled
                session.set("ridge_set_code", arm, ctypes.cast(functions[arm], ctypes.c_void_p))
        session.set("ridge_set_pinned", int(pinned))
        arms.keeps_outputs = _set_checks(session, arms, check, outputs, names)
        if inputs.fresh or arms.keeps_outputs:
            session.set_prepare(arms.prepare)
            session.set("ridge_set_fixed_inputs", int(not inputs.fresh))
        outputs = seen = gpu = None
        session.set("ridge_set_budget", float(budget))
        session.set("ridge_set_min_effect", float(min_effect))
        if seed is not None:
            session.set("ridge_set_seed", int(seed))
        session.set("ridge_set_fact", "python", platform.python_version())
        session.run()
        timer.add_checks(session)
    return Result(session, names)


def compare(f, g, *more, args=None, check=True, names=None, budget=1.0, min_effect=0.01, seed=None, calls=None, device=None,
            cold=True, hold=True, mutates=False, tolerance=None, frameworks=None, pinned=True, title=""):
    """Compares g, and every further function, with f: interleaved, in random and mirrored order, until the verdict is clear.

    args        the arguments of every call, or a function that makes them from a seed: it is called once per round, untimed
    check       True: the outputs of a round must agree (see `tolerance`); a function check(output, *args), which returns whether the
                output is right or fails an assertion; False: nothing is checked, and the assurance is 0
    names       one for each function
    budget      seconds of all rounds; a clear verdict ends them sooner
    min_effect  the smallest relative difference that matters
    seed        of the order and of the inputs; drawn where it is not given
    calls       calls per sample: chosen for the clock on a processor, 1 on a GPU
    device      "cuda" or "cpu"; found from arguments, outputs and what the functions have bound
    cold        whether the L2 of the GPU is evicted before every sample
    hold        whether the GPU is held while Python launches, so that launches are not part of the time
    mutates     whether the functions change their arguments: every sample then holds one call on arguments that `args`, a function,
                made for it
    tolerance   relative tolerance of outputs, or (relative, absolute); by the type of the elements without it
    pinned      whether Python's thread stays on one CPU while it measures; it never does where a function starts threads that compute
    frameworks  for each function "torch", "cupy", "numpy" or None: its arrays are converted to that library by DLPack, untimed

    Returns a Result. An exception of a function is raised here, with its own traceback. An interrupt (Ctrl-C) ends the session and
    returns what is finished (`result.interrupted`); where nothing is, KeyboardInterrupt is raised."""
    return _measure((f, g) + more, args=args, check=check, names=names, budget=budget, min_effect=min_effect, seed=seed, calls=calls,
                    device=device, cold=cold, hold=hold, mutates=mutates, tolerance=tolerance, frameworks=frameworks, pinned=pinned, title=title)


def measure(f, *, args=None, check=None, name=None, budget=0.5, seed=None, calls=None, device=None, cold=True, hold=True, mutates=False,
            framework=None, pinned=True, title=""):
    """Measures the time of one function; the arguments are those of compare()."""
    return _measure((f,), args=args, check=check, names=None if name is None else [name], budget=budget, min_effect=0.01, seed=seed,
                    calls=calls, device=device, cold=cold, hold=hold, mutates=mutates, tolerance=None,
                    frameworks=None if framework is None else [framework], pinned=pinned, title=title)
