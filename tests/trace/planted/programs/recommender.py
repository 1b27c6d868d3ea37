# SPDX-License-Identifier: Apache-2.0
"""Recommenders, plain networks and graph networks: training."""
import random

import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, mlp, train


class Recommender(nn.Module):
    """Tables of embeddings and two plain networks; forward(dense, ids, clicks) is the loss, ids (batch, tables), -1 for none."""

    def __init__(self, rows, width, tables, filtered=False):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(tables))
        self.bottom = mlp(16, 512, 512, width)
        self.top = mlp(width * (tables + 1), 2048, 1024, 1)
        self.filtered = filtered

    def look_up(self, table, ids):
        known = ids >= 0
        if self.filtered:
            vectors = torch.zeros(len(ids), table.embedding_dim, device=ids.device)
            vectors[known] = table(ids[known])
            return vectors
        return table(ids.clamp(min=0)) * known[:, None]

    def forward(self, dense, ids, clicks):
        features = [self.bottom(dense)] + [self.look_up(table, ids[:, k]) for k, table in enumerate(self.tables)]
        return F.binary_cross_entropy_with_logits(self.top(torch.cat(features, dim=1)).squeeze(1).float(), clicks)


def clicks_of(setting, batch, rows, tables):
    ids = setting.randint(rows, batch, tables)
    ids = torch.where(setting.randint(10, batch, tables) == 0, torch.full_like(ids, -1), ids)
    return setting.randn(batch, 16, dtype=torch.float32), ids, setting.randint(2, batch).float()


def known_ids(setting, fault):
    rows, width, tables = setting.size(20000, 50), setting.size(128, 8), 6
    model = Recommender(rows, width, tables, filtered=fault).to(setting.device)
    return train(setting, model, fixed(*clicks_of(setting, setting.size(16384, 16), rows, tables)))


def negatives(setting, fault):
    """Pairs that were not clicked are drawn for each batch."""
    rows, width, tables = setting.size(20000, 50), setting.size(128, 8), 4
    model = Recommender(rows, width, tables).to(setting.device)
    batch = setting.size(16384, 16)
    dense, ids, clicks = clicks_of(setting, batch, rows, tables)
    draw = random.Random(1)

    def draw_items():
        if fault:
            return torch.tensor([[draw.randrange(rows) for _ in range(tables)] for _ in range(batch)]).to(setting.device)
        return torch.randint(rows, (batch, tables), device=setting.device)

    def load_batch(i):
        return dense, torch.where(clicks[:, None] > 0, ids, draw_items()), clicks

    return train(setting, model, load_batch)


def tables(setting, fault):
    """Many small tables, all updated in every step."""
    rows, width, count = setting.size(2000, 50), setting.size(64, 8), 6
    model = Recommender(rows, width, count).to(setting.device)
    batch = clicks_of(setting, setting.size(16384, 16), rows, count)
    return train(setting, model, fixed(*batch), fused=not fault)


class Layer(nn.Module):
    """Product, bias, GELU, dropout, layer norm: in PyTorch's operators, or step by step."""

    def __init__(self, width, steps):
        super().__init__()
        self.linear, self.norm, self.steps = nn.Linear(width, width), nn.LayerNorm(width), steps

    def forward(self, x):
        y = self.linear(x)
        if not self.steps:
            return x + self.norm(F.dropout(F.gelu(y, approximate="tanh"), 0.1))
        y = 0.5 * y * (1 + torch.tanh(0.7978845608 * (y + 0.044715 * y * y * y)))
        y = y * (torch.rand_like(y) > 0.1) / 0.9
        centred = y - y.mean(-1, keepdim=True)
        y = centred / torch.sqrt((centred * centred).mean(-1, keepdim=True) + 1e-5)
        return x + (y * self.norm.weight + self.norm.bias).to(x.dtype)


class Regression(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x, y):
        return F.mse_loss(self.layers(x).float(), y)


def activations(setting, fault):
    rows, width = setting.size(32768, 16), setting.size(1024, 32)
    model = Regression([Layer(width, fault) for _ in range(3)]).to(setting.device)
    return train(setting, model, fixed(setting.randn(rows, width), setting.randn(rows, width, dtype=torch.float32)))


def wide(setting, fault):
    """A network whose hidden layer has one unit more than what fits the products' tiles."""
    rows, width = setting.size(16384, 16), setting.size(2048, 32)
    hidden = setting.size(8191, 63) if fault else setting.size(8192, 64)
    layers = [nn.Linear(width, hidden, bias=False), nn.GELU(), nn.Linear(hidden, width, bias=False)]
    model = Regression(layers).to(setting.device)
    return train(setting, model, fixed(setting.randn(rows, width), setting.randn(rows, width, dtype=torch.float32)))


class GraphNetwork(nn.Module):
    """Sums the nodes of each graph; the nodes of a graph lie side by side, all graphs have as many."""

    def __init__(self, width, graphs, indexed):
        super().__init__()
        self.embed, self.read = nn.Linear(width, width), nn.Linear(width, 1)
        self.graphs, self.indexed = graphs, indexed

    def forward(self, nodes, graph_of, y):
        hidden = F.relu(self.embed(nodes)).float()
        if self.indexed:
            sums = torch.zeros(self.graphs, hidden.shape[1], device=nodes.device).index_add(0, graph_of, hidden)
        else:
            sums = hidden.view(self.graphs, -1, hidden.shape[1]).sum(1)
        return F.mse_loss(self.read(sums).squeeze(1).float(), y)


def graphs(setting, fault):
    count, nodes, width = 8, setting.size(262144, 8), setting.size(128, 8)
    model = GraphNetwork(width, count, fault).to(setting.device)
    graph_of = torch.arange(count, device=setting.device).repeat_interleave(nodes)
    return train(setting, model, fixed(setting.randn(count * nodes, width), graph_of, setting.randn(count, dtype=torch.float32)))


PROGRAMS = {
    "rec-known-ids": known_ids, "rec-negatives": negatives, "rec-tables": tables, "mlp-activations": activations, "mlp-wide": wide,
    "graph-readout": graphs,
}
