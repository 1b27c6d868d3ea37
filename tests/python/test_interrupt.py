# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a session soon and with what is finished, whenever it comes. What Python itself would drop, as it does with
an exception that leaves a callback of ctypes, it gives to sys.unraisablehook."""

import os
import random
import signal
import sys
import threading
import time
import unittest
from unittest import mock

import ridge
from ridge import _session


# Two seconds are promised of a calm machine; a busy one is given more, so that only a session that does not end fails.
LONGEST_S = 2.0 if os.environ.get("RIDGE_FIGURES") else 10.0


def work():
    return sum(range(300))


LASTING = {"budget": 30, "min_effect": 1e-4}


def uneven():
    """Takes so uneven a time that a session which asks for such small effects lasts for its whole budget."""
    for _ in range(random.randrange(300, 450)):
        pass


def interrupted_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class Interrupt(unittest.TestCase):
    def test_what_is_finished_is_returned(self):
        timer = interrupted_after(0.5)
        begin = time.monotonic()
        result = ridge.measure(work, budget=30)
        timer.join()
        self.assertLess(time.monotonic() - begin, 0.5 + LONGEST_S)
        self.assertTrue(result.interrupted)
        self.assertGreater(result.rounds, 6)
        self.assertIn("stopped early", str(result))
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_a_long_call_is_ended(self):
        def long():
            end = time.monotonic() + 20
            while time.monotonic() < end:
                time.sleep(0.01)

        begin = time.monotonic()
        timer = interrupted_after(0.3)
        with self.assertRaises(KeyboardInterrupt):
            ridge.compare(long, long, budget=1)
        timer.join()
        self.assertLess(time.monotonic() - begin, 0.3 + LONGEST_S)

    def test_any_moment(self):
        """An interrupt at a random moment of a session is neither lost nor dropped by Python."""
        dropped, results, none_finished = [], 0, 0
        for _ in range(25):
            timer = interrupted_after(random.uniform(0.05, 0.35))
            begin = time.monotonic()
            with mock.patch.object(sys, "unraisablehook", dropped.append):
                try:
                    result = ridge.compare(uneven, uneven, check=False, **LASTING)
                except KeyboardInterrupt:
                    none_finished += 1
                else:
                    self.assertTrue(result.interrupted, "the session ended, and the interrupt is lost or had not come")
                    results += 1
            timer.join()
            self.assertLess(time.monotonic() - begin, 0.35 + LONGEST_S)
        self.assertEqual(dropped, [])
        self.assertGreater(results, 0, f"none of the interrupts came while rounds were measured, {none_finished} before")

    def test_in_a_check(self):
        """The interrupt comes in the first check after the session's callbacks have begun to be measured."""
        begin = time.monotonic()

        def check(output):
            if time.monotonic() - begin > 0.8:
                signal.raise_signal(signal.SIGINT)

        result = ridge.compare(uneven, uneven, check=check, **LASTING)
        self.assertTrue(result.interrupted)
        self.assertEqual(result.invalid_reason, "")
        self.assertNotEqual(result.verdict, "INVALID")
        self.assertGreater(result.rounds, 0)

    def test_in_the_comparison_of_outputs(self):
        begin = time.monotonic()

        class Output:
            def __eq__(self, other):
                if time.monotonic() - begin > 0.8:
                    signal.raise_signal(signal.SIGINT)
                return True

        one, other = Output(), Output()
        result = ridge.compare(lambda: uneven() or one, lambda: uneven() or other, **LASTING)
        self.assertTrue(result.interrupted)
        self.assertNotEqual(result.verdict, "INVALID")

    def test_after_the_last_callback(self):
        """The interrupt comes just before the handler of the program is put back."""
        put = signal.signal

        def interrupted_put(number, handler):
            if handler is signal.default_int_handler:
                signal.raise_signal(signal.SIGINT)
            return put(number, handler)

        with mock.patch.object(_session.signal, "signal", interrupted_put):
            result = ridge.measure(work, budget=0.1)
        self.assertTrue(result.interrupted)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_a_handler_of_the_program_is_left_alone(self):
        seen = []
        before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
        try:
            timer = interrupted_after(0.1)
            ridge.measure(work, budget=0.4)
            timer.join()
            self.assertEqual(seen, [signal.SIGINT])
        finally:
            signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    unittest.main()
