# SPDX-License-Identifier: Apache-2.0
"""Ridge: compares functions as `ridge run` compares variants. docs/guide/python.md has examples.

    import ridge
    print(ridge.compare(old, new, args=(data,)))
"""

from ._arrays import from_dlpack
from ._compare import compare, measure
from ._library import RidgeError, library
from ._result import Comparison, Result, Times

__all__ = ["Comparison", "Result", "RidgeError", "Times", "compare", "from_dlpack", "measure", "version"]


def version():
    """Returns the version of libridge.so."""
    return library().ridge_version().decode()
