# SPDX-License-Identifier: Apache-2.0
"""Inference of language models, token by token. A step is a few tokens."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import attend

TOKENS = 4


class Layer(nn.Module):
    """A layer with its cache of keys and values, (batch, heads, length, size); the first `filled` places hold the prompt."""

    def __init__(self, width, heads, batch, length, filled, grows):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 4 * width, bias=False), nn.Linear(4 * width, width, bias=False)
        self.heads, self.filled, self.grows = heads, filled, grows
        room = filled if grows else length
        self.shape = (batch, heads, room, width // heads)

    def place(self, device, dtype):
        self.prompt = [torch.randn(self.shape, device=device, dtype=dtype) for _ in range(2)]
        self.cache = list(self.prompt)
        return self.to(device, dtype)

    def extended(self, key, value, position):
        """The keys and values so far, with those of this token."""
        if self.grows:
            self.cache = [torch.cat([cache, new], dim=2) for cache, new in zip(self.cache, (key, value))]
            return self.cache
        for cache, new in zip(self.cache, (key, value)):
            cache[:, :, position:position + 1] = new
        return [cache[:, :, :position + 1] for cache in self.cache]

    def forward(self, x, position):
        batch, _, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, 1, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(q, *self.extended(k, v, position))
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, 1, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Decoder(nn.Module):
    def __init__(self, setting, width, heads, layers, batch, filled, vocabulary=32000, grows=False):
        super().__init__()
        self.filled = setting.size(filled, 8)
        width, heads = setting.size(width, 32), setting.size(heads, 2)
        vocabulary = setting.size(vocabulary, 64)
        self.batch = setting.size(batch, 2)
        with setting.building():
            made = [Layer(width, heads, self.batch, self.filled + TOKENS, self.filled, grows) for _ in range(layers)]
            self.embedding, self.head = nn.Embedding(vocabulary, width), nn.Linear(width, vocabulary, bias=False)
        self.layers = nn.ModuleList(layer.place(setting.device, setting.half) for layer in made)
        self.embedding, self.head = self.embedding.to(setting.device, setting.half), self.head.to(setting.device, setting.half)
        self.first = setting.randint(vocabulary, self.batch, 1)
        self.eval()

    def restart(self):
        for layer in self.layers:
            layer.cache = list(layer.prompt)
        return self.first

    @torch.no_grad()
    def forward(self, token, position):
        x = self.embedding(token)
        for layer in self.layers:
            x = layer(x, position)
        return self.head(x).argmax(-1)


def generation(model, take):
    """A step of TOKENS tokens from the prompt on; take(token) is what the program does with each."""
    def generate(i):
        token = model.restart()
        for position in range(model.filled, model.filled + TOKENS):
            token = model(token, position)
            take(token)
        return token

    generate.samples = TOKENS * model.batch
    return generate


def stop_tokens(setting, fault):
    """Whether a sequence has ended is looked up after each token of each sequence, or once at the end."""
    model = Decoder(setting, 2048, 16, 2, 24, 4096)
    taken = []

    def collect(token):
        if fault:
            taken.append([token[k].item() == 2 for k in range(len(token))])
        else:
            taken.append(token)
        del taken[:-TOKENS]

    return generation(model, collect)


def cache(setting, fault):
    model = Decoder(setting, 4096, 32, 2, 32, 4096, grows=fault)
    return generation(model, lambda token: None)


def tokens(setting, fault):
    """One sequence of a small model."""
    model = Decoder(setting, 1024, 8, 2, 1, 512)
    if fault:
        return generation(model, lambda token: None)

    def generate():
        token = model.restart()
        for position in range(model.filled, model.filled + TOKENS):
            token = model(token, position)
        return token

    replay = setting.capture(generate)

    def step(i):
        return replay()

    step.samples = TOKENS * model.batch
    return step


def requests(setting, fault):
    """Sixteen requests for the same large layers."""
    width, count = setting.size(8192, 32), setting.size(16, 3)
    layers = []
    with setting.building():
        for _ in range(3):
            layers += [nn.Linear(width, 4 * width, bias=False), nn.GELU(), nn.Linear(4 * width, width, bias=False)]
    model = nn.Sequential(*layers).to(setting.device, setting.half).eval()
    states = setting.randn(count, width)

    @torch.no_grad()
    def answer(i):
        if fault:
            return [model(states[k:k + 1]) for k in range(count)]
        return model(states)

    answer.samples = count
    return answer


def layers_of(setting, width, count):
    return [setting.randn(width, width) / width ** 0.5 for _ in range(count)]


def host_layers(setting, fault):
    """The products of a prompt through layers whose weights stay with the host, or lie on the device."""
    width, count = setting.size(8192, 32), 6
    weights = layers_of(setting, width, count)
    if fault:
        weights = [w.cpu().pin_memory() if setting.cuda else w for w in weights]
    states = setting.randn(setting.size(2048, 4), width)

    @torch.no_grad()
    def answer(i):
        x = states
        for weight in weights:
            x = F.gelu(F.linear(x, weight.to(setting.device, non_blocking=True)))
        return x

    return answer


def single(setting, fault):
    """One sequence through large layers, as a graph: reading the weights is all there is to do."""
    width, count = setting.size(8192, 32), 48
    weights = layers_of(setting, width, count)
    state = setting.randn(1, width)

    @torch.no_grad()
    def answer():
        x = state
        for weight in weights:
            x = F.linear(x, weight)
        return x

    replay = setting.capture(answer)

    def step(i):
        return replay()

    return step


PROGRAMS = {
    "decode-stop-tokens": stop_tokens, "decode-cache": cache, "decode-tokens": tokens, "decode-requests": requests,
    "decode-host-layers": host_layers, "decode-single": single,
}
