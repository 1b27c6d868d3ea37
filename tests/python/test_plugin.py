# SPDX-License-Identifier: Apache-2.0
"""The fixture of pytest passes what is not worse, and fails what is worse or wrong. Skipped, with the reason, without pytest."""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import pytest  # noqa: F401
except ImportError:
    print(f"{sys.executable} has no pytest: the fixture ridge_compare was not tried (Debian: python3-pytest)")
    sys.exit(77)

TESTS = '''
def fast():
    return sum(range(100))

def slow():
    sum(range(200))
    return sum(range(100))

def test_faster(ridge_compare):
    assert ridge_compare(slow, fast).better

def test_slower(ridge_compare):
    ridge_compare(fast, slow)

def test_wrong(ridge_compare):
    ridge_compare(fast, lambda: 1)

def test_slower_is_allowed(ridge_compare):
    assert ridge_compare(fast, slow, fail_on=()).worse
'''

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "test_speed.py")
    file.write_text(TESTS)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "ridge.pytest_plugin", "--ridge-budget", "2", "-rA", str(file)],
                          cwd=folder, capture_output=True, text=True, env=os.environ)
said = done.stdout + done.stderr
for wanted in ("PASSED test_speed.py::test_faster", "FAILED test_speed.py::test_slower", "FAILED test_speed.py::test_wrong",
               "PASSED test_speed.py::test_slower_is_allowed", "WORSE", "INVALID", "2 failed, 2 passed"):
    if wanted not in said:
        sys.exit(f"expected {wanted!r} in:\n{said}")
