# SPDX-License-Identifier: Apache-2.0
"""Stands in for Triton: a kernel is its Python function, run once on tensors of one number, and takes 10 us of the simulated GPU."""

import torch


class Pointer:
    """What a kernel gets for a tensor: every offset into it is the same place."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __add__(self, offsets):
        return self


def cdiv(a, b):
    return -(-a // b)


def jit(function):
    class Kernel:
        def __getitem__(self, grid):
            def launch(*arguments, **constants):
                torch.kernel(10e-6, function.__name__)(torch.Tensor())
                function(*[Pointer(x) if isinstance(x, torch.Tensor) else x for x in arguments], **constants)
            return launch
    return Kernel()
