# SPDX-License-Identifier: Apache-2.0
"""Training of convolutional networks."""
import zlib

import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, train


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, outputs, stride, groups=1):
        super().__init__()
        self.reduce, self.norm1 = nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width)
        self.mix, self.norm2 = nn.Conv2d(width, width, 3, stride, 1, groups=groups, bias=False), nn.BatchNorm2d(width)
        self.expand, self.norm3 = nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x):
        y = F.relu(self.norm1(self.reduce(x)))
        y = F.relu(self.norm2(self.mix(y)))
        return F.relu(self.norm3(self.expand(y)) + self.shortcut(x))


class ResNet(nn.Module):
    """forward(images, labels) is the loss; images (batch, 3, height, width)."""

    def __init__(self, width=64, classes=1000, groups=1, stages=2):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        widths = [width * 2 ** k for k in range(stages)]
        inputs = [width] + [4 * w for w in widths[:-1]]
        self.blocks = nn.ModuleList(
            Bottleneck(n, w, 4 * w, 1 if k == 0 else 2, max(1, w // 4) if groups > 1 else 1) for k, (n, w) in enumerate(zip(inputs, widths)))
        self.head = nn.Linear(4 * widths[-1], classes)

    def forward(self, images, labels):
        x = F.max_pool2d(F.relu(self.norm(self.stem(images))), 3, 2, 1)
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.head(x.mean((2, 3))), labels)


def images_of(setting, batch, height=224, dtype=torch.float32):
    """Images in channels_last and labels, on the device."""
    height = setting.size(height, 32)
    images = setting.randn(setting.size(batch, 2), 3, height, height, dtype=dtype)
    return images.contiguous(memory_format=torch.channels_last), setting.randint(1000, images.shape[0])


def network(setting, **options):
    width = setting.size(64, 8)
    return ResNet(width, **options).to(setting.device, memory_format=torch.channels_last)


def layout(setting, fault):
    model, (images, labels) = network(setting), images_of(setting, 128)
    if fault:
        model, images = model.to(memory_format=torch.contiguous_format), images.contiguous()
    return train(setting, model, fixed(images, labels))


def small_batch(setting, fault):
    batch = 2 if fault else 128
    step = train(setting, network(setting, stages=3), fixed(*images_of(setting, batch, 128)))
    step.samples = setting.size(batch, 2)
    return step


def cache(setting, fault):
    train_step = train(setting, network(setting), fixed(*images_of(setting, 64)))

    def step(i):
        loss = train_step(i)
        if fault and setting.cuda:
            torch.cuda.empty_cache()
        return loss

    return step


class Images(torch.utils.data.Dataset):
    """Compressed images of 512 x 512, of which a crop is given."""

    def __init__(self, size, crop):
        smooth = torch.arange(3 * 512 * 512) // 97 % 251
        self.files = [zlib.compress(bytes((smooth * (k + 1)).remainder(256).tolist())) for k in range(8)]
        self.size, self.crop = size, crop

    def __len__(self):
        return self.size

    def __getitem__(self, k):
        pixels = torch.frombuffer(bytearray(zlib.decompress(self.files[k % 8])), dtype=torch.uint8).view(3, 512, 512)
        top, left = k % 256, k * 7 % 256
        return pixels[:, top:top + self.crop, left:left + self.crop].contiguous(), k % 1000


def loader(setting, fault):
    workers = 0 if fault else setting.size(12, 1)
    batch = setting.size(64, 2)
    options = {} if fault else {"persistent_workers": True, "prefetch_factor": 4, "pin_memory": setting.cuda}
    dataset = Images(1_000_000 if not setting.tiny else 4096, setting.size(224, 32))
    batches = iter(torch.utils.data.DataLoader(dataset, batch, num_workers=workers, **options))

    def load_batch(i):
        images, labels = next(batches)
        images = images.to(setting.device, non_blocking=True).float().sub_(128).div_(64)
        return images.contiguous(memory_format=torch.channels_last), labels.to(setting.device, non_blocking=True)

    return train(setting, network(setting), load_batch)


def host_batches(setting, fault):
    """Batches of float32 images in the host's memory."""
    batch, height = setting.size(192, 2), setting.size(224, 32)
    shards = [torch.randn(batch, 3, height, height).contiguous(memory_format=torch.channels_last) for _ in range(2)]
    labels = torch.randint(1000, (batch,))
    if not fault and setting.cuda:
        shards, labels = [s.pin_memory() for s in shards], labels.pin_memory()

    def load_batch(i):
        return shards[i % 2].to(setting.device, non_blocking=True), labels.to(setting.device, non_blocking=True)

    return train(setting, network(setting), load_batch)


class Mixer(nn.Module):
    """A block of ConvNeXt: convolution by channel, then two products."""

    def __init__(self, width, autocast=True):
        super().__init__()
        self.mix = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = nn.GroupNorm(1, width)
        self.up, self.down = nn.Conv2d(width, 4 * width, 1), nn.Conv2d(4 * width, width, 1)
        self.autocast = autocast

    def forward(self, x):
        if self.autocast or not x.is_cuda:
            y = self.mix(x)
        else:
            with torch.autocast("cuda", enabled=False):
                y = self.mix(x.float().contiguous())
        return x + self.down(F.gelu(self.up(self.norm(y))))


class ConvNext(nn.Module):
    def __init__(self, width, layers, autocast=True):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 4, 4)
        self.blocks = nn.Sequential(*[Mixer(width, autocast) for _ in range(layers)])
        self.head = nn.Linear(width, 1000)

    def forward(self, images, labels):
        return F.cross_entropy(self.head(self.blocks(self.stem(images)).mean((2, 3))), labels)


def depthwise(setting, fault):
    model = ConvNext(setting.size(192, 8), 2, autocast=not fault).to(setting.device, memory_format=torch.channels_last)
    return train(setting, model, fixed(*images_of(setting, 64)))


def grouped(setting, fault):
    return train(setting, network(setting, groups=4 if fault else 1), fixed(*images_of(setting, 128)))


PROGRAMS = {
    "cnn-layout": layout, "cnn-small-batch": small_batch, "cnn-cache": cache, "cnn-loader": loader, "cnn-host-batches": host_batches,
    "cnn-depthwise": depthwise, "cnn-grouped": grouped,
}
