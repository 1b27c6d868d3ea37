# SPDX-License-Identifier: Apache-2.0
"""How calls are timed on a GPU: by events on the current stream, from a clean and cold L2, without the launches.

A sample is: write a buffer of twice the L2, read half of it (so that the L2 holds clean lines of it alone), hold the GPU where the
processor needs longer to enqueue the calls than the eviction takes, record an event, call, record an event, wait for it."""

import contextlib
import time

_LONGEST_HOLD_S = 2e-3
_LEAST_HOLD_S = 4e-6
_WATCHED = 16  # of so many samples two, one after the other, are watched for whether the GPU waited for the processor
_WARM_UP = 4  # watched samples that say nothing: functions launch slowly the first times
_PATIENCE = 8  # watched samples without a wait after which a shorter hold is tried


class TorchBackend:
    """What the timer needs of PyTorch."""

    name = "torch"

    def __init__(self, torch, device):
        self.torch, self.device = torch, device
        properties = torch.cuda.get_device_properties(device)
        self.gpu = properties.name
        self.l2_bytes = int(getattr(properties, "L2_cache_size", 0) or 64 << 20)

    def scope(self):
        return self.torch.cuda.device(self.device)

    def event(self):
        return self.torch.cuda.Event(enable_timing=True)

    def buffer(self, floats):
        return self.torch.zeros(floats, dtype=self.torch.float32, device=f"cuda:{self.device}")

    def reader(self, half):
        """Returns what reads an array of floats once."""
        torch, slot = self.torch, self.torch.zeros((), dtype=self.torch.float32, device=half.device)
        return lambda: torch.sum(half, 0, out=slot)

    @staticmethod
    def writer(buffer):
        return buffer.zero_

    @staticmethod
    def seconds_between(start, end):
        return start.elapsed_time(end) * 1e-3

    @staticmethod
    def reached(event):
        return event.query()

    def spinner(self):
        """Returns what keeps the GPU busy for a number of its clock cycles; None where this version has no such function."""
        return getattr(self.torch.cuda, "_sleep", None)

    def wait(self):
        self.torch.cuda.synchronize()


class CupyBackend:
    """What the timer needs of CuPy."""

    name = "cupy"

    def __init__(self, cupy, device):
        self.cupy, self.device = cupy, device
        attributes = cupy.cuda.Device(device).attributes
        self.gpu = cupy.cuda.runtime.getDeviceProperties(device)["name"].decode()
        self.l2_bytes = int(attributes.get("L2CacheSize", 0) or 64 << 20)

    def scope(self):
        return self.cupy.cuda.Device(self.device)

    def event(self):
        return self.cupy.cuda.Event()

    def buffer(self, floats):
        return self.cupy.zeros(floats, dtype="float32")

    def reader(self, half):
        slot = self.cupy.zeros((), dtype="float32")
        return lambda: half.sum(out=slot)

    @staticmethod
    def writer(buffer):
        return lambda: buffer.fill(0)

    def seconds_between(self, start, end):
        return self.cupy.cuda.get_elapsed_time(start, end) * 1e-3

    @staticmethod
    def reached(event):
        return event.done

    def spinner(self):
        spin = self.cupy.RawKernel(
            'extern "C" __global__ void spin(long long n) { long long b = clock64(); while (clock64() - b < n); }', "spin")
        return lambda cycles: spin((1,), (1,), (self.cupy.int64(cycles),))

    def wait(self):
        self.cupy.cuda.Device(self.device).synchronize()


