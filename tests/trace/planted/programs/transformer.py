# SPDX-License-Identifier: Apache-2.0
"""A decoder-only transformer whose layers can be built in the ways that users build them."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from .common import attend


class Attention(nn.Module):
    def __init__(self, width, heads, scores=False, split=False):
        super().__init__()
        self.heads, self.scores, self.split = heads, scores, split
        if split:
            self.projections = nn.ModuleList(nn.Linear(width, width // heads) for _ in range(3 * heads))
        else:
            self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def project(self, x):
        """(batch, tokens, width) as query, key and value of (batch, heads, tokens, width / heads)."""
        batch, tokens, width = x.shape
        if self.split:
            parts = [projection(x) for projection in self.projections]
            return [torch.stack(parts[k::3], dim=1) for k in range(3)]
        return self.qkv(x).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)

    def forward(self, x):
        query, key, value = self.project(x)
        mixed = attend(query, key, value, causal=True, steps=self.scores)
        return self.out(mixed.transpose(1, 2).reshape(x.shape))


class Block(nn.Module):
    def __init__(self, width, heads, scores=False, split=False, high=False, wait=None):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, scores, split)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.high, self.wait = high, wait

    def hold(self, x, dtype):
        """x through float32 and in dtype again, where this block keeps its values in high precision."""
        return x.to(torch.float32).to(dtype) if self.high else x

    def forward(self, x):
        dtype = x.dtype
        x = x + self.hold(self.attention(self.hold(self.norm1(self.hold(x, dtype)), dtype)), dtype)
        if self.wait is not None:
            self.wait()
        hidden = self.hold(F.gelu(self.hold(self.up(self.hold(self.norm2(self.hold(x, dtype)), dtype)), dtype)), dtype)
        x = x + self.hold(self.down(hidden), dtype)
        if self.wait is not None:
            self.wait()
        return x


class Transformer(nn.Module):
    """forward(tokens, targets) is the loss; both (batch, tokens)."""

    def __init__(self, vocabulary, width, heads, layers, recompute=False, **block):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads, **block) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.recompute = recompute

    def forward(self, tokens, targets):
        x = self.embedding(tokens).to(self.head.weight.dtype)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.recompute else block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
