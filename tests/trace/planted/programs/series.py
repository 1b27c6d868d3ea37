# SPDX-License-Identifier: Apache-2.0
"""Time series, sound, small controllers and molecules."""
import copy

import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, mlp, train


class ForecastLayer(nn.Module):
    """A layer with the library's attention."""

    def __init__(self, width, heads, weights):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.weights = weights

    def forward(self, x):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=self.weights)[0]
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Forecaster(nn.Module):
    """forward(series, following) is the loss; both (batch, steps, values)."""

    def __init__(self, values, width, layers, weights):
        super().__init__()
        self.enter, self.leave = nn.Linear(values, width), nn.Linear(width, values)
        self.layers = nn.Sequential(*[ForecastLayer(width, max(2, width // 128), weights) for _ in range(layers)])

    def forward(self, series, following):
        return F.mse_loss(self.leave(self.layers(self.enter(series))), following)


def forecast(setting, fault):
    values, batch, steps = setting.size(64, 4), setting.size(4, 2), setting.size(2048, 8)
    with setting.building():
        model = Forecaster(values, setting.size(2048, 16), 2, fault)
    model = model.to(setting.device, setting.half)
    return train(setting, model, fixed(setting.randn(batch, steps, values), setting.randn(batch, steps, values)), autocast=False)


class Augmentation:
    """Series (rows, length) stretched, with noise and drift: by numpy, or where the series are."""

    def __init__(self, series, with_numpy):
        import numpy  # no other program needs it here

        self.draw, self.with_numpy = numpy.random.default_rng(1), with_numpy
        self.series = series.cpu().numpy() if with_numpy else series

    def random(self, scale, shape):
        if self.with_numpy:
            return self.draw.normal(0, scale, shape).astype("float32")
        return torch.randn(shape, device=self.series.device) * scale

    def __call__(self):
        rows, length = self.series.shape
        factor, noise, drift = self.random(0.1, (rows, 1)), self.random(0.05, (rows, length)), self.random(0.01, (rows, length))
        return self.series * (1 + factor) + noise + drift.cumsum(1)


def sensors(setting, fault):
    """Sensors' windows are varied anew in each step."""
    rows, length, width = setting.size(8192, 8), setting.size(64, 16), setting.size(8192, 16)
    with setting.building():
        model = Classifier(length, width, 64)
    model = model.to(setting.device)
    augment, labels = Augmentation(setting.randn(rows, length, dtype=torch.float32), fault), setting.randint(64, rows)

    def load_batch(i):
        windows = torch.as_tensor(augment())
        if fault and setting.cuda:
            windows = windows.pin_memory()
        return windows.to(setting.device, non_blocking=True), labels

    return train(setting, model, load_batch)


class Classifier(nn.Module):
    def __init__(self, inputs, width, classes):
        super().__init__()
        self.layers = mlp(inputs, width, width, classes)

    def forward(self, x, labels):
        return F.cross_entropy(self.layers(x), labels)


class Spectrogram(nn.Module):
    """Frames of so many bins (rows, bins) through layers that mix the bins and keep their number."""

    def __init__(self, bins, hidden, layers):
        super().__init__()
        self.up = nn.ModuleList(nn.Linear(bins, hidden, bias=False) for _ in range(layers))
        self.down = nn.ModuleList(nn.Linear(hidden, bins, bias=False) for _ in range(layers))

    def forward(self, x):
        for up, down in zip(self.up, self.down):
            x = x + down(F.relu(up(x), inplace=True))
        return x


def bins(setting, fault):
    """The bins of transforms of 4096 samples, 2049 of them, as they are or with some that are zero."""
    count = setting.size(2049, 9) if fault else setting.size(2112, 16)
    with setting.building():
        model = Spectrogram(count, setting.size(8192, 32), 3)
    model = model.to(setting.device, setting.half).eval()
    frames = setting.randn(setting.size(16384, 16), count)

    @torch.no_grad()
    def clean(i):
        return model(frames)

    return clean


def controller(setting, fault):
    """An update of an actor and two critics from a small batch, with targets that follow them."""
    rows, state, action, width = setting.size(256, 4), setting.size(64, 4), setting.size(8, 2), setting.size(256, 8)
    actor = mlp(state, width, width, 2 * action).to(setting.device)
    critics = [mlp(state + action, width, width, 1).to(setting.device) for _ in range(2)]
    targets = copy.deepcopy(critics)
    options = {"fused": True, "capturable": True} if setting.cuda else {}
    actor_optimizer = torch.optim.AdamW(actor.parameters(), lr=3e-4, **options)
    critic_optimizer = torch.optim.AdamW([p for critic in critics for p in critic.parameters()], lr=3e-4, **options)
    states, following = setting.randn(rows, state, dtype=torch.float32), setting.randn(rows, state, dtype=torch.float32)
    actions, rewards = setting.randn(rows, action, dtype=torch.float32), setting.randn(rows, 1, dtype=torch.float32)

    def act(observed):
        mean, spread = actor(observed).chunk(2, dim=1)
        noise = torch.randn_like(mean)
        return torch.tanh(mean + noise * spread.clamp(-5, 2).exp()), -(0.5 * noise * noise + spread).sum(1, keepdim=True)

    def value(networks, observed, done):
        pairs = torch.cat([observed, done], dim=1)
        return [network(pairs) for network in networks]

    def update():
        with torch.no_grad():
            done, chance = act(following)
            wanted = rewards + 0.99 * (torch.minimum(*value(targets, following, done)) - 0.2 * chance)
        loss = sum(F.mse_loss(values, wanted) for values in value(critics, states, actions))
        loss.backward()
        critic_optimizer.step()
        critic_optimizer.zero_grad(set_to_none=True)
        done, chance = act(states)
        loss = (0.2 * chance - torch.minimum(*value(critics, states, done))).mean()
        loss.backward()
        actor_optimizer.step()
        actor_optimizer.zero_grad(set_to_none=True)
        critic_optimizer.zero_grad(set_to_none=True)
        with torch.no_grad():
            for target, critic in zip(targets, critics):
                for follower, leader in zip(target.parameters(), critic.parameters()):
                    follower.lerp_(leader, 0.005)
        return loss

    learn = update if fault else setting.capture(update)
    return lambda i: learn()


class MoleculeLayer(nn.Module):
    """Messages along bonds (batch, atoms, atoms) between atoms (batch, atoms, width)."""

    def __init__(self, width):
        super().__init__()
        self.own, self.others = nn.Linear(width, width), nn.Linear(width, width, bias=False)

    def forward(self, x, bonds):
        return self.own(x).baddbmm_(bonds, self.others(x)).relu_()


def molecules(setting, fault):
    """Energies of molecules of as many atoms, whose bonds are dense matrices."""
    count, atoms, width = setting.size(256, 3), setting.size(128, 4), setting.size(4096, 16)
    with setting.building():
        layers, head = nn.ModuleList(MoleculeLayer(width) for _ in range(3)), nn.Linear(width, 8)
    layers, head = layers.to(setting.device, setting.half).eval(), head.to(setting.device, setting.half)
    x, bonds = setting.randn(count, atoms, width), setting.randn(count, atoms, atoms) / atoms

    @torch.no_grad()
    def energies(i):
        y = x
        for layer in layers:
            y = layer(y, bonds)
        return head(y.sum(1))

    return energies


PROGRAMS = {
    "series-attention": forecast, "sensor-windows": sensors, "spectrum-bins": bins, "actor-critic": controller, "molecule-energies": molecules,
}
