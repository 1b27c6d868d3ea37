# SPDX-License-Identifier: Apache-2.0
"""Arrays of any library: which one they belong to, DLPack between them, and whether two outputs agree. Imports no library of
arrays by itself: an array of one is there only where its library is loaded."""

import contextlib
import itertools
import math
import sys

# How far apart two right results may be, relative to their values, by the type of the elements.
TOLERANCES = {"float64": 1e-9, "complex128": 1e-9, "float32": 1e-4, "complex64": 1e-4, "float16": 1e-2, "bfloat16": 2e-2}
_FLOAT = 1e-9  # of Python's own numbers


def library_of(x):
    """Returns "torch", "cupy" or "numpy" for an array of theirs, else None."""
    for base in type(x).__mro__:
        root = base.__module__.partition(".")[0]
        if root == "torch" and base.__name__ == "Tensor":
            return "torch"
        if root in ("cupy", "numpy") and base.__name__ in ("ndarray", "generic"):
            return root
    return None


def on_gpu(x):
    """Whether x is an array in the memory of an NVIDIA GPU."""
    library = library_of(x)
    return library == "cupy" or (library == "torch" and bool(x.is_cuda))


def arrays_in(x, depth=4):
    """Yields the arrays in x, in the sequences and mappings it is made of, and in what a callable has bound."""
    if library_of(x) is not None:
        yield x
    elif depth and isinstance(x, (tuple, list, set, frozenset)):
        for part in x:
            yield from arrays_in(part, depth - 1)
    elif depth and isinstance(x, dict):
        for part in x.values():
            yield from arrays_in(part, depth - 1)
    elif depth and callable(x):
        bound = [getattr(x, "__self__", None), getattr(x, "args", None), getattr(x, "keywords", None), getattr(x, "__defaults__", None)]
        for cell in getattr(x, "__closure__", None) or ():
            try:
                bound.append(cell.cell_contents)
            except ValueError:  # an empty cell
                pass
        for part in bound:
            if part is not None and not isinstance(part, type(sys)):
                yield from arrays_in(part, depth - 1)


def from_dlpack(x, library):
    """Returns x as an array of "torch", "cupy" or "numpy", through DLPack, without a copy where the libraries share the memory.
    What is no array, and an array of that library, is returned as it is."""
    own = library_of(x)
    if own == library or (own is None and not hasattr(x, "__dlpack__")):
        return x
    module = __import__(library)
    if library == "torch":
        return module.from_dlpack(x)
    if library == "numpy" and own == "torch":
        return x.detach().cpu().numpy()
    if library == "numpy" and own == "cupy":
        return x.get()
    if own == "torch":
        x = x.detach()
    return module.from_dlpack(x)


