# SPDX-License-Identifier: Apache-2.0
"""The fixture `ridge_compare` of pytest: ridge.compare() that fails the test where a function is worse, or an output is wrong."""

import pytest

from . import compare


def pytest_addoption(parser):
    group = parser.getgroup("ridge")
    group.addoption("--ridge-budget", type=float, default=1.0, metavar="SECONDS", help="seconds of each comparison of ridge_compare (1)")
    group.addoption("--ridge-min-effect", type=float, default=0.01, metavar="SHARE",
                    help="the smallest relative difference that matters to ridge_compare (0.01)")


@pytest.fixture
def ridge_compare(request):
    """compare(f, g, ..., fail_on=("WORSE", "INVALID")): the arguments are those of ridge.compare(); returns its Result."""
    options = {"budget": request.config.getoption("--ridge-budget"), "min_effect": request.config.getoption("--ridge-min-effect")}

    def compared(f, g, *more, fail_on=("WORSE", "INVALID"), **settings):
        result = compare(f, g, *more, **{**options, **settings})
        request.node.add_report_section("call", "ridge", str(result))
        request.node.user_properties.append(("ridge", result.to_dict()))
        if result.interrupted:
            raise KeyboardInterrupt
        bad = [c for c in result.comparisons if c.verdict in fail_on]
        if bad:
            pytest.fail(f"{', '.join(c.candidate for c in bad)}: {bad[0].verdict}\n{result}", pytrace=False)
        return result

    return compared
