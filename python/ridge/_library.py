# SPDX-License-Identifier: Apache-2.0
"""The C interface (ridge.h) by ctypes: finds libridge.so, declares its functions."""

import ctypes
import os
import pathlib

API_VERSION = 1

OK, WRONG_USE, FAILED, STOPPED, NO_MEMORY, INTERNAL = range(6)
GO_ON, STOP, FAIL = range(3)
OUTPUT_RIGHT, OUTPUT_WRONG, _, OUTPUT_STOP = range(4)  # of a check or an agreement
PASS, WARN, CHECK_FAILED, SKIPPED = range(4)

_session = ctypes.c_void_p
_user = ctypes.c_void_p
_text = ctypes.c_char_p
_buffer = ctypes.POINTER(ctypes.c_char)
_u64 = ctypes.c_uint64
_double = ctypes.c_double

Sample = ctypes.CFUNCTYPE(ctypes.c_int, _user, _u64, ctypes.POINTER(_double))
Prepare = ctypes.CFUNCTYPE(ctypes.c_int, _user, _u64)
Check = ctypes.CFUNCTYPE(ctypes.c_int, _user, ctypes.c_size_t, _buffer, ctypes.c_size_t)
Agreement = ctypes.CFUNCTYPE(ctypes.c_int, _user, ctypes.POINTER(ctypes.c_size_t), _buffer, ctypes.c_size_t)
Watch = ctypes.CFUNCTYPE(ctypes.c_int, _user, _double, _u64)

_functions = {
    "ridge_api_version": (ctypes.c_uint32, []),
    "ridge_version": (_text, []),
    "ridge_open": (_session, [_text]),
    "ridge_close": (None, [_session]),
    "ridge_error": (_text, [_session]),
    "ridge_add_sample": (ctypes.c_int, [_session, _text, Sample, _user]),
    "ridge_set_prepare": (ctypes.c_int, [_session, Prepare, _user]),
    "ridge_set_check": (ctypes.c_int, [_session, Check, _user]),
    "ridge_set_agreement": (ctypes.c_int, [_session, Agreement, _user]),
    "ridge_set_watch": (ctypes.c_int, [_session, Watch, _user]),
    "ridge_set_budget": (ctypes.c_int, [_session, _double]),
    "ridge_set_min_effect": (ctypes.c_int, [_session, _double]),
    "ridge_set_seed": (ctypes.c_int, [_session, _u64]),
    "ridge_set_sample_seconds": (ctypes.c_int, [_session, _double]),
    "ridge_set_calls_per_sample": (ctypes.c_int, [_session, _u64]),
    "ridge_set_fixed_inputs": (ctypes.c_int, [_session, ctypes.c_int]),
    "ridge_set_gpu_time": (ctypes.c_int, [_session, ctypes.c_int]),
    "ridge_set_code": (ctypes.c_int, [_session, ctypes.c_size_t, ctypes.c_void_p]),
    "ridge_set_pinned": (ctypes.c_int, [_session, ctypes.c_int]),
    "ridge_set_fact": (ctypes.c_int, [_session, _text, _text]),
    "ridge_add_check": (ctypes.c_int, [_session, _text, ctypes.c_int, _text]),
    "ridge_run": (ctypes.c_int, [_session]),
    "ridge_rounds": (_u64, [_session]),
    "ridge_verdict_on": (ctypes.c_int, [_session, ctypes.c_size_t]),
    "ridge_verdict_word": (_text, [ctypes.c_int]),
    "ridge_ratio": (_double, [_session, ctypes.c_size_t]),
    "ridge_ratio_low": (_double, [_session, ctypes.c_size_t]),
    "ridge_ratio_high": (_double, [_session, ctypes.c_size_t]),
    "ridge_seconds": (_double, [_session, ctypes.c_size_t]),
    "ridge_seconds_low": (_double, [_session, ctypes.c_size_t]),
    "ridge_seconds_high": (_double, [_session, ctypes.c_size_t]),
    "ridge_calls": (_u64, [_session, ctypes.c_size_t]),
    "ridge_samples": (ctypes.POINTER(_double), [_session, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)]),
    "ridge_noise_floor": (_double, [_session]),
    "ridge_assurance": (ctypes.c_int, [_session]),
    "ridge_assurance_text": (_text, [_session]),
    "ridge_invalid_reason": (_text, [_session]),
    "ridge_was_stopped": (ctypes.c_int, [_session]),
    "ridge_summary": (_text, [_session]),
    "ridge_json": (_text, [_session, ctypes.c_int]),
}

_loaded = None


class RidgeError(RuntimeError):
    """A comparison could not be made: wrong use, a missing library, or a machine that failed."""


def _path():
    """The library of $RIDGE_LIBRARY, else the one in this package."""
    named = os.environ.get("RIDGE_LIBRARY")
    path = pathlib.Path(named) if named else pathlib.Path(__file__).with_name("libridge.so")
    if not path.is_file():
        raise RidgeError(f"there is no {path}: install the wheel that `make wheel` writes, or set RIDGE_LIBRARY to libridge.so")
    return path


def library():
    """Returns the library, opened at the first call. Raises RidgeError where it is missing or too old."""
    global _loaded
    if _loaded is None:
        opened = ctypes.CDLL(str(_path()))
        for name, (result, arguments) in _functions.items():
            try:
                function = getattr(opened, name)
            except AttributeError:
                raise RidgeError(f"{_path()} has no function {name}: it is older than this package") from None
            function.restype = result
            function.argtypes = arguments
        if opened.ridge_api_version() < API_VERSION:
            raise RidgeError(f"{_path()} has version {opened.ridge_api_version()} of the C interface, and {API_VERSION} is needed")
        _loaded = opened
    return _loaded


def put_text(buffer, capacity, text):
    """Writes a text into a buffer of C, cut to its capacity between two characters."""
    if capacity < 1:
        return
    whole = text.encode("utf-8", "replace")[: capacity - 1].decode("utf-8", "ignore").encode("utf-8")
    ctypes.memmove(buffer, whole + b"\0", len(whole) + 1)
