# SPDX-License-Identifier: Apache-2.0
"""Photos and videos: loading, embedding, features of frames, wide convolutions."""
import zlib

import torch
from torch import nn
from torch.nn import functional as F

from .common import Prefetcher, train
from .encoder import Layer
from .images import VisionTransformer, wide_net


class Photos(torch.utils.data.Dataset):
    """Compressed photos of (3, height, height) bytes and their classes."""

    def __init__(self, size, height):
        pixels = torch.randint(24, (4, 3 * height * height), dtype=torch.uint8)
        self.files = [zlib.compress(bytes(row)) for row in pixels.tolist()]
        self.size, self.height = size, height

    def __len__(self):
        return self.size

    def __getitem__(self, k):
        pixels = torch.frombuffer(bytearray(zlib.decompress(self.files[k % 4])), dtype=torch.uint8)
        return pixels.view(3, self.height, self.height), k % 1000


def loading(setting, fault):
    batch, height = setting.size(24, 2), setting.size(256, 16)
    workers = setting.size(1 if fault else 12, 1)
    dataset = Photos(setting.size(1_000_000, 8192), height)
    batches = iter(torch.utils.data.DataLoader(dataset, batch, num_workers=workers, persistent_workers=True, prefetch_factor=4,
                                               pin_memory=setting.cuda))

    def load_batch(i):
        images, labels = [values.to(setting.device, non_blocking=True) for values in next(batches)]
        return images.to(setting.half).sub_(12).mul_(1 / 8).contiguous(memory_format=torch.channels_last), labels

    return train(setting, wide_net(setting), load_batch)


class Gallery(nn.Module):
    """Vectors of images (batch, 3, height, width) of one byte a value."""

    def __init__(self, width, layers):
        super().__init__()
        self.model = VisionTransformer(width, layers, 16)

    def forward(self, images):
        x = (images.to(self.model.head.weight.dtype) - 128) * (1 / 64)
        return F.normalize(self.model(x), dim=1)


class Outbox:
    """Results on their way to the host: pinned buffers that are used in turn, filled on a stream of their own."""

    def __init__(self, setting, shape, dtype, count=3):
        self.cuda = setting.cuda
        self.buffers = [torch.empty(shape, dtype=dtype, pin_memory=setting.cuda) for _ in range(count)]
        self.copied = [torch.cuda.Event() for _ in range(count)] if self.cuda else []
        self.stream = torch.cuda.Stream() if self.cuda else None

    def send(self, i, values):
        place = i % len(self.buffers)
        if not self.cuda:
            return self.buffers[place].copy_(values)
        self.copied[place].synchronize()
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self.buffers[place].copy_(values, non_blocking=True)
            self.copied[place].record()
        values.record_stream(self.stream)
        return self.buffers[place]

    def oldest(self, i):
        """What was sent the longest time ago, once it is there."""
        place = (i + 1) % len(self.buffers)
        if self.cuda:
            self.copied[place].synchronize()
        return self.buffers[place]


def gallery(setting, fault):
    """Vectors of photos, whose bytes come from pinned memory while the step before computes."""
    width, batch, height = setting.size(1024, 16), setting.size(128, 2), setting.size(256, 32)
    with setting.building():
        model = Gallery(width, 3)
    embed = setting.compiled(model.to(setting.device, setting.half).eval())
    load_batch = Prefetcher(setting, [[torch.randint(256, (batch, 3, height, height), dtype=torch.uint8)] for _ in range(2)])
    outbox = Outbox(setting, (batch, 1000), setting.half)

    @torch.no_grad()
    def index(i):
        return outbox.send(i, embed(*load_batch(i)))

    return index


