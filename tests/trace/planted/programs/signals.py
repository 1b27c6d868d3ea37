# SPDX-License-Identifier: Apache-2.0
"""Speech and time series: training and inference."""
import zlib

import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, train
from .encoder import Layer
from .recurrent import Tagger


class SpeechEncoder(nn.Module):
    """A class for each frame; forward(frames, targets) is the loss, frames (batch, frames, features)."""

    def __init__(self, features, width, classes):
        super().__init__()
        self.stem, self.layer = nn.Linear(features, width), Layer(width, max(1, width // 128))
        self.head = nn.Linear(width, classes)

    def forward(self, frames, targets):
        return F.cross_entropy(self.head(self.layer(self.stem(frames))).flatten(0, 1), targets.flatten())


def speech_encoder(setting, features):
    with setting.building():
        model = SpeechEncoder(features, setting.size(2048, 16), setting.size(512, 8))
    return model.to(setting.device)


def speech(setting, fault):
    batch, frames, features = setting.size(8, 2), setting.size(1500, 8), setting.size(80, 4)
    x = setting.randn(batch, frames, features, dtype=torch.float32)
    targets = setting.randint(setting.size(512, 8), batch, frames)
    return train(setting, speech_encoder(setting, features), fixed(x, targets), autocast=not fault)


class Recordings(torch.utils.data.Dataset):
    """Compressed recordings as frames of 160 samples, with a class for each frame."""

    def __init__(self, size, frames):
        wave = (torch.arange(160 * frames) % 1009).to(torch.int16)
        self.files = [zlib.compress(bytes((wave * (k + 1)).view(torch.uint8).tolist())) for k in range(8)]
        self.size, self.frames = size, frames

    def __len__(self):
        return self.size

    def __getitem__(self, k):
        samples = torch.frombuffer(bytearray(zlib.decompress(self.files[k % 8])), dtype=torch.int16)
        return samples.view(self.frames, 160), torch.full((self.frames,), k % 8)


def recordings(setting, fault):
    workers = 0 if fault else setting.size(12, 1)
    options = {} if fault else {"persistent_workers": True, "prefetch_factor": 4, "pin_memory": setting.cuda}
    dataset = Recordings(setting.size(1_000_000, 4096), setting.size(600, 4))
    batches = iter(torch.utils.data.DataLoader(dataset, setting.size(32, 2), num_workers=workers, **options))

    def load_batch(i):
        samples, targets = next(batches)
        return samples.to(setting.device, non_blocking=True).float().mul_(2 ** -15), targets.to(setting.device, non_blocking=True)

    return train(setting, speech_encoder(setting, 160), load_batch)


def forecasting(setting, fault):
    """An LSTM of the library over 24 steps of many series."""
    steps, batch, width = setting.size(24, 5), setting.size(1024, 2), setting.size(2048, 8)
    with setting.building():
        model = Tagger(width, width, 64, False)
    model = model.to(setting.device)
    return train(setting, model, fixed(setting.randn(steps, batch, width), setting.randint(64, steps, batch)))


class LongConvolution(nn.Module):
    """Gated convolutions as long as the signal (batch, channels, length), by Fourier transforms."""

    def __init__(self, channels, length):
        super().__init__()
        self.enter = nn.Parameter(torch.randn(2 * channels, channels) / channels ** 0.5)
        self.leave = nn.Parameter(torch.randn(channels, channels) / channels ** 0.5)
        self.register_buffer("spectrum", torch.fft.rfft(torch.randn(channels, length) / length, n=2 * length))
        self.length = length

    def forward(self, x):
        batch = x.shape[0]
        value, gate = torch.bmm(self.enter.expand(batch, -1, -1), x).chunk(2, dim=1)
        mixed = torch.fft.irfft(torch.fft.rfft(value.float(), n=2 * self.length).mul_(self.spectrum), n=2 * self.length)
        return torch.bmm(self.leave.expand(batch, -1, -1), mixed[..., :self.length].mul(gate).to(x.dtype))


def long_convolution(setting, fault):
    channels, length = setting.size(2048, 8), setting.size(8192, 16)
    model = LongConvolution(channels, length)
    model.enter.data, model.leave.data = model.enter.data.to(setting.half), model.leave.data.to(setting.half)
    model = model.to(setting.device).eval()
    signal = setting.randn(setting.size(8, 2), channels, length)

    @torch.no_grad()
    def convolve(i):
        return model(signal)

    return convolve


PROGRAMS = {"speech-float32": speech, "speech-recordings": recordings, "lstm-forecast": forecasting, "fft-convolution": long_convolution}
