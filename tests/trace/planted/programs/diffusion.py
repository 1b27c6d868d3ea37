# SPDX-License-Identifier: Apache-2.0
"""Blocks of diffusion U-nets: training and sampling."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import attend, fixed, train


def group_norm_swish(x, norm, steps):
    """Group norm, then swish: in PyTorch's operators for both, or step by step."""
    if not steps:
        return F.silu(norm(x))
    batch, channels, height, width = x.shape
    y = x.float().reshape(batch, norm.num_groups, -1)
    centred = y - y.mean(-1, keepdim=True)
    y = centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + norm.eps)
    y = y.reshape(batch, channels, height, width)
    y = y * norm.weight.view(1, -1, 1, 1) + norm.bias.view(1, -1, 1, 1)
    return (y * torch.sigmoid(y)).to(x.dtype)


class ResBlock(nn.Module):
    def __init__(self, channels, steps=False):
        super().__init__()
        groups = min(32, channels // 2)
        self.norm1, self.norm2 = nn.GroupNorm(groups, channels), nn.GroupNorm(groups, channels)
        self.conv1, self.conv2 = nn.Conv2d(channels, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, padding=1)
        self.time = nn.Linear(channels, channels)
        self.steps = steps

    def forward(self, x, time):
        y = self.conv1(group_norm_swish(x, self.norm1, self.steps))
        y = y + self.time(F.silu(time))[:, :, None, None]
        return x + self.conv2(group_norm_swish(y, self.norm2, self.steps))


class SpatialAttention(nn.Module):
    """Attention over the pixels of an image, (batch, channels, height, width)."""

    def __init__(self, channels, heads, copies=False):
        super().__init__()
        self.norm = nn.LayerNorm(channels)
        self.qkv, self.out = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.up, self.down = nn.Linear(channels, 2 * channels), nn.Linear(2 * channels, channels)
        self.heads, self.copies = heads, copies

    def pixels_last(self, x):
        x = x.permute(0, 2, 3, 1)
        return x.contiguous() if self.copies else x

    def channels_first(self, x):
        x = x.permute(0, 3, 1, 2)
        return x.contiguous() if self.copies else x

    def forward(self, x):
        batch, channels, height, width = x.shape
        y = self.norm(self.pixels_last(x))
        q, k, v = self.qkv(y).view(batch, height * width, 3, self.heads, channels // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(q, k, v).transpose(1, 2).reshape(batch, height, width, channels)
        x = x + self.channels_first(self.out(mixed))
        y = self.pixels_last(x)
        return x + self.channels_first(self.down(F.gelu(self.up(y))))


class Unet(nn.Module):
    def __init__(self, channels, attentions=1, steps=False, copies=False):
        super().__init__()
        self.stem, self.out = nn.Conv2d(4, channels, 3, padding=1), nn.Conv2d(channels, 4, 3, padding=1)
        self.down, self.up = ResBlock(channels, steps), ResBlock(channels, steps)
        self.attentions = nn.ModuleList(SpatialAttention(channels, max(1, channels // 64), copies) for _ in range(attentions))

    def forward(self, x, time):
        x = self.down(self.stem(x), time)
        for attention in self.attentions:
            x = attention(x)
        return self.out(self.up(x, time))


class Denoiser(nn.Module):
    """forward(noisy, time, noise) is the loss."""

    def __init__(self, unet):
        super().__init__()
        self.unet = unet

    def forward(self, noisy, time, noise):
        return F.mse_loss(self.unet(noisy, time).float(), noise)


def latents(setting, batch, height, channels):
    height = setting.size(height, 8)
    noisy = setting.randn(setting.size(batch, 2), 4, height, height, dtype=torch.float32)
    return noisy, setting.randn(noisy.shape[0], channels, dtype=torch.float32)


def normalization(setting, fault):
    channels = setting.size(256, 16)
    model = Denoiser(Unet(channels, steps=fault)).to(setting.device, memory_format=torch.channels_last)
    noisy, time = latents(setting, 64, 64, channels)
    noisy = noisy.contiguous(memory_format=torch.channels_last)
    return train(setting, model, fixed(noisy, time, torch.randn_like(noisy)))


def tokens(setting, fault):
    channels = setting.size(320, 16)
    model = Denoiser(Unet(channels, attentions=3, copies=fault)).to(setting.device)
    noisy, time = latents(setting, 64, 32, channels)
    if not fault:
        model, noisy = model.to(memory_format=torch.channels_last), noisy.contiguous(memory_format=torch.channels_last)
    return train(setting, model, fixed(noisy, time, torch.randn_like(noisy)))


def sampling(setting, fault):
    """Three rounds of denoising one image."""
    channels = setting.size(128, 16)
    model = Unet(channels).to(setting.device, setting.half).eval()
    noisy, time = latents(setting, 1, 32, channels)
    noisy, time = noisy[:1].to(setting.half), time[:1].to(setting.half)
    start = noisy.clone()

    @torch.no_grad()
    def denoise():
        return noisy - 0.1 * model(noisy, time)

    update = denoise if fault else setting.capture(denoise)

    def sample(i):
        noisy.copy_(start)
        for _ in range(3):
            noisy.copy_(update())
        return noisy

    return sample


PROGRAMS = {"unet-normalization": normalization, "unet-tokens": tokens, "unet-sampling": sampling}
