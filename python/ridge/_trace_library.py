# SPDX-License-Identifier: Apache-2.0
"""The C interface to traces (ridge_trace.h) by ctypes: finds libridge_trace.so, declares its functions."""

import ctypes
import os
import pathlib

API_VERSION = 1

OK, WRONG_USE, UNREADABLE, NO_ANSWER, NO_MEMORY, INTERNAL = range(6)
INT64, DOUBLE, TEXT = range(3)

_traces = ctypes.c_void_p
_table = ctypes.c_void_p
_text = ctypes.c_char_p
_texts = ctypes.POINTER(ctypes.c_char_p)
_size = ctypes.c_size_t
_status = ctypes.c_int

_functions = {
    "ridge_trace_api_version": (ctypes.c_uint32, []),
    "ridge_trace_version": (_text, []),
    "ridge_trace_new": (_traces, []),
    "ridge_trace_close": (None, [_traces]),
    "ridge_trace_error": (_text, [_traces]),
    "ridge_trace_set": (_status, [_traces, _text, _text]),
    "ridge_trace_add": (_status, [_traces, _text, ctypes.c_int64]),
    "ridge_trace_ask": (_status, [_traces, _text, _size, _texts, _texts, ctypes.POINTER(_table)]),
    "ridge_trace_table_close": (None, [_table]),
    "ridge_trace_rows": (_size, [_table]),
    "ridge_trace_columns": (_size, [_table]),
    "ridge_trace_column_name": (_text, [_table, _size]),
    "ridge_trace_column_type": (_status, [_table, _size]),
    "ridge_trace_integers": (ctypes.c_void_p, [_table, _size]),
    "ridge_trace_doubles": (ctypes.c_void_p, [_table, _size]),
    "ridge_trace_text_offsets": (ctypes.c_void_p, [_table, _size]),
    "ridge_trace_text_bytes": (ctypes.c_void_p, [_table, _size]),
}

_loaded = None


class TraceError(RuntimeError):
    """A trace could not be read, or does not hold what was asked for; `status` says which (ridge_trace.h)."""

    def __init__(self, sentence, status=WRONG_USE):
        super().__init__(sentence)
        self.status = status


def _path():
    """The library of $RIDGE_TRACE_LIBRARY, else the one in this package."""
    named = os.environ.get("RIDGE_TRACE_LIBRARY")
    path = pathlib.Path(named) if named else pathlib.Path(__file__).with_name("libridge_trace.so")
    if not path.is_file():
        raise TraceError(f"there is no {path}: install the wheel that `make wheel` writes, or set RIDGE_TRACE_LIBRARY to libridge_trace.so")
    return path


def library():
    """Returns the library, opened at the first call. Raises TraceError where it is missing or too old."""
    global _loaded
    if _loaded is None:
        opened = ctypes.CDLL(str(_path()))
        for name, (result, arguments) in _functions.items():
            try:
                function = getattr(opened, name)
            except AttributeError:
                raise TraceError(f"{_path()} has no function {name}: it is older than this package") from None
            function.restype = result
            function.argtypes = arguments
        if opened.ridge_trace_api_version() < API_VERSION:
            raise TraceError(f"{_path()} has version {opened.ridge_trace_api_version()} of the C interface, and {API_VERSION} is needed")
        _loaded = opened
    return _loaded
