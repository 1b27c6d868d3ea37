# SPDX-License-Identifier: Apache-2.0
"""Stands in for CuPy beside the stand-in for PyTorch: arrays that share a tensor through DLPack, the stream that is current, and events
on the same clock."""

import contextlib
import types

import torch

STREAMS = []
int64 = int


class ndarray(torch.Tensor):
    def __init__(self, tensor):
        super().__init__(tensor.value, tensor.place)
        self.tensor = tensor
        self.dtype = "float32"
        self.device = types.SimpleNamespace(id=0)
        self.data = types.SimpleNamespace(ptr=tensor.place)

    def __getitem__(self, part):
        return ndarray(self.tensor[part])

    def __dlpack__(self, stream=None):
        return self.tensor

    def copy(self):
        return ndarray(self.tensor.clone())

    def fill(self, value):
        self.tensor.zero_()

    def sum(self, out=None):
        return self.value if out is None else torch.sum(self.tensor, 0, out)


class ExternalStream:
    def __init__(self, pointer):
        self.pointer = pointer

    def __enter__(self):
        STREAMS.append(self.pointer)

    def __exit__(self, *raised):
        STREAMS.append(None)


class Event(torch.Event):
    def __init__(self):
        super().__init__(enable_timing=True)

    @property
    def done(self):
        return self.query()


class Device(contextlib.nullcontext):
    attributes = {"L2CacheSize": 50 << 20}

    def __init__(self, index):
        super().__init__()

    def synchronize(self):
        pass


class RawKernel:
    def __init__(self, source, name):
        assert name in source

    def __call__(self, grid, block, arguments):
        torch.spin(*arguments)


def from_dlpack(x):
    return ndarray(x.__dlpack__())


def zeros(shape, dtype):
    return ndarray(torch.Tensor())


def add(a, b):
    return ndarray(torch.add(a.tensor, b.tensor))


cuda = types.SimpleNamespace(
    ExternalStream=ExternalStream, Event=Event, Device=Device, get_elapsed_time=lambda start, end: start.elapsed_time(end),
    runtime=types.SimpleNamespace(getDeviceProperties=lambda index: {"name": b"Simulated GPU"}))
