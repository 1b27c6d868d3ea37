# SPDX-License-Identifier: Apache-2.0
"""Stands in for PyTorch where there is no GPU: tensors of one number, a GPU that is a clock, and LOG, what was asked in which order.
What a sample costs the processor is GPU.enqueue_s a launch; kernels take as long as kernel() says."""

import contextlib
import types

float32, bfloat16 = "float32", "bfloat16"

LOG = []
GPU = types.SimpleNamespace(busy_until=0.0, now=0.0, evict_s=60e-6, enqueue_s=0.0)


class Tensor:
    """A tensor of one number, and the memory that it stands in for."""

    def __init__(self, value=0.0, place=None, is_cuda=True):
        self.value, self.place, self.is_cuda = value, place or id(self), is_cuda
        self.device = types.SimpleNamespace(index=0, type="cuda")
        self.dtype, self.shape = "torch.float32", (1,)

    def __getitem__(self, part):
        return Tensor(place=("half", self.place))

    def zero_(self):
        LOG.append("write")
        GPU.busy_until = max(GPU.busy_until, GPU.now) + GPU.evict_s
        return self

    def data_ptr(self):
        return self.place

    def detach(self):
        return self

    def __dlpack__(self, stream=None):
        return self

    def clone(self):
        return Tensor(self.value)

    def numel(self):
        return 1

    def sum(self):
        return self.value

    def mean(self):
        return abs(self.value)

    def _with(self, value):
        return Tensor(value)

    def __abs__(self):
        return Tensor(abs(self.value))

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __invert__(self):
        return Tensor(not self.value)

    def __hash__(self):
        return id(self)


for name in ("add", "radd", "sub", "mul", "rmul", "le", "lt", "eq", "ne", "and", "or"):
    def operate(self, other, name=name):
        a, b = self.value, other.value if isinstance(other, Tensor) else other
        return Tensor({"add": lambda: a + b, "radd": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "rmul": lambda: a * b,
                       "le": lambda: a <= b, "lt": lambda: a < b, "eq": lambda: a == b, "ne": lambda: a != b,
                       "and": lambda: bool(a and b), "or": lambda: bool(a or b)}[name]())
    setattr(Tensor, f"__{name}__", operate)


class Event:
    def __init__(self, enable_timing=False):
        assert enable_timing
        self.at = 0.0

    def record(self):
        LOG.append("record")
        self.at = GPU.busy_until = max(GPU.busy_until, GPU.now)

    def query(self):
        return self.at <= GPU.now

    def synchronize(self):
        LOG.append("synchronize")
        GPU.now = max(GPU.now, self.at)

    def elapsed_time(self, end):
        return (end.at - self.at) * 1e3 + 1e-6


def kernel(seconds, name):
    """Returns a function that launches a kernel of so many seconds, which costs the processor GPU.enqueue_s."""
    def launch(x):
        LOG.append(name)
        GPU.now += GPU.enqueue_s
        GPU.busy_until = max(GPU.busy_until, GPU.now) + seconds
        return Tensor(x.value + 1)
    launch.__name__ = name
    return launch


def spin(cycles):
    LOG.append("hold")
    GPU.busy_until = max(GPU.busy_until, GPU.now) + cycles / 1e9


def sum(half, axis, out):
    LOG.append("read")


def zeros(shape, dtype=None, device=None):
    return Tensor()


def from_dlpack(x):
    return x.__dlpack__()


class Generator:
    def __init__(self, device=None):
        self.seed = 0

    def manual_seed(self, seed):
        self.seed = seed
        return self


def randn(shape, device=None, dtype=None, generator=None):
    return Tensor(generator.seed % 7)


def empty_like(x):
    return Tensor()


def add(a, b):
    kernel(10e-6, "add")(a)
    return Tensor(a.value + b.value)


def matmul(a, b):
    return kernel(200e-6, "matmul")(a)


cuda = types.SimpleNamespace(
    Event=Event, _sleep=spin, current_device=lambda: 0, device=lambda index: contextlib.nullcontext(), is_available=lambda: True,
    get_device_properties=lambda index: types.SimpleNamespace(name="Simulated GPU", L2_cache_size=50 << 20),
    current_stream=lambda: types.SimpleNamespace(cuda_stream=77),
    get_device_name=lambda: "Simulated GPU", empty_cache=lambda: None)
__version__ = "0"
