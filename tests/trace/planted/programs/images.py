# SPDX-License-Identifier: Apache-2.0
"""Convolutional networks and vision transformers: training, sampling and inference."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from .common import Prefetcher, attend, fixed, train
from .encoder import Layer


class WideNet(nn.Module):
    """Patches, then convolutions of many channels without normalization; forward(images, labels) is the loss."""

    def __init__(self, channels, patch, width, depth, recompute=False):
        super().__init__()
        self.stem = nn.Conv2d(channels, width, patch, patch, bias=False)
        self.layers = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(depth))
        self.head = nn.Linear(width, 1000)
        self.recompute = recompute

    def stage(self, layer, x):
        return F.relu(layer(x))

    def forward(self, images, labels):
        x = self.stem(images)
        for layer in self.layers:
            x = checkpoint(self.stage, layer, x, use_reentrant=False) if self.recompute else self.stage(layer, x)
        return F.cross_entropy(self.head(x.mean((2, 3))), labels)


def wide_net(setting, channels=3, patch=4, depth=3, **options):
    torch.backends.cudnn.benchmark = True
    model = WideNet(channels, patch, setting.size(512, 8), depth, **options)
    return model.to(setting.device, memory_format=torch.channels_last)


def pixels(setting, batch, channels, height):
    """Images of one byte a value, in channels_last, and labels, with the host."""
    images = torch.randint(256, (batch, channels, height, height), dtype=torch.uint8)
    return images.contiguous(memory_format=torch.channels_last), torch.randint(1000, (batch,))


def classes(setting, fault):
    batch, height = setting.size(256, 2), setting.size(128, 16)
    images = setting.randn(batch, 3, height, height).contiguous(memory_format=torch.channels_last)
    return train(setting, wide_net(setting), fixed(images, setting.randint(1000, batch)))


def recomputation(setting, fault):
    batch, height = setting.size(192, 2), setting.size(128, 16)
    images = setting.randn(batch, 3, height, height).contiguous(memory_format=torch.channels_last)
    return train(setting, wide_net(setting, recompute=fault), fixed(images, setting.randint(1000, batch)))


def satellites(setting, fault):
    """Images of eight bands come from pinned memory, copied while the step before computes."""
    batch, height = setting.size(256, 2), setting.size(256, 32)
    load_bands = Prefetcher(setting, [pixels(setting, batch, 8, height) for _ in range(2)])

    def load_batch(i):
        images, labels = load_bands(i)
        return images.to(setting.half).sub_(128).mul_(1 / 64), labels

    return train(setting, wide_net(setting, channels=8, patch=8), load_batch)


@torch.no_grad()
def augment(images):
    """Turned, zoomed, mirrored and brightened by one affine map and one factor for each image (batch, 3, height, width)."""
    batch, device = images.shape[0], images.device
    draw = torch.rand(4, batch, device=device)
    angle, zoom, mirror = draw[0] - 0.5, 0.8 + 0.4 * draw[1], torch.sign(draw[2] - 0.5)
    cosine, sine = torch.cos(angle) * zoom, torch.sin(angle) * zoom
    none = torch.zeros_like(angle)
    maps = torch.stack([cosine * mirror, -sine, none, sine * mirror, cosine, none], dim=1).view(batch, 2, 3)
    grid = F.affine_grid(maps, list(images.shape), align_corners=False)
    turned = F.grid_sample(images, grid, align_corners=False)
    return turned.mul_(0.7 + 0.6 * draw[3].view(-1, 1, 1, 1))


def augmented(setting, fault):
    batch, height = setting.size(256, 2), setting.size(128, 16)
    images, labels = setting.randn(batch, 3, height, height, dtype=torch.float32), setting.randint(1000, batch)

    def load_batch(i):
        return augment(images).contiguous(memory_format=torch.channels_last), labels

    return train(setting, wide_net(setting), load_batch)


class StyleLoss(nn.Module):
    """How far the products of all pairs of feature maps are from those of a style; forward(images, style) is the loss."""

    def __init__(self, width, single):
        super().__init__()
        self.stem, self.mix = nn.Conv2d(3, width, 4, 4, bias=False), nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.single = single

    def grams(self, features):
        if self.single:
            return torch.stack([maps @ maps.T for maps in features.unbind(0)])
        return torch.bmm(features, features.transpose(1, 2))

    def forward(self, images, style):
        features = F.relu(self.mix(self.stem(images))).flatten(2)
        return F.mse_loss(self.grams(features / features.shape[2] ** 0.5).float(), style)


def style(setting, fault):
    width, batch, height = setting.size(512, 8), setting.size(32, 2), setting.size(256, 16)
    torch.backends.cudnn.benchmark = True
    model = StyleLoss(width, fault).to(setting.device, memory_format=torch.channels_last)
    images = setting.randn(batch, 3, height, height).contiguous(memory_format=torch.channels_last)
    return train(setting, model, fixed(images, setting.randn(batch, width, width, dtype=torch.float32)))


class Upscaler(nn.Module):
    def __init__(self, width, depth, rows):
        super().__init__()
        self.stem, self.tail = nn.Conv2d(3, width, 3, padding=1, bias=False), nn.Conv2d(width, 48, 3, padding=1, bias=False)
        self.layers = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(depth))
        self.rows = rows

    def forward(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = F.relu(layer(x.contiguous() if self.rows else x), inplace=True)
        return F.pixel_shuffle(self.tail(x), 4)


def upscaling(setting, fault):
    torch.backends.cudnn.benchmark = True
    model = Upscaler(setting.size(512, 8), 4, fault).to(setting.device, setting.half, memory_format=torch.channels_last).eval()
    height = setting.size(64, 8)
    images = setting.randn(setting.size(64, 2), 3, height, height).contiguous(memory_format=torch.channels_last)

    @torch.no_grad()
    def upscale(i):
        return model(images)

    return upscale


class ResBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(8, channels), nn.GroupNorm(8, channels)
        self.conv1, self.conv2 = nn.Conv2d(channels, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return x + self.conv2(F.silu(self.norm2(self.conv1(F.silu(self.norm1(x))))))


class Sampler(nn.Module):
    """A step of denoising (batch, 4, height, width)."""

    def __init__(self, channels, heads):
        super().__init__()
        self.stem, self.out = nn.Conv2d(4, channels, 3, padding=1), nn.Conv2d(channels, 4, 3, padding=1)
        self.down, self.up = ResBlock(channels), ResBlock(channels)
        self.qkv, self.mixed = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.heads = heads

    def attention(self, x):
        batch, channels, height, width = x.shape
        tokens = x.permute(0, 2, 3, 1).reshape(batch, height * width, channels)
        q, k, v = self.qkv(tokens).view(batch, height * width, 3, self.heads, channels // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = self.mixed(attend(q, k, v).transpose(1, 2).reshape(tokens.shape))
        return x + mixed.view(batch, height, width, channels).permute(0, 3, 1, 2)

    def forward(self, x):
        noise = self.out(self.up(self.attention(self.down(self.stem(x)))))
        return 1.01 * x - 0.1 * noise


def sampling(setting, fault):
    channels, height = setting.size(512, 8), setting.size(64, 8)
    model = Sampler(channels, max(1, channels // 64)).to(setting.device, setting.half, memory_format=torch.channels_last).eval()
    sample = setting.compiled(model)
    noisy = setting.randn(setting.size(16, 2), 4, height, height).contiguous(memory_format=torch.channels_last)

    @torch.no_grad()
    def denoise(i):
        return sample(noisy)

    return denoise


class VisionTransformer(nn.Module):
    def __init__(self, width, layers, patch):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.layers = nn.Sequential(*[Layer(width, max(1, width // 64)) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 1000)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.layers(x)).mean(1))


def vision_transformer(setting, fault):
    width, height = setting.size(1024, 16), setting.size(256, 32)
    with setting.building():
        model = VisionTransformer(width, 3, 16)
    model = setting.compiled(model.to(setting.device, setting.half).eval())
    images = setting.randn(setting.size(128, 2), 3, height, height)

    @torch.no_grad()
    def classify(i):
        return model(images)

    return classify


PROGRAMS = {
    "wide-classes": classes, "wide-recomputation": recomputation, "wide-satellites": satellites, "wide-augmented": augmented,
    "style-grams": style, "upscaling-rows": upscaling, "unet-sampler": sampling, "vit-classes": vision_transformer,
}
