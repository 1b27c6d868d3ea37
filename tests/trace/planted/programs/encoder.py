# SPDX-License-Identifier: Apache-2.0
"""Encoders over many tokens at once: inference."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import attend


class Layer(nn.Module):
    def __init__(self, width, heads, scores=False):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.heads, self.scores = heads, scores

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(q, k, v, steps=self.scores)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


def encoder(setting, width=1024, layers=4, batch=16, tokens=1024, dtype=None, **options):
    width = setting.size(width, 32)
    with setting.building():
        model = nn.Sequential(*[Layer(width, max(1, width // 64), **options) for _ in range(layers)])
    model = model.to(setting.device, dtype or setting.half).eval()
    x = setting.randn(setting.size(batch, 2), setting.size(tokens, 8), width, dtype=dtype)

    @torch.no_grad()
    def embed(i):
        return model(x)

    return embed


def scores(setting, fault):
    return encoder(setting, layers=3, batch=4, tokens=4096, scores=fault)


def float32(setting, fault):
    return encoder(setting, dtype=torch.float32 if fault else None)


def prompts(setting, fault):
    return encoder(setting, width=4096, layers=2, batch=8, tokens=2048)


PROGRAMS = {"encoder-scores": scores, "encoder-float32": float32, "encoder-prompts": prompts}
