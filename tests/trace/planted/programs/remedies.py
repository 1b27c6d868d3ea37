# SPDX-License-Identifier: Apache-2.0
"""Mended programs in which an alarm was followed: what `ridge diagnose` advises for a mended twin, done.

Each function builds the mended twin of the program with that id, less what the alarm complains of, and gives step(i).
"""
import torch
from torch.nn import functional as F

from . import diffusion, recommender, simulation, text
from .common import fixed, train


def captured_training(setting, model, batch):
    """The whole step as a CUDA graph: loss, backward and update."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=setting.cuda, capturable=setting.cuda)

    def train_once():
        with torch.autocast(setting.device.type, dtype=torch.bfloat16, cache_enabled=False):
            loss = model(*batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss

    replay = setting.capture(train_once)
    return lambda i: replay()


def tables(setting):
    rows, width, count = setting.size(2000, 50), setting.size(64, 8), 6
    model = recommender.Recommender(rows, width, count).to(setting.device)
    return captured_training(setting, model, recommender.clicks_of(setting, setting.size(16384, 16), rows, count))


def activations(setting):
    rows, width = setting.size(32768, 16), setting.size(1024, 32)
    model = recommender.Regression([recommender.Layer(width, False) for _ in range(3)]).to(setting.device)
    batch = setting.randn(rows, width), setting.randn(rows, width, dtype=torch.float32)
    return train(setting, torch.compile(model) if setting.cuda else model, fixed(*batch))


class GraphNetwork(recommender.GraphNetwork):
    """Nodes stay in the type of the product that made them; the sum of a graph is float32."""

    def forward(self, nodes, graph_of, y):
        hidden = F.relu(self.embed(nodes))
        sums = hidden.view(self.graphs, -1, hidden.shape[1]).sum(1, dtype=torch.float32)
        return F.mse_loss(self.read(sums).squeeze(1).float(), y)


def graphs(setting):
    count, nodes, width = 8, setting.size(262144, 8), setting.size(128, 8)
    model = GraphNetwork(width, count, False).to(setting.device)
    graph_of = torch.arange(count, device=setting.device).repeat_interleave(nodes)
    return train(setting, model, fixed(setting.randn(count * nodes, width), graph_of, setting.randn(count, dtype=torch.float32)))


def sampling(setting):
    """Images and weights in channels_last."""
    channels = setting.size(128, 16)
    model = diffusion.Unet(channels).to(setting.device, setting.half, memory_format=torch.channels_last).eval()
    noisy, time = diffusion.latents(setting, 1, 32, channels)
    noisy, time = noisy[:1].to(setting.half).contiguous(memory_format=torch.channels_last), time[:1].to(setting.half)
    start = noisy.clone()

    @torch.no_grad()
    def denoise():
        return noisy - 0.1 * model(noisy, time)

    update = setting.capture(denoise)

    def sample(i):
        noisy.copy_(start)
        for _ in range(3):
            noisy.copy_(update())
        return noisy

    return sample


def processes(setting):
    """TF32 for products in float32."""
    torch.backends.cuda.matmul.allow_tf32 = True
    return simulation.processes(setting, False)


def tensor_trains(setting):
    """Eight trains of the same cores at once, each from a left matrix of its own."""
    width, trains = setting.size(128, 8), 8
    cores = [setting.randn(width, width) / width ** 0.5 for _ in range(setting.size(128, 4))]
    left = setting.randn(trains * width, width)

    @torch.no_grad()
    def contract():
        x = left
        for core in cores:
            x = torch.mm(x, core)
        return x

    replay = setting.capture(contract)

    def step(i):
        return replay()

    step.samples = trains
    return step


def reading(setting):
    """The forward pass as a CUDA graph."""
    read = text.reading(setting, False)
    replay = setting.capture(lambda: read(0))
    return lambda i: replay()


REMEDIES = {
    "rec-tables": tables, "mlp-activations": activations, "graph-readout": graphs, "unet-sampling": sampling,
    "gaussian-processes": processes, "tensor-train": tensor_trains, "reader-scores": reading,
}
