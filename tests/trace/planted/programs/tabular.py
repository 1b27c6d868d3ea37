# SPDX-License-Identifier: Apache-2.0
"""Plain networks, two-tower models, rankers, value learning and graphs: training and inference."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import Prefetcher, fixed, mlp, train
from .recommender import Regression


def regression(setting, fault):
    rows, width = setting.size(32768, 16), setting.size(4096, 16)
    with setting.building():
        model = Regression([mlp(setting.size(512, 8), width, width, width, 64)])
    model = model.to(setting.device)
    return train(setting, model, fixed(setting.randn(rows, setting.size(512, 8)), setting.randn(rows, 64, dtype=torch.float32)))


def emulator(setting, fault):
    """Six large layers, whose update reads and writes as much as the products."""
    rows, width = setting.size(8192, 16), setting.size(4096, 16)
    with setting.building():
        model = Regression([mlp(*[width] * 7)])
    model = model.to(setting.device)
    batch = fixed(setting.randn(rows, width), setting.randn(rows, width, dtype=torch.float32))
    return train(setting, model, batch, fused=not fault)


def spectra(setting, fault):
    """Spectra of float32 come from the host's memory."""
    rows, width = setting.size(8192, 16), setting.size(4096, 16)
    with setting.building():
        model = Regression([mlp(width, 2 * width, 2 * width, 16)])
    model = model.to(setting.device)
    shards = [(torch.randn(rows, width), torch.randn(rows, 16)) for _ in range(2)]
    if not fault:
        return train(setting, model, Prefetcher(setting, shards))

    def load_batch(i):
        return [values.to(setting.device) for values in shards[i % 2]]

    return train(setting, model, load_batch)


class TwoTowers(nn.Module):
    """Features of images and texts that belong together; forward(images, texts) is the contrastive loss of a batch."""

    def __init__(self, width, out):
        super().__init__()
        self.image, self.text = mlp(width, 4 * width, width, out), mlp(width, 4 * width, width, out)

    def forward(self, images, texts):
        a, b = F.normalize(self.image(images), dim=1), F.normalize(self.text(texts), dim=1)
        logits = 20 * a @ b.T
        pairs = torch.arange(len(logits), device=logits.device)
        return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


def two_towers(setting, fault):
    rows, width = setting.size(8192, 16), setting.size(4096, 16)
    with setting.building():
        model = TwoTowers(width, setting.size(1024, 8))
    return train(setting, model.to(setting.device), fixed(setting.randn(rows, width), setting.randn(rows, width)))


class Ranker(nn.Module):
    """Scores of (batch, tables) ids, -1 for none, and dense features: all tables lie in one, all pairs of vectors are multiplied."""

    def __init__(self, rows, width, tables, hidden):
        super().__init__()
        self.table = nn.Embedding(rows * tables, width)
        self.bottom = mlp(16, 512, width)
        self.top = mlp((tables + 1) ** 2 + width, hidden, hidden // 2, 1)
        self.register_buffer("starts", torch.arange(tables) * rows)

    def forward(self, dense, ids):
        features = self.bottom(dense)
        vectors = torch.cat([features[:, None], self.table(ids + self.starts)], dim=1)
        pairs = torch.bmm(vectors, vectors.transpose(1, 2)).flatten(1)
        return self.top(torch.cat([features, pairs], dim=1)).squeeze(1)


def ranking(setting, fault):
    rows, tables, batch = setting.size(300_000, 50), setting.size(31, 3), setting.size(65536, 16)
    with setting.building():
        model = Ranker(rows, setting.size(128, 8), tables, setting.size(2048, 16))
    model = model.to(setting.device, setting.half).eval()
    dense, ids = setting.randn(batch, 16), setting.randint(rows, batch, tables)

    @torch.no_grad()
    def score(i):
        return model(dense, ids)

    return score


def value_learning(setting, fault):
    """Q-learning from a buffer; how far off the worst rows are goes into the priorities of the next draw."""
    rows, width, worst = setting.size(8192, 16), setting.size(4096, 16), setting.size(128, 4)
    with setting.building():
        model, target = mlp(width // 4, width, width, 64), mlp(width // 4, width, width, 64)
    model, target = model.to(setting.device), target.to(setting.device)
    optimizer = setting.adamw(model.parameters())
    states, following = setting.randn(rows, width // 4), setting.randn(rows, width // 4)
    actions, rewards = setting.randint(64, rows, 1), setting.randn(rows, 1, dtype=torch.float32)
    priorities = torch.ones(rows, device=setting.device)
    queue = {}

    def keep_priorities(errors):
        values, chosen = errors.flatten().topk(worst)
        if fault:
            for k in range(worst):
                queue[k] = values[k].item()
        else:
            priorities.index_copy_(0, chosen, values)

    def learn(i):
        with setting.autocast():
            with torch.no_grad():
                wanted = rewards + 0.99 * target(following).amax(1, keepdim=True)
            errors = model(states).gather(1, actions).float() - wanted
        keep_priorities(errors.detach().abs())
        F.huber_loss(errors, torch.zeros_like(errors)).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return learn


class Neighbours(nn.Module):
    """A layer of GraphSAGE: each node's vector and the mean of its neighbours', (nodes, count) indices."""

    def __init__(self, width):
        super().__init__()
        self.own = nn.Linear(width, width)
        self.others = nn.Parameter(torch.randn(width, width) / width ** 0.5)

    def forward(self, x, neighbours):
        mean = F.embedding_bag(neighbours, x, mode="mean")
        return torch.addmm(self.own(x), mean, self.others).relu_()


def neighbours(setting, fault):
    nodes, width = setting.size(262144, 16), setting.size(256, 8)
    layers = nn.ModuleList(Neighbours(width) for _ in range(3)).to(setting.device, setting.half).eval()
    x, edges = setting.randn(nodes, width), setting.randint(nodes, nodes, 16)

    @torch.no_grad()
    def embed(i):
        y = x
        for layer in layers:
            y = layer(y, edges)
        return y

    return embed


PROGRAMS = {
    "mlp-regression": regression, "emulator-update": emulator, "spectra-batches": spectra, "clip-towers": two_towers,
    "rec-ranking": ranking, "dqn-priorities": value_learning, "graph-neighbours": neighbours,
}
