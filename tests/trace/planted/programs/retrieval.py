# SPDX-License-Identifier: Apache-2.0
"""Embeddings of texts and items: mining of triplets, sentences, titles, passages, sessions."""
import itertools
import re
import unicodedata

import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, mlp, train
from .encoder import Layer


class TextEncoder(nn.Module):
    """Vectors (batch, tokens, width) of tokens (batch, tokens)."""

    def __init__(self, vocabulary, width, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)])

    def forward(self, tokens):
        return self.layers(self.embedding(tokens))


def text_encoder(setting, width, layers, dtype=None):
    width, vocabulary = setting.size(width, 16), setting.size(32768, 64)
    with setting.building():
        model = TextEncoder(vocabulary, width, layers)
    return model.to(setting.device, dtype or setting.half).eval(), vocabulary


class Triplets(nn.Module):
    """forward(rows, anchors, own) is the loss: anchors are the first rows, own (anchors) the row that belongs to each."""

    def __init__(self, inputs, width, out, looped):
        super().__init__()
        self.tower = mlp(inputs, width, width, out)
        self.looped = looped

    @torch.no_grad()
    def mine(self, distances, limit):
        """The first row nearer to each anchor than its limit, or the nearest one."""
        if not self.looped:
            near = distances < limit[:, None]
            return torch.where(near.any(1), near.to(torch.int32).argmax(1), distances.argmin(1))
        picks = []
        for k in range(len(distances)):
            near = torch.nonzero(distances[k] < limit[k])
            picks.append(near[0, 0] if len(near) else distances[k].argmin())
        return torch.stack(picks)

    def forward(self, rows, count, own):
        vectors = F.normalize(self.tower(rows).float(), dim=1)
        anchors, others = vectors[:count], vectors[count:]
        belonging = (anchors * others.index_select(0, own)).sum(1)
        distances = 1 - anchors @ others.T
        picks = self.mine(distances, 1.2 - belonging)
        return F.relu(0.2 + distances.gather(1, picks[:, None]).squeeze(1) - 1 + belonging).mean()


def triplets(setting, fault):
    rows, anchors, width = setting.size(16384, 16), setting.size(48, 4), setting.size(4096, 16)
    with setting.building():
        model = Triplets(setting.size(2048, 8), width, setting.size(512, 8), fault)
    own = setting.randint(rows - anchors, anchors)
    return train(setting, model.to(setting.device), fixed(setting.randn(rows, setting.size(2048, 8)), anchors, own))


def sentences(setting, fault):
    """The mean vector of each sentence's tokens; sentences have different lengths."""
    model, vocabulary = text_encoder(setting, 2048, 2)
    batch, length = setting.size(128, 3), setting.size(128, 8)
    tokens = setting.randint(vocabulary, batch, length)
    lengths = length // 2 + setting.randint(length // 2, batch)

    def pool(hidden):
        if fault:
            return torch.stack([hidden[k, :lengths[k]].mean(0) for k in range(len(hidden))])
        weights = (torch.arange(length, device=lengths.device) < lengths[:, None]) / lengths[:, None]
        return torch.bmm(weights.to(hidden.dtype)[:, None], hidden).squeeze(1)

    @torch.no_grad()
    def embed(i):
        return F.normalize(pool(model(tokens)), dim=1)

    return embed


class Documents(torch.utils.data.Dataset):
    def __init__(self, size, words):
        draw = torch.randint(20000, (8, words)).tolist()
        self.texts = [" ".join(f"W\u00f6rd{k}," if k % 3 else f"some{k}" for k in row) for row in draw]
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, k):
        return self.texts[k % 8]


class Tokenizer:
    """Words without accents and capitals as numbers; a text is cut or filled to so many."""

    def __init__(self, length):
        self.length = length
        self.numbers = {word: k for k, word in enumerate([f"word{k}" for k in range(16000)] + [f"some{k}" for k in range(16000)])}

    def __call__(self, texts):
        rows = []
        for text in texts:
            plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
            rows.append(list(map(self.numbers.get, re.findall(r"\w+|[^\w\s]", plain), itertools.repeat(0)))[:self.length])
        return torch.tensor([row + [0] * (self.length - len(row)) for row in rows])


def documents(setting, fault):
    """Vectors of documents, of which the first tokens are used."""
    model, vocabulary = text_encoder(setting, 2048, 2)
    batch, length = setting.size(128, 2), setting.size(128, 8)
    tokenize = Tokenizer(length)
    dataset = Documents(setting.size(1_000_000, 4096), setting.size(200, 8))
    texts = iter(torch.utils.data.DataLoader(dataset, batch, num_workers=setting.size(8, 1), prefetch_factor=4, persistent_workers=True,
                                             collate_fn=list if fault else tokenize, pin_memory=setting.cuda and not fault))

    def load_tokens():
        batch_of_texts = next(texts)
        if not fault:
            return batch_of_texts
        tokens = tokenize(batch_of_texts)
        return tokens.pin_memory() if setting.cuda else tokens

    @torch.no_grad()
    def embed(i):
        tokens = load_tokens().to(setting.device, non_blocking=True).remainder_(vocabulary)
        return F.normalize(model(tokens)[:, 0], dim=1)

    return embed


def passages(setting, fault):
    """Scores of four passages for a question, by a large encoder."""
    width = setting.size(8192, 16)
    with setting.building():
        model = nn.Sequential(Layer(width, max(1, width // 128)), Layer(width, max(1, width // 128)), nn.Linear(width, 8))
    model = model.to(setting.device, torch.float32 if fault else setting.half).eval()
    x = setting.randn(setting.size(4, 2), setting.size(256, 4), width)

    @torch.no_grad()
    def score(i):
        with setting.autocast(fault):
            return model(x)[:, 0]

    return score


class Sessions(nn.Module):
    """Which items of a session were masked: items are known by features that stay as they are; forward(items, masked, others) is the loss."""

    def __init__(self, setting, count, features, width, layers):
        super().__init__()
        self.features = setting.randn(count, features)
        self.describe = nn.Linear(features, width)
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)])

    def look_up(self, items):
        return self.describe(F.embedding(items, self.features))

    def forward(self, items, masked, others):
        hidden = self.layers(self.look_up(items)).flatten(0, 1)
        own = (hidden * self.look_up(masked).flatten(0, 1)).sum(1, dtype=torch.float32)
        rest = (hidden @ self.look_up(others).T).float().logsumexp(1)
        return F.softplus(rest - own).mean()


def sessions(setting, fault):
    """A recommender of sessions, compiled, with negatives that are drawn on the device."""
    width, batch, length, count = setting.size(1024, 16), setting.size(128, 2), setting.size(128, 4), setting.size(500_000, 64)
    model = Sessions(setting, count, setting.size(768, 8), width, 3).to(setting.device)
    items, masked = setting.randint(count, batch, length), setting.randint(count, batch, length)
    negatives = setting.size(4096, 8)

    def load_batch(i):
        return items, masked, setting.randint(count, negatives)

    return train(setting, setting.compiled(model), load_batch)


PROGRAMS = {
    "triplet-mining": triplets, "sentence-vectors": sentences, "document-vectors": documents, "passage-scores": passages,
    "session-clicks": sessions,
}
