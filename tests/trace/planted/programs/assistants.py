# SPDX-License-Identifier: Apache-2.0
"""Serving of language models: drafts that are verified, captions of a stream, routed tokens, scores that are written down."""
import json
import tempfile

import torch
from torch import nn
from torch.nn import functional as F

from .common import attend
from .encoder import Layer
from .photos import Outbox


class CachedLayer(nn.Module):
    """A layer whose new tokens attend to a cache, a pair of (batch, heads, length, size)."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 4 * width, bias=False), nn.Linear(4 * width, width, bias=False)
        self.heads = heads

    def project(self, x):
        batch, tokens, width = x.shape
        return self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)

    def finish(self, x, mixed):
        x = x + self.out(mixed.transpose(1, 2).reshape(x.shape))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Verifier(nn.Module):
    """The chances of drafted tokens (batch, drafted) after a long prompt whose keys and values are kept."""

    def __init__(self, setting, vocabulary, width, layers, batch, length, drafted):
        super().__init__()
        heads = max(2, width // 128)
        with setting.building():
            self.embedding, self.head = nn.Embedding(vocabulary, width), nn.Linear(width, vocabulary, bias=False)
            self.layers = nn.ModuleList(CachedLayer(width, heads) for _ in range(layers))
        self.to(setting.device, setting.half)
        self.length = length
        self.caches = [[setting.randn(batch, heads, length + drafted, width // heads) for _ in range(2)] for _ in range(layers)]

    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer, (keys, values) in zip(self.layers, self.caches):
            query, keys[:, :, self.length:], values[:, :, self.length:] = layer.project(x)
            x = layer.finish(x, attend(query, keys, values))
        return self.head(x).float().softmax(-1)


def drafts(setting, fault):
    """How many drafted tokens of each sequence the large model accepts."""
    batch, drafted, vocabulary = setting.size(16, 2), setting.size(4, 2), setting.size(32000, 64)
    model = Verifier(setting, vocabulary, setting.size(4096, 32), 2, batch, setting.size(16384, 8), drafted).eval()
    tokens = setting.randint(vocabulary, batch, drafted)

    def chances():
        return model(tokens).gather(2, tokens[..., None]).squeeze(2)

    with torch.no_grad():
        drafter = chances() / 0.9
    places = torch.arange(1, drafted + 1, device=setting.device)

    def accept(ratio, draw):
        if not fault:
            return (ratio > draw).cumprod(1).sum(1)
        accepted = []
        for k in range(batch):
            count = 0
            while count < drafted and ratio[k, count] > draw[k, count]:
                count += 1
            accepted.append(count)
        return torch.tensor(accepted, device=setting.device)

    @torch.no_grad()
    def verify(i):
        accepted = accept(chances() / drafter, torch.rand(batch, drafted, device=setting.device))
        return torch.where(places <= accepted[:, None], tokens, torch.zeros_like(tokens))

    return verify


class StreamLayer(CachedLayer):
    """A layer that remembers the keys and values of all chunks of a stream so far."""

    def begin(self, prompt, room):
        """prompt: keys and values of what was said before; room: with space for more chunks, or None."""
        self.prompt, self.cache, self.filled = prompt, room, prompt[0].shape[2]

    def restart(self):
        self.filled = self.prompt[0].shape[2]
        self.kept = self.prompt

    def remember(self, key, value):
        first, self.filled = self.filled, self.filled + key.shape[2]
        if self.cache is None:
            self.kept = [torch.cat([old, new], dim=2) for old, new in zip(self.kept, (key, value))]
            return self.kept
        for cache, new in zip(self.cache, (key, value)):
            cache[:, :, first:self.filled] = new
        return [cache[:, :, :self.filled] for cache in self.cache]

    def forward(self, x):
        query, key, value = self.project(x)
        return self.finish(x, attend(query, *self.remember(key, value)))


def captions(setting, fault):
    """Four chunks of a stream of speech, which attend to the hours before."""
    width, batch, chunk, length = setting.size(1024, 16), setting.size(32, 2), setting.size(64, 2), setting.size(16384, 8)
    heads = max(2, width // 64)
    with setting.building():
        model = StreamLayer(width, heads)
    model = model.to(setting.device, setting.half).eval()
    spaces = [setting.randn(batch, heads, length + 4 * chunk, width // heads) for _ in range(2)]
    prompt = [space[:, :, :length] for space in spaces]
    model.begin([keys.contiguous() for keys in prompt] if fault else prompt, None if fault else spaces)
    chunks = [setting.randn(batch, chunk, width) for _ in range(4)]

    @torch.no_grad()
    def listen(i):
        model.restart()
        return [model(x) for x in chunks]

    return listen


class RoutedExperts(nn.Module):
    """Each token goes to a few experts of many, of the gated kind."""

    def __init__(self, setting, width, hidden, experts, each, looped):
        super().__init__()
        self.gate = setting.randn(experts, width) / width ** 0.5
        self.up = setting.randn(experts, 2 * hidden, width) / width ** 0.5
        self.down = setting.randn(experts, width, hidden) / hidden ** 0.5
        self.each, self.looped = each, looped

    def multiply(self, rows, counts):
        multiply = getattr(F, "grouped_mm", None) or getattr(torch, "_grouped_mm", None)
        if self.looped or multiply is None:
            parts = []
            for part, up, down in zip(rows.split(counts.tolist()), self.up.unbind(0), self.down.unbind(0)):
                gate, value = F.linear(part, up).chunk(2, dim=-1)
                parts.append(F.linear(F.silu(gate) * value, down))
            return torch.cat(parts)
        ends = counts.cumsum(0).to(torch.int32)
        gate, value = multiply(rows, self.up.transpose(1, 2), offs=ends).chunk(2, dim=-1)
        return multiply(F.silu(gate) * value, self.down.transpose(1, 2), offs=ends)

    def forward(self, x):
        weights, chosen = F.linear(x, self.gate).softmax(-1).topk(self.each, dim=-1)
        order = chosen.flatten().argsort()
        counts = (chosen.flatten()[:, None] == torch.arange(len(self.up), device=x.device)).sum(0)
        rows = self.multiply(x.index_select(0, order // self.each), counts)
        spread = torch.empty_like(rows).index_copy_(0, order, rows).view(len(x), self.each, -1)
        return torch.bmm(weights[:, None].to(x.dtype), spread).squeeze(1)


def routing(setting, fault):
    width, experts = setting.size(4096, 16), setting.size(128, 4)
    model = RoutedExperts(setting, width, setting.size(1536, 16), experts, setting.size(4, 2), fault).eval()
    x = setting.randn(setting.size(512, 12), width)

    @torch.no_grad()
    def route(i):
        return model(x)

    return route


class Moderator(nn.Module):
    """Scores of 32 labels for messages (batch, tokens, width)."""

    def __init__(self, width, layers):
        super().__init__()
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)])
        self.head = nn.Linear(width, 32)

    def forward(self, x):
        return self.head(self.layers(x).amax(1)).float().sigmoid()


def moderation(setting, fault):
    """The scores of all messages are written down."""
    width, batch = setting.size(2048, 16), setting.size(512, 4)
    with setting.building():
        model = Moderator(width, 2)
    model = model.to(setting.device, setting.half).eval()
    x = setting.randn(batch, setting.size(32, 4), width)
    file = open(tempfile.mkdtemp() + "/scores", "wb", buffering=0)
    outbox = Outbox(setting, (batch, 32), torch.float32)

    def write_down(i, scores):
        file.seek(0)
        if fault:
            rows = [{"message": k, "scores": row} for k, row in enumerate(scores.tolist())]
            file.write(json.dumps({"step": i, "rows": rows}).encode())
        else:
            outbox.send(i, scores)
            file.write(outbox.oldest(i).numpy().data)

    @torch.no_grad()
    def moderate(i):
        write_down(i, model(x))

    return moderate


PROGRAMS = {"draft-tokens": drafts, "stream-captions": captions, "routed-tokens": routing, "message-scores": moderation}
