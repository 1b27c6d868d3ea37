# SPDX-License-Identifier: Apache-2.0
"""Stands in for torch.utils.benchmark."""

import random
import types


class Timer:
    def __init__(self, statement, globals):
        self.call = globals["call"]

    def blocked_autorange(self, min_run_time):
        self.call()
        return types.SimpleNamespace(median=10e-6 * random.uniform(1, 1.02))
