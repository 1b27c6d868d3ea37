# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks: training."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, train


class Tagger(nn.Module):
    """An LSTM over (tokens, batch, width), by cells or as one operator, and a class for each token."""

    def __init__(self, width, hidden, classes, cells):
        super().__init__()
        self.cell = nn.LSTMCell(width, hidden) if cells else None
        self.lstm = None if cells else nn.LSTM(width, hidden)
        self.head = nn.Linear(hidden, classes)

    def states(self, x):
        if self.lstm is not None:
            return self.lstm(x)[0]
        state, outputs = None, []
        for token in x.unbind(0):
            state = self.cell(token, state)
            outputs.append(state[0])
        return torch.stack(outputs)

    def forward(self, x, targets):
        return F.cross_entropy(self.head(self.states(x)).flatten(0, 1), targets.flatten())


def cells(setting, fault):
    tokens, batch, width = setting.size(16, 5), setting.size(512, 2), setting.size(1024, 8)
    model = Tagger(width, width, 64, fault).to(setting.device)
    return train(setting, model, fixed(setting.randn(tokens, batch, width, dtype=torch.float32), setting.randint(64, tokens, batch)))


class Scan(nn.Module):
    """A gated linear recurrence: the gates of all tokens in one product, or token by token."""

    def __init__(self, width, stepwise):
        super().__init__()
        self.gates = nn.Linear(width, 3 * width)
        self.stepwise = stepwise

    def forward(self, x, targets):
        if self.stepwise:
            rows = torch.stack([self.gates(token) for token in x.unbind(0)])
        else:
            rows = self.gates(x)
        forget, enter, leave = rows.chunk(3, dim=-1)
        total = torch.cumsum(F.logsigmoid(forget).float(), dim=0)
        state = torch.cumsum(enter.float() * torch.exp(-total.clamp(min=-20)), dim=0) * torch.exp(total.clamp(min=-20))
        return F.mse_loss(state * torch.tanh(leave).float(), targets)


def gates(setting, fault):
    tokens, batch, width = setting.size(24, 5), setting.size(64, 2), setting.size(2048, 8)
    model = Scan(width, fault).to(setting.device)
    return train(setting, model, fixed(setting.randn(tokens, batch, width), setting.randn(tokens, batch, width, dtype=torch.float32)))


PROGRAMS = {"rnn-cells": cells, "rnn-gates": gates}
