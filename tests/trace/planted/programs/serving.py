# SPDX-License-Identifier: Apache-2.0
"""Language models that answer many requests: prompts, tokens, long documents, experts, products of eight bits."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import attend

TOKENS = 4


class Layer(nn.Module):
    """forward(x, cache) attends to cache, a pair of (batch, heads, length, size), or where that is None to x itself."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 2 * hidden, bias=False), nn.Linear(hidden, width, bias=False)
        self.heads = heads

    def mix(self, x, cache, place):
        batch, tokens, width = x.shape
        query, key, value = self.qkv(x).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        if cache is None:
            mixed = attend(query, key, value, causal=True)
        else:
            cache[0][:, :, place:place + tokens], cache[1][:, :, place:place + tokens] = key, value
            mixed = attend(query, cache[0][:, :, :place + tokens], cache[1][:, :, :place + tokens])
        return self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))

    def forward(self, x, cache=None, place=0):
        x = x + self.mix(self.norm1(x), cache, place)
        gate, up = self.up(self.norm2(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * up)


class Server(nn.Module):
    def __init__(self, setting, layers, length, vocabulary=32000):
        super().__init__()
        self.width, self.heads = setting.size(4096, 32), setting.size(32, 2)
        vocabulary = setting.size(vocabulary, 64)
        with setting.building():
            self.layers = nn.ModuleList(Layer(self.width, self.heads, setting.size(11008, 48)) for _ in range(layers))
            self.embedding, self.head = nn.Embedding(vocabulary, self.width), nn.Linear(self.width, vocabulary, bias=False)
            self.places = nn.Embedding(length, self.width)
        self.to(setting.device, setting.half).eval()

    def caches(self, setting, batch, length):
        return [[setting.randn(batch, self.heads, length, self.width // self.heads) for _ in range(2)] for _ in self.layers]

    @torch.no_grad()
    def forward(self, tokens, caches=None, place=0):
        """The next token of each sequence."""
        x = self.embedding(tokens) + self.places.weight[place:place + tokens.shape[1]]
        for k, layer in enumerate(self.layers):
            x = layer(x, caches and caches[k], place)
        return self.head(x[:, -1:]).argmax(-1)


def prompts(setting, fault):
    length = setting.size(4096, 8)
    model = Server(setting, 2, length)
    tokens = setting.randint(setting.size(32000, 64), setting.size(4, 2), length)

    def answer(i):
        return model(tokens)

    return answer


def tokens(setting, fault):
    """Four tokens of 64 sequences, as a graph."""
    filled, batch = setting.size(2048, 8), setting.size(64, 2)
    model = Server(setting, 2, filled + TOKENS)
    caches = model.caches(setting, batch, filled + TOKENS)
    first = setting.randint(setting.size(32000, 64), batch, 1)

    def generate():
        token = first
        for place in range(filled, filled + TOKENS):
            token = model(token, caches, place)
        return token

    replay = setting.capture(generate)

    def step(i):
        return replay()

    step.samples = TOKENS * batch
    return step


def questions(setting, fault):
    """A question of 1024 tokens about documents of 15360 tokens that are in the cache."""
    filled, asked, batch = setting.size(15360, 8), setting.size(1024, 4), setting.size(4, 2)
    model = Server(setting, 1, filled + asked)
    caches = model.caches(setting, batch, filled + asked)
    question = setting.randint(setting.size(32000, 64), batch, asked)

    def answer(i):
        return model(question, caches, filled)

    return answer


class GroupedExperts(nn.Module):
    """Each token goes to one expert; all experts in one grouped product."""

    def __init__(self, width, hidden, experts):
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, hidden, width) / width ** 0.5)
        self.down = nn.Parameter(torch.randn(experts, width, hidden) / hidden ** 0.5)

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).max(-1)
        order = chosen.argsort()
        ends = (chosen[:, None] == torch.arange(len(self.up), device=x.device)).sum(0).cumsum(0).to(torch.int32)
        multiply = getattr(F, "grouped_mm", None) or torch._grouped_mm
        hidden = F.relu(multiply(x.index_select(0, order), self.up.transpose(1, 2), offs=ends), inplace=True)
        y = multiply(hidden, self.down.transpose(1, 2), offs=ends)
        return torch.addcmul(x, torch.empty_like(x).index_copy_(0, order, y), weights[:, None])


def experts(setting, fault):
    width = setting.size(2048, 16)
    with setting.building():
        model = GroupedExperts(width, setting.size(8192, 32), setting.size(32, 4))
    model = model.to(setting.device, setting.half).eval()
    x = setting.randn(setting.size(16384, 32), width)

    @torch.no_grad()
    def route(i):
        return model(x)

    return route


def to_eight_bits(x, scale):
    """Positive and scaled, in the range of eight-bit floats."""
    return (x.float() * scale).clamp(0, 448).to(torch.float8_e4m3fn)


def eight_bits(setting, fault):
    """A feed-forward network whose products take eight-bit floats."""
    rows, width, hidden = setting.size(8192, 16), setting.size(8192, 16), setting.size(28672, 32)
    x, up, down = setting.randn(rows, width), setting.randn(hidden, width), setting.randn(width, hidden)
    if not setting.cuda:
        return lambda i: F.linear(F.relu(F.linear(x.relu(), up)), down)
    up, down = up.to(torch.float8_e4m3fn), down.to(torch.float8_e4m3fn)
    one = torch.ones((), device=setting.device)
    convert = setting.compiled(to_eight_bits)

    @torch.no_grad()
    def feed_forward(i):
        y = torch._scaled_mm(convert(x, one), up.t(), scale_a=one, scale_b=one, out_dtype=setting.half, use_fast_accum=True)
        return torch._scaled_mm(convert(y, one), down.t(), scale_a=one, scale_b=one, out_dtype=setting.half, use_fast_accum=True)

    return feed_forward


PROGRAMS = {
    "serve-prompts": prompts, "serve-tokens": tokens, "serve-questions": questions, "serve-experts": experts, "serve-eight-bits": eight_bits,
}
