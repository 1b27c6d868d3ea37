# SPDX-License-Identifier: Apache-2.0
"""What the programs share: the device they run on, data types, optimizers, graphs."""
import contextlib
import math

import torch
from torch import nn
from torch.nn import functional as F


class Setting:
    """Where a program runs and how large it is. On the CPU everything is float32 and unfused: there only shapes are tried."""

    def __init__(self, device="cuda", tiny=False):
        self.device = torch.device(device)
        self.cuda = self.device.type == "cuda"
        self.tiny = tiny
        self.half = torch.bfloat16 if self.cuda else torch.float32

    def size(self, full, tiny):
        return tiny if self.tiny else full

    def autocast(self, enabled=True):
        if not self.cuda or not enabled:
            return contextlib.nullcontext()
        return torch.autocast("cuda", dtype=torch.bfloat16)

    def randn(self, *shape, dtype=None):
        return torch.randn(*shape, device=self.device, dtype=dtype or self.half)

    def randint(self, high, *shape):
        return torch.randint(high, shape, device=self.device)

    def building(self):
        """Inside, modules make their weights on the device at once."""
        return self.device if self.cuda else contextlib.nullcontext()

    def synchronize(self):
        if self.cuda:
            torch.cuda.synchronize()

    def adamw(self, parameters, fused=True):
        if self.cuda and fused:
            return torch.optim.AdamW(parameters, lr=1e-4, fused=True)
        return torch.optim.AdamW(parameters, lr=1e-4, foreach=False)

    def compiled(self, function):
        """The function or module through torch.compile."""
        return torch.compile(function, dynamic=False) if self.cuda else function

    def capture(self, function):
        """The function as a CUDA graph, which computes on the same tensors at each replay."""
        if not self.cuda:
            return function
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                function()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            output = function()

        def replay():
            graph.replay()
            return output

        return replay


def attend(query, key, value, causal=False, steps=False):
    """Attention of (batch, heads, tokens, size); PyTorch's fused operator where there is one, or step by step."""
    if not steps and hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1).to(value.dtype) @ value


def train(setting, model, load_batch, fused=True, autocast=True, before_update=None):
    """A training step: loss of model(*batch), backward, AdamW. before_update(loss) runs between backward and the update."""
    optimizer = setting.adamw(model.parameters(), fused=fused)

    def train_step(i):
        batch = load_batch(i)
        with setting.autocast(autocast):
            loss = model(*batch)
        loss.backward()
        if before_update is not None:
            before_update(loss)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return train_step


def fixed(*batch):
    """A load_batch that has everything on the device already."""
    def load_batch(i):
        return batch

    return load_batch


class Prefetcher:
    """A load_batch that copies the next batch on a stream of its own while the step computes."""

    def __init__(self, setting, batches):
        self.device, self.stream = setting.device, torch.cuda.Stream() if setting.cuda else None
        self.batches = [[tensor.pin_memory() if setting.cuda else tensor for tensor in batch] for batch in batches]
        self.following = self.copy(0)

    def copy(self, i):
        batch = self.batches[i % len(self.batches)]
        if self.stream is None:
            return batch
        with torch.cuda.stream(self.stream):
            return [tensor.to(self.device, non_blocking=True) for tensor in batch]

    def __call__(self, i):
        ready = self.following
        if self.stream is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            for tensor in ready:
                tensor.record_stream(torch.cuda.current_stream())
        self.following = self.copy(i + 1)
        return ready


def mlp(*widths):
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