def converted(x, library):
    """Returns x with every array in its tuples, lists and dicts as one of `library`."""
    if isinstance(x, (tuple, list)):
        parts = [converted(part, library) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    if isinstance(x, dict):
        return {key: converted(part, library) for key, part in x.items()}
    return from_dlpack(x, library)


def snapshot(x):
    """Returns a copy of an output that later calls do not change."""
    library = library_of(x)
    if library == "torch":
        return x.detach().clone()
    if library is not None:
        return x.copy()
    if isinstance(x, (tuple, list)):
        parts = [snapshot(part) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    if isinstance(x, dict):
        return {key: snapshot(part) for key, part in x.items()}
    return x


def _address(x):
    library = library_of(x)
    if library == "torch":
        return x.data_ptr()
    if library == "cupy":
        return x.data.ptr
    return x.__array_interface__["data"][0] if hasattr(x, "__array_interface__") else id(x)


def any_share_memory(outputs):
    """Whether two of these outputs share memory, as share_memory() finds it."""
    return any(share_memory(a, b) for a, b in itertools.combinations(outputs, 2))


def share_memory(a, b):
    """Whether two outputs hold an array at the same place, so that the second call has overwritten the first one's output."""
    places = {_address(x) for x in arrays_in(a)}
    mutable = a is b and isinstance(a, (list, dict, set, bytearray))
    return mutable or any(_address(x) in places for x in arrays_in(b))


def _type_name(x):
    return str(x.dtype).rpartition(".")[2]


def _arrays_differ(expected, found, rtol, atol):
    """Compares two arrays of one library, there where they are."""
    if tuple(expected.shape) != tuple(found.shape):
        return f"its shape is {tuple(found.shape)}, and {tuple(expected.shape)} is expected"
    names = (_type_name(expected), _type_name(found))
    if not any(name in TOLERANCES for name in names):
        bad = expected != found
    else:
        if rtol is None:
            rtol = max(TOLERANCES.get(name, 0) for name in names)
        if names[0] != names[1] or names[0] in ("float16", "bfloat16"):
            wide = _wide_type(names)
            expected, found = _widened(expected, wide), _widened(found, wide)
        size = abs(expected)
        if atol is None:
            mean = float(size.mean()) if math.prod(expected.shape) else 0.0
            atol = rtol * mean if math.isfinite(mean) else 0.0
        same_nan = (expected != expected) & (found != found)
        near = (abs(found - expected) <= atol + rtol * size) & (size < math.inf)
        bad = ~(near | (expected == found) | same_nan)
    count = int(bad.sum())
    if not count:
        return None
    whole = math.prod(expected.shape)
    return f"{count} of {whole} elements differ" + ("" if rtol is None else f" by more than {rtol:g} relatively")


def _wide_type(names):
    """The type in which arrays of these two types are compared: complex where one is, and of 64-bit parts where one has such."""
    double = any(name in ("float64", "complex128") for name in names)
    if any(name.startswith("complex") for name in names):
        return "complex128" if double else "complex64"
    return "float64" if double else "float32"


def _widened(x, name):
    return x.to(getattr(sys.modules["torch"], name)) if library_of(x) == "torch" else x.astype(name)


def differ(expected, found, rtol=None, atol=None):
    """Returns why two outputs do not agree, None where they do. Arrays and floats agree within the tolerance of their type
    (TOLERANCES, relative to the element, and the same relative to the mean size of all elements; `rtol` and `atol` replace
    these); anything else must be equal. NaN agrees with NaN."""
    libraries = library_of(expected), library_of(found)
    if any(libraries) and (isinstance(expected, _NUMBERS) or isinstance(found, _NUMBERS)):  # a number against an array of one
        expected, found = _as_number(expected), _as_number(found)
        if library_of(expected) is not None or library_of(found) is not None:
            return f"it is {_kind_of(found)}, and {_kind_of(expected)} is expected"
    elif any(libraries):
        own = next(name for name in ("torch", "cupy", "numpy") if name in libraries)
        expected, found = from_dlpack(expected, own), from_dlpack(found, own)
        if library_of(expected) != own or library_of(found) != own:
            return f"it is a {type(found).__name__}, and a {type(expected).__name__} is expected"
        if own == "torch":
            expected, found = expected.detach(), found.detach()
            if expected.device != found.device:
                found = found.to(expected.device)
        quiet = sys.modules["numpy"].errstate(all="ignore") if own == "numpy" else contextlib.nullcontext()
        with quiet:  # infinity less infinity is no news
            return _arrays_differ(expected, found, rtol, atol)
    if isinstance(expected, (tuple, list)) and isinstance(found, (tuple, list)):
        if len(expected) != len(found):
            return f"it has {len(found)} parts, and {len(expected)} are expected"
        wrong = ((i, differ(a, b, rtol, atol)) for i, (a, b) in enumerate(zip(expected, found)))
        return next((f"part {i}: {why}" for i, why in wrong if why), None)
    if isinstance(expected, dict) and isinstance(found, dict):
        if expected.keys() != found.keys():
            return "its keys are others than expected"
        wrong = ((key, differ(expected[key], found[key], rtol, atol)) for key in expected)
        return next((f"{key!r}: {why}" for key, why in wrong if why), None)
    if isinstance(expected, (float, complex)) or isinstance(found, (float, complex)):
        return _numbers_differ(expected, found, rtol, atol)
    return None if expected is found or _equal(expected, found) else f"it is {_short(found)}, and {_short(expected)} is expected"


_NUMBERS = (bool, int, float, complex)


def _as_number(x):
    return x.item() if library_of(x) is not None and math.prod(x.shape) == 1 else x


def _kind_of(x):
    return f"the number {x!r}" if isinstance(x, _NUMBERS) else f"an array of shape {tuple(x.shape)}"


def _numbers_differ(expected, found, rtol, atol):
    try:
        near = abs(found - expected) <= (atol or 0.0) + (_FLOAT if rtol is None else rtol) * abs(expected)
    except TypeError:
        return f"it is {_short(found)}, and {_short(expected)} is expected"
    if (near and abs(expected) < math.inf) or expected == found or (expected != expected and found != found):
        return None
    return f"it is {found!r}, and {expected!r} is expected"


def _equal(a, b):
    if hasattr(a, "equals"):  # pandas, polars, pyarrow
        return bool(a.equals(b))
    return bool(a == b)


def _short(x):
    text = repr(x)
    return text if len(text) <= 60 else text[:57] + "..."
