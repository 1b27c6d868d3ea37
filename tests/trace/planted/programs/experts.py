# SPDX-License-Identifier: Apache-2.0
"""Mixtures of experts: the tokens of each expert in a product of their own, or all experts in one batched product."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, train


class Experts(nn.Module):
    """Each token goes to one expert. loops: a product for each expert; else a batched product with room for `capacity` tokens each."""

    def __init__(self, width, hidden, experts, loops):
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, width, hidden) / width ** 0.5)
        self.down = nn.Parameter(torch.randn(experts, hidden, width) / hidden ** 0.5)
        self.experts, self.loops = experts, loops

    def dispatch(self, x, chosen):
        """What the expert `chosen` (tokens) makes of each row of x (tokens, width)."""
        order = chosen.argsort()
        counts = (chosen[:, None] == torch.arange(self.experts, device=x.device)).sum(0)
        up, down = self.up.to(x.dtype), self.down.to(x.dtype)
        if self.loops:
            parts = zip(x.index_select(0, order).split(counts.tolist()), up.unbind(0), down.unbind(0))
            return torch.zeros_like(x).index_copy(0, order, torch.cat([F.gelu(part @ u) @ d for part, u, d in parts]))
        capacity = 4 * max(1, len(x) // self.experts)
        starts = counts.cumsum(0) - counts
        place = torch.arange(len(x), device=x.device) - starts[chosen[order]]
        slot = chosen[order] * capacity + place.clamp(max=capacity - 1)
        grouped = torch.zeros(self.experts * capacity, x.shape[1], device=x.device, dtype=x.dtype).index_copy(0, slot, x.index_select(0, order))
        y = torch.bmm(F.gelu(torch.bmm(grouped.view(self.experts, capacity, -1), up)), down)
        return torch.zeros_like(x).index_copy(0, order, y.flatten(0, 1).index_select(0, slot))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).max(-1)
        return x + self.dispatch(x, chosen) * weights[:, None]


def inference(setting, fault):
    width, hidden, count, tokens = setting.size(4096, 16), setting.size(4096, 24), setting.size(64, 4), setting.size(512, 12)
    with setting.building():
        model = Experts(width, hidden, count, fault)
    model = model.to(setting.device, setting.half)
    x = setting.randn(tokens, width)

    @torch.no_grad()
    def answer(i):
        return model(x)

    return answer


class Model(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x, y):
        return F.mse_loss(self.layers(x).float(), y)


def training(setting, fault):
    width, hidden, count, tokens = setting.size(1024, 16), setting.size(4096, 24), setting.size(16, 4), setting.size(512, 12)
    with setting.building():
        model = Model(nn.Linear(width, width), Experts(width, hidden, count, fault))
    model = model.to(setting.device, setting.half)
    return train(setting, model, fixed(setting.randn(tokens, width), setting.randn(tokens, width, dtype=torch.float32)), autocast=False)


PROGRAMS = {"moe-inference": inference, "moe-training": training}
