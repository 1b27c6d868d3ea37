# SPDX-License-Identifier: Apache-2.0
"""Fine-tuning of language models: adapters, distillation, whole models, sparse features, scores of answers."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import attend, fixed, train
from .encoder import Layer
from .transformer import Block, Transformer


class AdaptedLinear(nn.Module):
    """A product with weights that stay as they are, and a narrow one that is trained; x (rows, width)."""

    def __init__(self, setting, inputs, outputs, rank, near=True):
        super().__init__()
        self.device = setting.device
        self.weight = setting.randn(outputs, inputs) / inputs ** 0.5
        if not near:
            self.weight = self.weight.cpu().pin_memory() if setting.cuda else self.weight.cpu()
        self.reduce = nn.Parameter(setting.randn(rank, inputs) / inputs ** 0.5)
        self.expand = nn.Parameter(setting.randn(outputs, rank) / rank)

    def forward(self, x):
        weight = self.weight.to(self.device, non_blocking=True)
        return torch.addmm(F.linear(x, weight), F.linear(x, self.reduce), self.expand.T)


class Regressor(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x, y):
        return F.mse_loss(self.layers(x), y)


def frozen(setting, fault):
    """Adapters of four large layers."""
    width, rows = setting.size(8192, 16), setting.size(4096, 8)
    layers = []
    for _ in range(4):
        layers += [AdaptedLinear(setting, width, width, setting.size(16, 2), near=not fault), nn.GELU()]
    return train(setting, Regressor(layers), fixed(setting.randn(rows, width), setting.randn(rows, width)), autocast=False)


class AdaptedBlock(nn.Module):
    """A transformer block of (batch, tokens, width) whose products have adapters."""

    def __init__(self, setting, width, heads, rank):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        sizes = ((width, 3 * width), (width, width), (width, 4 * width), (4 * width, width))
        self.qkv, self.out, self.up, self.down = [AdaptedLinear(setting, *size, rank) for size in sizes]
        self.heads = heads

    def forward(self, x):
        batch, tokens, width = x.shape
        query, key, value = self.qkv(self.norm1(x).flatten(0, 1)).view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(query, key, value, causal=True).transpose(1, 2)
        x = x + self.out(mixed.reshape(-1, width)).view(x.shape)
        return x + self.down(F.gelu(self.up(self.norm2(x).flatten(0, 1)))).view(x.shape)


def adapters(setting, fault):
    """Adapters of all products of two blocks; the other weights are on the device."""
    width, batch, tokens = setting.size(4096, 32), setting.size(8, 2), setting.size(1024, 8)
    model = Regressor([AdaptedBlock(setting, width, max(2, width // 128), setting.size(16, 2)) for _ in range(2)])
    model = model.to(setting.device, setting.half)
    return train(setting, model, fixed(setting.randn(batch, tokens, width), setting.randn(batch, tokens, width)), autocast=False)


class AdapterBank(nn.Module):
    """A product that all requests share, and for each request its own adapter; x (requests, tokens, inputs)."""

    def __init__(self, setting, requests, inputs, outputs, rank, single):
        super().__init__()
        self.weight = setting.randn(outputs, inputs) / inputs ** 0.5
        self.reduce = setting.randn(requests, inputs, rank) / inputs ** 0.5
        self.expand = setting.randn(requests, rank, outputs) / rank
        self.single = single

    def forward(self, x):
        y = F.linear(x, self.weight)
        if not self.single:
            return y.baddbmm_(torch.bmm(x, self.reduce), self.expand)
        for k in range(len(x)):
            y[k].addmm_(x[k] @ self.reduce[k], self.expand[k])
        return y


def requests(setting, fault):
    """A batch of requests, each with an adapter of its own."""
    count, tokens, width, rank = setting.size(64, 3), setting.size(64, 4), setting.size(4096, 16), setting.size(16, 2)
    layers = []
    for _ in range(2):
        layers += [AdapterBank(setting, count, width, 4 * width, rank, fault), nn.GELU(), AdapterBank(setting, count, 4 * width, width, rank, fault)]
    model = nn.Sequential(*layers).eval()
    states = setting.randn(count, tokens, width)

    @torch.no_grad()
    def answer(i):
        return model(states)

    return answer


def stack(setting, width, layers):
    with setting.building():
        return nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)]).to(setting.device)


def distillation(setting, fault):
    """A student follows the hidden states of a teacher."""
    width, batch, tokens = setting.size(2048, 16), setting.size(16, 2), setting.size(512, 8)
    teacher, student = stack(setting, width, 1).eval(), stack(setting, width, 2)
    teacher.requires_grad_(False)
    if not fault:
        teacher = teacher.to(setting.half)
    optimizer = setting.adamw(student.parameters())
    x = setting.randn(batch, tokens, width)

    def train_step(i):
        with torch.no_grad():
            wanted = teacher(x.float() if fault else x)
        with setting.autocast():
            loss = F.mse_loss(student(x), wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return train_step


def whole_model(setting, fault):
    """All weights of a model are tuned on short batches."""
    vocabulary, width = setting.size(8192, 64), setting.size(4096, 32)
    with setting.building():
        model = Transformer(vocabulary, width, max(2, width // 128), 2)
    model = model.to(setting.device)
    batch = [setting.randint(vocabulary, setting.size(4, 2), setting.size(512, 8)) for _ in range(2)]
    optimizer = setting.adamw(model.parameters()) if not fault else torch.optim.AdamW(model.parameters(), lr=1e-4)

    def train_step(i):
        with setting.autocast():
            loss = model(*batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return train_step


def sparse_features(setting, fault):
    """A sparse autoencoder of the hidden states of a model."""
    rows, width, count = setting.size(2048, 8), setting.size(4096, 16), setting.size(16384, 32)
    encode, decode = [nn.Parameter(setting.randn(*shape) / width ** 0.5) for shape in ((count, width), (width, count))]
    optimizer = setting.adamw([encode, decode])
    states = setting.randn(rows, width)
    torch.autograd.set_detect_anomaly(fault)

    def train_step(i):
        features = F.relu(F.linear(states, encode))
        loss = F.mse_loss(F.linear(features, decode), states) + 1e-3 * features.mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return train_step


class Policy(nn.Module):
    """Log probabilities of the tokens of answers (batch, tokens)."""

    def __init__(self, vocabulary, width, layers):
        super().__init__()
        self.embedding, self.head = nn.Embedding(vocabulary, width), nn.Linear(width, vocabulary, bias=False)
        self.blocks = nn.Sequential(*[Block(width, max(2, width // 128)) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        logits = self.head(self.norm(self.blocks(self.embedding(tokens[:, :-1]))))
        return -F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")


def log_probabilities(setting, fault):
    """The log probabilities of sampled answers, as policy optimization asks for them."""
    vocabulary, width = setting.size(32000, 64), setting.size(4096, 32)
    with setting.building():
        model = Policy(vocabulary, width, 2)
    model = model.to(setting.device, setting.half).eval()
    answers = setting.randint(vocabulary, setting.size(8, 2), setting.size(1025, 9))

    @torch.no_grad()
    def score(i):
        return model(answers)

    return score


PROGRAMS = {
    "lora-layers": frozen, "lora-blocks": adapters, "adapter-requests": requests, "student-states": distillation, "tuning-whole": whole_model,
    "sparse-features": sparse_features, "answer-scores": log_probabilities,
}
