# SPDX-License-Identifier: Apache-2.0
"""One session of the C interface: callbacks that may raise, and an interrupt that keeps what is finished."""

import ctypes
import signal
import threading

from . import _library as c
from ._library import RidgeError


class Session:
    """Owns a handle. Callables given to it may raise: the exception ends the session and is raised by run()."""

    def __init__(self, title=""):
        self._c = c.library()
        self._handle = ctypes.c_void_p(self._c.ridge_open(title.encode()))
        if not self._handle:
            raise MemoryError("no memory for a session")
        self._kept = []  # ctypes callbacks live as long as the session
        self._raised = None
        self._interrupted = False
        self._inside = False  # whether a callable of the user runs, so that an interrupt may end it

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            self._c.ridge_close(handle)

    def _expect(self, status):
        if status == c.OK:
            return
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        if status == c.STOPPED and self._interrupted:
            raise KeyboardInterrupt
        raise RidgeError(self._c.ridge_error(self._handle).decode() or "the session failed")

    def _guarded(self, body, stop=c.STOP):
        """Returns a function for C that calls `body` with C's arguments after the first, and answers for what it raises; `stop` is
        what C is told to end the session."""

        def answer(_user, *arguments):
            try:
                if self._interrupted:
                    return stop
                self._inside = True
                wrong = body(*arguments)
                self._inside = False
                return c.GO_ON if wrong is None else wrong
            except BaseException as raised:
                return self._ended_by(raised, stop)

        return answer

    def _ended_by(self, raised, stop=c.STOP):
        """What C is told when a callable raised. After an interrupt that is to stop, whatever the callable made of it."""
        self._inside = False
        if self._interrupted:
            return stop
        self._raised = raised
        return c.FAIL

    def _keep(self, kind, body, stop=c.STOP):
        made = kind(self._guarded(body, stop))
        self._kept.append(made)
        return made

    def add_arm(self, name, sample):
        """`sample(calls)` returns the seconds of so many calls together."""

        def answer(_user, calls, seconds):  # as _guarded() does it, with fewer calls: this stands between samples
            try:
                if self._interrupted:
                    return c.STOP
                self._inside = True
                seconds[0] = sample(calls)
                self._inside = False
                return c.GO_ON
            except BaseException as raised:
                return self._ended_by(raised)

        made = c.Sample(answer)
        self._kept.append(made)
        self._expect(self._c.ridge_add_sample(self._handle, name.encode(), made, None))

    def set_prepare(self, prepare):
        """`prepare(key)` makes the inputs of a round; what it returns is ignored."""

        def body(key):
            prepare(key)

        self._expect(self._c.ridge_set_prepare(self._handle, self._keep(c.Prepare, body), None))

    def set_check(self, check):
        """`check(arm)` returns why the output of the arm is wrong, None where it is right."""

        def body(arm, buffer, capacity):
            wrong = check(arm)
            if wrong is None:
                return c.OUTPUT_RIGHT
            c.put_text(buffer, capacity, wrong)
            return c.OUTPUT_WRONG

        self._expect(self._c.ridge_set_check(self._handle, self._keep(c.Check, body, c.OUTPUT_STOP), None))

    def set_agreement(self, agreement):
        """`agreement()` returns an arm and why its output is wrong, None where all agree."""

        def body(arm, buffer, capacity):
            wrong = agreement()
            if wrong is None:
                return c.OUTPUT_RIGHT
            arm[0] = wrong[0]
            c.put_text(buffer, capacity, wrong[1])
            return c.OUTPUT_WRONG

        self._expect(self._c.ridge_set_agreement(self._handle, self._keep(c.Agreement, body, c.OUTPUT_STOP), None))

    def set(self, name, *values):
        """Calls ridge_set_NAME or ridge_add_NAME."""
        values = [v.encode() if isinstance(v, str) else v for v in values]
        self._expect(getattr(self._c, name)(self._handle, *values))

    def get(self, name, *values):
        """Returns what an accessor gives; texts are decoded."""
        found = getattr(self._c, name)(self._handle, *values)
        return found.decode() if isinstance(found, bytes) else found

    def verdict(self, candidate):
        """The word of the verdict on a candidate: "BETTER"."""
        return self._c.ridge_verdict_word(self._c.ridge_verdict_on(self._handle, candidate)).decode()

    def samples(self, arm):
        """The seconds per call of each sample of an arm."""
        count = ctypes.c_size_t()
        values = self._c.ridge_samples(self._handle, arm, ctypes.byref(count))
        return [values[i] for i in range(count.value)]

    @property
    def interrupted(self):
        """Whether an interrupt came while it ran, be it after the last callback, when nothing was left to stop."""
        return self._interrupted

    def run(self):
        """Measures. An interrupt (Ctrl-C) ends the session with the rounds that are finished; where none is, KeyboardInterrupt."""
        self.set_watch()
        before = self._take_interrupts()
        try:
            status = self._c.ridge_run(self._handle)
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
        self._expect(status)

    def set_watch(self):
        body = self._keep(c.Watch, lambda share, rounds: None)
        self._expect(self._c.ridge_set_watch(self._handle, body, None))

    def _take_interrupts(self):
        """While C runs, SIGINT must not raise in the machinery of a callback, where Python would drop it. Returns the handler to
        restore; None where the handler is not Python's own or this is not the main thread."""
        if threading.current_thread() is not threading.main_thread():
            return None
        before = signal.getsignal(signal.SIGINT)
        if before is not signal.default_int_handler:
            return None

        def handler(number, frame):
            self._interrupted = True
            if self._inside:
                raise KeyboardInterrupt

        signal.signal(signal.SIGINT, handler)
        return before
