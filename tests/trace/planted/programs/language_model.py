# SPDX-License-Identifier: Apache-2.0
"""Training of small language models."""
import contextlib
import gc
import io
import json
import os
import queue
import tempfile
import threading
import time
import zlib

import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, train
from .transformer import Transformer


def batch_of(setting, vocabulary, batch, tokens):
    return setting.randint(vocabulary, batch, tokens), setting.randint(vocabulary, batch, tokens)


def language_model(setting, vocabulary=32768, width=2048, layers=1, batch=8, tokens=1024, dtype=None, **options):
    """A model and a batch on the device."""
    vocabulary, width = setting.size(vocabulary, 97 if vocabulary % 64 else 128), setting.size(width, 64)
    batch, tokens = setting.size(batch, 2), setting.size(tokens, 16)
    heads = max(2, width // 128)
    with setting.building():
        model = Transformer(vocabulary, width, heads, layers, **options)
    model = model.to(setting.device, dtype)
    return model, batch_of(setting, vocabulary, batch, tokens)


def attention(setting, fault):
    model, batch = language_model(setting, width=1024, tokens=2048, scores=fault)
    return train(setting, model, fixed(*batch))


def vocabulary(setting, fault):
    model, batch = language_model(setting, vocabulary=50257 if fault else 50304, width=1024)
    return train(setting, model, fixed(*batch))


def float32(setting, fault):
    model, batch = language_model(setting, width=1024, layers=2)
    return train(setting, model, fixed(*batch), autocast=not fault)


def gradient_norms(setting, fault):
    model, batch = language_model(setting, vocabulary=8192, width=1024, layers=2, tokens=512)
    norms = []

    def log_norms(loss):
        gradients = [p.grad for p in model.parameters()]
        if fault:
            norms.append([g.norm().item() for g in gradients])
        else:
            norms.append(torch.stack(torch._foreach_norm(gradients)))
        del norms[:-1]

    return train(setting, model, fixed(*batch), before_update=log_norms)


def synchronize(setting, fault):
    """The blocks of a model whose author wanted to know how long each takes."""
    started = []

    def log_time(*loss):
        if fault:
            setting.synchronize()
        started.append(time.perf_counter())
        del started[:-1]

    model, batch = language_model(setting, vocabulary=8192, width=1024, layers=2, tokens=512, wait=log_time)
    return train(setting, model, fixed(*batch), before_update=log_time)


def optimizer(setting, fault):
    model, batch = language_model(setting, vocabulary=8192, width=1024, batch=4, tokens=512)
    return train(setting, model, fixed(*batch), fused=not fault)


def storage(setting, fault):
    """Batches come from a store that answers after 30 ms; asked for in time, they are there."""
    model, batch = language_model(setting, width=1024)
    pause = setting.size(0.03, 0.001)

    def read_shard():
        time.sleep(pause)
        return batch

    if fault:
        def load_batch(i):
            return read_shard()

        return train(setting, model, load_batch)
    ready = queue.Queue(maxsize=2)

    def read_shards():
        while True:
            ready.put(read_shard())

    for _ in range(4):
        threading.Thread(target=read_shards, daemon=True).start()

    def load_batch(i):
        return ready.get()

    return train(setting, model, load_batch)


def collection(setting, fault):
    """A program with many small objects of its own collects garbage in each step."""
    model, batch = language_model(setting, width=1024)
    index = [[k, [k]] for k in range(setting.size(300_000, 1000))]
    if not fault:
        gc.freeze()

    def log_loss(loss):
        if fault:
            gc.collect()
        index[0][0] += 1

    return train(setting, model, fixed(*batch), before_update=log_loss)


class MetricsWriter:
    """Compresses what was logged, on a thread of its own."""

    def __init__(self, size, shared):
        self.lock, self.rows, self.shared = threading.Lock(), [], shared
        self.size, self.pause = size, 2e-6 * size
        self.path = tempfile.mkdtemp() + "/metrics"
        threading.Thread(target=self.flush, daemon=True).start()

    def flush(self):
        while True:
            with self.lock:
                rows, self.rows = self.rows, []
                if self.shared:
                    self.write(rows)
            if not self.shared:
                self.write(rows)
            time.sleep(0.002)

    def write(self, rows):
        packed = zlib.compress(bytes(range(256)) * self.size + json.dumps(rows).encode(), 9)
        with open(self.path, "wb") as file:
            file.write(packed)
            os.fsync(file.fileno())
        time.sleep(self.pause)

    def add(self, row):
        with self.lock:
            self.rows.append(row)


def metrics(setting, fault):
    model, batch = language_model(setting, width=1024)
    writer = MetricsWriter(setting.size(8000, 4), fault)
    counts = {"step": 0}

    def log_loss(loss):
        counts["step"] += 1
        writer.add(dict(counts))

    return train(setting, model, fixed(*batch), before_update=log_loss)


def checkpoints(setting, fault):
    model, batch = language_model(setting, vocabulary=4096, width=512, batch=32)
    folder = tempfile.mkdtemp()
    every = 1 if fault else 1000
    seen = {"step": 0}

    def save_checkpoint(loss):
        seen["step"] += 1
        if seen["step"] % every == 0:
            buffer = io.BytesIO()
            torch.save(model.state_dict(), buffer)
            with open(f"{folder}/last.pt", "wb") as file:
                file.write(buffer.getbuffer())

    return train(setting, model, fixed(*batch), before_update=save_checkpoint)


def recomputation(setting, fault):
    model, batch = language_model(setting, width=2048, layers=2, recompute=fault)
    return train(setting, model, fixed(*batch))


def casts(setting, fault):
    model, batch = language_model(setting, vocabulary=4096, width=1024, batch=32, dtype=setting.half, high=fault)
    return train(setting, model, fixed(*batch), autocast=False)


def checked(setting, fault):
    model, batch = language_model(setting, vocabulary=8192, width=1024)
    train_step = train(setting, model, fixed(*batch))

    def step(i):
        with torch.autograd.detect_anomaly() if fault else contextlib.nullcontext():
            return train_step(i)

    return step


def heads(setting, fault):
    model, batch = language_model(setting, vocabulary=8192, width=512, batch=32, split=fault)
    return train(setting, model, fixed(*batch))


class Tagger(nn.Module):
    """A classifier of tokens that adds a learned vector for the kind of each token; there are four kinds."""

    def __init__(self, width, classes, indexed):
        super().__init__()
        self.kinds = nn.Parameter(torch.randn(4, width))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, classes)
        self.indexed = indexed

    def forward(self, x, kinds, targets):
        if self.indexed:
            x = x + self.kinds[kinds]
        else:
            x = x + F.one_hot(kinds, 4).to(x.dtype) @ self.kinds.to(x.dtype)
        return F.cross_entropy(self.down(F.gelu(self.up(x))), targets)


def kinds(setting, fault):
    tokens, width = setting.size(32768, 64), setting.size(1024, 32)
    model = Tagger(width, 64, indexed=fault).to(setting.device)
    return train(setting, model, fixed(setting.randn(tokens, width), setting.randint(4, tokens), setting.randint(64, tokens)))


def large(setting, fault):
    model, batch = language_model(setting, width=4096, layers=2, dtype=setting.half)
    host = [t.cpu().pin_memory() if setting.cuda else t for t in batch]

    def load_batch(i):
        return [t.to(setting.device, non_blocking=True) for t in host]

    return train(setting, model, load_batch, autocast=False)


PROGRAMS = {
    "lm-attention": attention, "lm-vocabulary": vocabulary, "lm-float32": float32, "lm-gradient-norms": gradient_norms,
    "lm-synchronize": synchronize, "lm-optimizer": optimizer, "lm-storage": storage, "lm-collection": collection,
    "lm-metrics": metrics, "lm-checkpoints": checkpoints, "lm-recomputation": recomputation, "lm-casts": casts,
    "lm-anomaly": checked, "lm-heads": heads, "lm-kinds": kinds, "lm-large": large,
}
