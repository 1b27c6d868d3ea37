# SPDX-License-Identifier: Apache-2.0
"""Transformers in the ways of larger trainings, and attention to long inputs."""
import torch
from torch import nn

from .common import attend, fixed, train
from .transformer import Transformer


def transformer(setting, vocabulary, width, layers):
    vocabulary, width = setting.size(vocabulary, 64), setting.size(width, 32)
    with setting.building():
        model = Transformer(vocabulary, width, max(2, width // 128), layers)
    batch, tokens = setting.size(8, 2), setting.size(1024, 8)
    return model.to(setting.device, setting.half), [setting.randint(vocabulary, batch, tokens) for _ in range(2)]


def compiled(setting, fault):
    model, batch = transformer(setting, 32768, 2048, 2)
    return train(setting, setting.compiled(model), fixed(*batch), autocast=False)


def accumulation(setting, fault):
    """Gradients of three batches are summed before each update."""
    model, batch = transformer(setting, 4096, 4096, 1)
    optimizer = setting.adamw(model.parameters())

    def train_step(i):
        for _ in range(3):
            (model(*batch) / 3).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return train_step


class Reader(nn.Module):
    """Latent vectors (batch, latents, width) that attend to a long input (batch, length, width)."""

    def __init__(self, width, heads, scores):
        super().__init__()
        self.query, self.pairs, self.out = nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width)
        self.heads, self.scores = heads, scores

    def forward(self, latents, inputs):
        batch, count, width = latents.shape
        query = self.query(latents).view(batch, count, self.heads, -1).transpose(1, 2)
        key, value = self.pairs(inputs).view(batch, inputs.shape[1], 2, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(query, key, value, steps=self.scores)
        return latents + self.out(mixed.transpose(1, 2).reshape(latents.shape))


def reading(setting, fault):
    width, batch = setting.size(1024, 16), setting.size(8, 2)
    model = Reader(width, max(2, width // 64), fault).to(setting.device, setting.half).eval()
    latents, inputs = setting.randn(batch, setting.size(1024, 4), width), setting.randn(batch, setting.size(8192, 12), width)

    @torch.no_grad()
    def read(i):
        return model(latents, inputs)

    return read


PROGRAMS = {"lm-compiled": compiled, "lm-accumulation": accumulation, "reader-scores": reading}
