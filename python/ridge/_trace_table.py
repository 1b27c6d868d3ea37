# SPDX-License-Identifier: Apache-2.0
"""Opened traces and the tables that answer questions about them. Columns of numbers are numpy arrays over the library's own
memory where numpy is installed, else lists; texts are lists."""

import collections.abc
import ctypes
import os

from ._trace_library import DOUBLE, INT64, NO_MEMORY, OK, TraceError, library

try:
    import numpy
except ImportError:  # then columns are lists
    numpy = None


def pandas_for(reason):
    """Returns pandas. Raises ImportError, which says what needs it."""
    try:
        import pandas
    except ImportError:
        raise ImportError(f"{reason} returns DataFrames, and pandas is not installed: install pandas, or ask ridge.trace.Traces, "
                          "whose tables need nothing") from None
    return pandas


class _Handle:
    """A table of the library; it is closed with the last array that lies in it."""

    def __init__(self, address):
        self.address = address

    def __del__(self):
        library().ridge_trace_table_close(self.address)


def _numbers(handle, address, kind, rows):
    """The `rows` numbers at an address of the table, without a copy where numpy is installed."""
    c_type = ctypes.c_int64 if kind == INT64 else ctypes.c_double
    if rows == 0 or not address:
        return [] if numpy is None else numpy.empty(0, "int64" if kind == INT64 else "float64")
    values = (c_type * rows).from_address(address)
    if numpy is None:
        return list(values)
    values.owner = handle  # the array keeps `values`, and so the table
    return numpy.frombuffer(values, "int64" if kind == INT64 else "float64")


class Table(collections.abc.Mapping):
    """Columns by name, all of len(table.rows) values. `to_frame()` makes a DataFrame over the same memory."""

    def __init__(self, address):
        self._handle = _Handle(address)
        lib = library()
        self.rows = lib.ridge_trace_rows(address)
        self._places = {lib.ridge_trace_column_name(address, i).decode(): i for i in range(lib.ridge_trace_columns(address))}
        self._columns = {}

    def __len__(self):
        return len(self._places)

    def __iter__(self):
        return iter(self._places)

    def __getitem__(self, name):
        if name not in self._columns:
            self._columns[name] = self._column(self._places[name])
        return self._columns[name]

    def _column(self, place):
        lib, address = library(), self._handle.address
        kind = lib.ridge_trace_column_type(address, place)
        if kind == INT64:
            return _numbers(self._handle, lib.ridge_trace_integers(address, place), kind, self.rows)
        if kind == DOUBLE:
            return _numbers(self._handle, lib.ridge_trace_doubles(address, place), kind, self.rows)
        offsets = (ctypes.c_int64 * (self.rows + 1)).from_address(lib.ridge_trace_text_offsets(address, place))
        content = ctypes.string_at(lib.ridge_trace_text_bytes(address, place), offsets[self.rows])
        known = {}  # names repeat
        return [known.setdefault(part, part.decode("utf-8", "replace")) for part in
                (content[offsets[i] : offsets[i + 1]] for i in range(self.rows))]

    def to_dict(self):
        """Returns a dict of lists."""
        return {name: list(self[name]) for name in self}

    def to_frame(self):
        """Returns a pandas DataFrame."""
        return pandas_for("to_frame()").DataFrame(dict(self), copy=False)

    def __repr__(self):
        return f"<ridge.trace.Table of {self.rows} rows: {', '.join(self)}>"


def _as_text(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple, set)):
        between = "\n" if any(isinstance(part, str) for part in value) else ","
        return between.join(str(part) for part in value)
    return str(value)


class Traces:
    """Traces of any format that Ridge reads, by rank.

    `Traces("folder")` opens a file, a folder of ranks or an archive; `add(path, rank=3)` opens one more. `ask(table, **arguments)`
    answers a question; docs/guide/trace.md lists the tables. Options: last_step, round_to_us, rank_pattern, memory_bytes, cache."""

    def __init__(self, *paths, **options):
        self._address = library().ridge_trace_new()
        if not self._address:
            raise MemoryError
        for name, value in options.items():
            self._check(library().ridge_trace_set(self._address, name.encode(), _as_text(value).encode()))
        for path in paths:
            self.add(path)

    def add(self, path, rank=-1):
        """Opens a file, a folder or an archive. `rank` is that of a file's one trace; without it what the trace tells."""
        self._check(library().ridge_trace_add(self._address, os.fsencode(path), rank))

    def ask(self, table, **arguments):
        """Returns a Table. Arguments that are None are left out."""
        given = {name: _as_text(value) for name, value in arguments.items() if value is not None}
        texts = ctypes.c_char_p * len(given)
        names = texts(*(name.encode() for name in given))
        values = texts(*(value.encode() for value in given.values()))
        found = ctypes.c_void_p()
        self._check(library().ridge_trace_ask(self._address, table.encode(), len(given), names, values, ctypes.byref(found)))
        return Table(found.value)

    def close(self):
        """Forgets the traces; tables stay valid."""
        address, self._address = getattr(self, "_address", None), None
        if address:
            library().ridge_trace_close(address)

    def _check(self, status):
        if status == NO_MEMORY:
            raise MemoryError
        if status != OK:
            raise TraceError((library().ridge_trace_error(self._address) or b"the traces are closed").decode("utf-8", "replace"), status)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()