class CudaTimer:
    """Times calls with events on the current stream of one GPU."""

    on_gpu = True

    def __init__(self, backend, cold=True, hold=True):
        self._backend = backend
        self._hold_wanted = hold
        self._start, self._end = backend.event(), backend.event()
        self._steps = self._eviction() if cold else []
        self._cold = cold
        self._hold_s, self._hold_cycles, self._spin = 0.0, 0, None
        self._cycles_per_s = 0.0
        self._samples = self._watched = self._starved = self._unstarved = 0
        self._watched_until = 2 * _WARM_UP  # the sample before which each one is watched
        self._too_short_s = 0.0  # the longest hold with which the GPU waited of late
        self._between_s = 0.0

    def _eviction(self):
        """The steps that leave the L2 cold and clean."""
        floats = max(1, 2 * self._backend.l2_bytes // 4)
        self._buffer = self._backend.buffer(floats)
        self._evicted_bytes = 4 * floats
        return [self._backend.writer(self._buffer), self._backend.reader(self._buffer[: floats // 2])]

    def scope(self):
        """Makes the GPU of the arrays the current one."""
        return self._backend.scope()

    def _calibrate_hold(self):
        """Learns how many cycles of the spinning kernel are a second."""
        self._spin = self._backend.spinner() if self._hold_wanted else None
        if self._spin is None:
            return
        cycles = 1_000_000
        for _ in range(2):  # the first launch also loads the kernel
            self._start.record()
            self._spin(cycles)
            self._end.record()
            self._end.synchronize()
        self._cycles_per_s = cycles / max(self._backend.seconds_between(self._start, self._end), 1e-6)

    def _measure_pair(self):
        """What two events read with nothing between them, the least of some."""
        found = []
        for _ in range(10):
            for step in self._steps:
                step()
            self._start.record()
            self._end.record()
            self._end.synchronize()
            found.append(self._backend.seconds_between(self._start, self._end))
        self._between_s = min(found)

    def describe_to(self, session, calls_per_sample):
        self._calibrate_hold()
        self._measure_pair()
        session.set("ridge_set_gpu_time", 1)
        session.set("ridge_set_calls_per_sample", calls_per_sample)
        session.set("ridge_set_fact", "gpu", self._backend.gpu)
        session.set("ridge_set_fact", "gpu_clock", f"events of {self._backend.name} on the current stream; two with nothing between "
                    f"them read {self._between_s * 1e6:.2f} us, part of every sample")
        if self._cold:
            cache = f"cold and clean: {self._evicted_bytes / 1e6:.0f} MB written and half of them read before every sample"
        else:
            cache = "warm: nothing is evicted between samples"
        if calls_per_sample > 1:
            cache += f"; {calls_per_sample} calls in each sample, of which the first one meets that cache"
        session.set("ridge_set_fact", "gpu_cache", cache)

    def sample(self, function, arguments, calls):
        start, end = self._start, self._end
        for step in self._steps:
            step()
        if self._hold_cycles:
            self._spin(self._hold_cycles)
        watched = self._samples < self._watched_until or self._samples % _WATCHED < 2
        begin_s = time.perf_counter() if watched else 0.0
        start.record()
        for _ in range(calls):
            output = function(*arguments)
        end.record()
        if watched:
            self._watch(time.perf_counter() - begin_s)
        self._samples += 1
        end.synchronize()
        return self._backend.seconds_between(start, end), output

    def _watch(self, enqueue_s):
        """Where the GPU had reached the first event before everything was enqueued, it waited for the processor: it is held longer.
        Where it did not for a while, a shorter hold is tried, down to one that has been too short of late."""
        starved = self._backend.reached(self._start)
        if self._samples < _WARM_UP:
            return
        self._watched += 1
        self._starved += starved
        self._unstarved = 0 if starved else self._unstarved + 1
        if self._spin is None:
            return
        if starved and self._hold_s < _LONGEST_HOLD_S:
            self._too_short_s = max(self._too_short_s, self._hold_s)
            self._hold_for(min(_LONGEST_HOLD_S, max(1.5 * self._hold_s, 0.5 * enqueue_s, _LEAST_HOLD_S)))
        elif self._hold_s and self._unstarved % _PATIENCE == _PATIENCE - 1:
            shorter_s = 0.7 * self._hold_s
            if shorter_s > 1.2 * self._too_short_s:
                self._hold_for(shorter_s if shorter_s >= _LEAST_HOLD_S else 0.0)
                self._watched_until = self._samples + 4
            self._too_short_s *= 0.8  # what was too short once may have been a slow moment

    def _hold_for(self, seconds):
        self._hold_s = seconds
        self._hold_cycles = int(seconds * self._cycles_per_s)

    def add_checks(self, session):
        from . import _library as c

        held = f"the GPU was held, at last for {self._hold_s * 1e6:.0f} us before a sample, so that launches are not part of its time"
        if not self._hold_s:
            held = "the eviction lasts longer than the launches, which are therefore not part of the time"
        late = self._starved > 0.25 * max(1, self._watched)
        if late:
            held = (f"launch-bound: in {self._starved} of {self._watched} samples that were watched the GPU waited for Python, and its "
                    "time holds that wait; give more work to a call, use a CUDA graph, or calls=N")
        session.set("ridge_add_check", "launches", c.WARN if late else c.PASS, held)


def timer_for(arrays, cold, hold):
    """Returns the timer for a comparison whose arguments or outputs hold these arrays on a GPU."""
    import sys

    from ._arrays import library_of

    tensors = [x for x in arrays if library_of(x) == "torch"]
    if tensors:
        torch = sys.modules["torch"]
        device = tensors[0].device.index
        return CudaTimer(TorchBackend(torch, torch.cuda.current_device() if device is None else device), cold, hold)
    return CudaTimer(CupyBackend(sys.modules["cupy"], arrays[0].device.id), cold, hold)


@contextlib.contextmanager
def cupy_on_stream_of_torch(active):
    """CuPy's own current stream may be another than that of PyTorch, whose events time: makes it the same."""
    import sys

    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if not active or torch is None or cupy is None:
        yield
        return
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        yield