class Averaged(nn.Module):
    """forward(images, labels) is the loss of a vision transformer; patches have 16 x 16 pixels."""

    def __init__(self, width, layers):
        super().__init__()
        self.patches, self.head = nn.Linear(3 * 16 * 16, width), nn.Linear(width, 1000)
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)])

    def forward(self, images, labels):
        batch, _, height, _ = images.shape
        patches = images.view(batch, 3, height // 16, 16, height // 16, 16).permute(0, 2, 4, 1, 3, 5).reshape(batch, -1, 3 * 16 * 16)
        return F.cross_entropy(self.head(self.layers(self.patches(patches)).mean(1)), labels)


def average(setting, fault):
    """A vision transformer, compiled, whose weights are also averaged over the steps."""
    width, batch, height = setting.size(2048, 16), setting.size(64, 2), setting.size(256, 32)
    with setting.building():
        model = Averaged(width, 2).to(setting.device)
    parameters = [p.detach() for p in model.parameters()]
    averages = [p.clone() for p in parameters]
    images, labels = setting.randn(batch, 3, height, height), setting.randint(1000, batch)
    train_step = train(setting, setting.compiled(model), lambda i: (images, labels))

    def step(i):
        loss = train_step(i)
        torch._foreach_mul_(averages, 0.999)
        torch._foreach_add_(averages, parameters, alpha=0.001)
        return loss

    return step


class VideoEncoder(nn.Module):
    """Classes of clips: frames (batch, 3, count, height, height) in cubes of 2 x 16 x 16, and one vector for the sound."""

    def __init__(self, width, layers, sound):
        super().__init__()
        self.cubes, self.sound = nn.Linear(2 * 3 * 16 * 16, width), nn.Linear(sound, width)
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)])
        self.head = nn.Linear(width, 400)

    def forward(self, frames, sound):
        batch, _, count, height, _ = frames.shape
        cubes = frames.to(self.head.weight.dtype).view(batch, 3, count // 2, 2, height // 16, 16, height // 16, 16)
        cubes = cubes.permute(0, 2, 4, 6, 1, 3, 5, 7).reshape(batch, -1, self.cubes.in_features)
        x = self.cubes(cubes) + self.sound(sound.to(cubes.dtype))[:, None]
        return self.head(self.layers(x).mean(1))


def clips(setting, fault):
    """Clips and their sound, of float32, come as a dictionary from the host's memory."""
    batch, count, height, sound = setting.size(12, 2), setting.size(16, 2), setting.size(224, 16), setting.size(16000, 16)
    with setting.building():
        model = VideoEncoder(setting.size(2048, 16), 2, sound)
    model = model.to(setting.device, setting.half).eval()
    clips = [{"frames": torch.randn(batch, 3, count, height, height), "sound": torch.randn(batch, sound)} for _ in range(2)]
    ahead = None if fault else Prefetcher(setting, [list(clip.values()) for clip in clips])

    def load_clip(i):
        if ahead is not None:
            return ahead(i)
        return [values.to(setting.device) for values in clips[i % 2].values()]

    @torch.no_grad()
    def classify(i):
        return model(*load_clip(i))

    return classify


class FrameEncoder(nn.Module):
    def __init__(self, width, layers, out):
        super().__init__()
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 128)) for _ in range(layers)])
        self.out = nn.Linear(width, out)

    def forward(self, patches):
        return self.out(self.layers(patches))


def features(setting, fault):
    """Features of all patches of 64 frames are given to the host."""
    batch, tokens, width, out = setting.size(64, 2), setting.size(256, 4), setting.size(2048, 16), setting.size(1024, 8)
    with setting.building():
        model = FrameEncoder(width, 2, out)
    model = model.to(setting.device, setting.half).eval()
    patches = setting.randn(batch, tokens, width)
    outbox = None if fault else Outbox(setting, (batch, tokens, out), setting.half)
    kept = {}

    @torch.no_grad()
    def extract(i):
        values = model(patches)
        kept["last"] = values.cpu() if outbox is None else outbox.send(i, values)
        return kept["last"]

    return extract


class LargeKernel(nn.Module):
    """A block of RepLKNet on (batch, channels, height, width): 31 x 31 by channel, then two products."""

    def __init__(self, channels, height, size, spectral):
        super().__init__()
        kernel = torch.randn(channels, 1, size, size) / size
        self.room, self.padding, self.spectral = height + size // 2 + 1, size // 2, spectral
        if spectral:
            self.register_buffer("spectrum", torch.fft.rfft2(kernel[:, 0].flip(1, 2), s=(self.room, self.room)), persistent=False)
        else:
            self.kernel = nn.Parameter(kernel)
        self.up = nn.Parameter(torch.randn(4 * channels, channels) / channels ** 0.5)
        self.down = nn.Parameter(torch.randn(channels, 4 * channels) / channels ** 0.5)

    def mix(self, x):
        height, first = x.shape[-1], self.padding
        if not self.spectral:
            return F.conv2d(x, self.kernel, padding=self.padding, groups=x.shape[1])
        mixed = torch.fft.irfft2(torch.fft.rfft2(x.float(), s=(self.room, self.room)).mul_(self.spectrum), s=(self.room, self.room))
        return mixed[..., first:first + height, first:first + height].to(x.dtype)

    def forward(self, x):
        batch = len(x)
        hidden = F.gelu(torch.bmm(self.up.expand(batch, -1, -1), self.mix(x).flatten(2)))
        return torch.baddbmm(x.flatten(2), self.down.expand(batch, -1, -1), hidden).view(x.shape)


def kernels(setting, fault):
    channels, height, size = setting.size(512, 4), setting.size(64, 16), setting.size(31, 5)
    model = nn.Sequential(*[LargeKernel(channels, height, size, not fault) for _ in range(2)])
    for block in model:
        for parameter in block.parameters():
            parameter.data = parameter.data.to(setting.half)
    model = model.to(setting.device).eval()
    images = setting.randn(setting.size(16, 2), channels, height, height)

    @torch.no_grad()
    def embed(i):
        return model(images)

    return embed


PROGRAMS = {
    "photos-loading": loading, "photos-gallery": gallery, "vit-average": average, "video-clips": clips, "frames-features": features,
    "large-kernels": kernels,
}
