# SPDX-License-Identifier: Apache-2.0
"""Generative models of images: diffusion transformers, flows, adversarial networks, codebooks."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from .common import attend, fixed, mlp, train


class Block(nn.Module):
    """A block of a diffusion transformer; scale and shift (batch, 1, width) come from what is asked for."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.heads = heads

    def forward(self, x, scale, shift):
        batch, tokens, width = x.shape
        y = torch.addcmul(shift, self.norm1(x), scale)
        q, k, v = self.qkv(y).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + self.out(attend(q, k, v).transpose(1, 2).reshape(x.shape))
        y = torch.addcmul(shift, self.norm2(x), scale)
        return x + self.down(F.gelu(self.up(y), approximate="tanh"))


class DiffusionTransformer(nn.Module):
    """The noise in latents (batch, tokens, 64)."""

    def __init__(self, width, heads, layers, recompute=False):
        super().__init__()
        self.enter, self.leave = nn.Linear(64, width), nn.Linear(width, 64)
        self.asked = nn.Linear(width, 2 * width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.recompute = recompute

    def forward(self, latents, asked):
        scale, shift = self.asked(F.silu(asked))[:, None].chunk(2, dim=-1)
        x = self.enter(latents)
        for block in self.blocks:
            x = checkpoint(block, x, scale, shift, use_reentrant=True) if self.recompute else block(x, scale, shift)
        return self.leave(x)


class NoiseLoss(nn.Module):
    """forward(latents, asked, noise) is the loss."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, latents, asked, noise):
        return F.mse_loss(self.model(latents, asked), noise)


def diffusion_transformer(setting, width, layers, **options):
    width = setting.size(width, 32)
    with setting.building():
        model = DiffusionTransformer(width, max(2, width // 128), layers, **options)
    return model.to(setting.device, setting.half), width


def blocks(setting, fault):
    model, width = diffusion_transformer(setting, 4096, 2, recompute=fault)
    batch, tokens = setting.size(8, 2), setting.size(1024, 8)
    latents, noise = setting.randn(batch, tokens, 64), setting.randn(batch, tokens, 64)
    return train(setting, NoiseLoss(model), fixed(latents, setting.randn(batch, width), noise), autocast=False)


def guided(setting, fault):
    """Two steps of denoising, compiled, each with and without what is asked for in one batch."""
    model, width = diffusion_transformer(setting, 2048, 4)
    model.eval()
    batch, tokens = setting.size(4, 2), setting.size(1024, 8)
    start, asked = setting.randn(batch, tokens, 64), setting.randn(2 * batch, width)

    def denoise(latents):
        given, free = model(torch.cat([latents, latents]), asked).chunk(2)
        return latents - 0.05 * (free + 4 * (given - free))

    sample = setting.compiled(denoise)

    @torch.no_grad()
    def generate(i):
        return sample(sample(start))

    return generate


def flow(setting, fault):
    """Eight Runge-Kutta steps along a learned flow."""
    rows, width = setting.size(256, 4), setting.size(512, 8)
    model = mlp(width, width, width, width).to(setting.device, setting.half).eval()
    start = setting.randn(rows, width)

    def velocity(x):
        return model(x)

    @torch.no_grad()
    def integrate():
        x, step = start, 0.125
        for _ in range(setting.size(8, 2)):
            a = velocity(x)
            b = velocity(x + 0.5 * step * a)
            c = velocity(x + 0.5 * step * b)
            d = velocity(x + step * c)
            x = x + step / 6 * (a + 2 * b + 2 * c + d)
        return x

    sample = integrate if fault else setting.capture(integrate)
    return lambda i: sample()


class Generator(nn.Module):
    """Images (batch, 3, height, width) of latents (batch, 512); a quarter of the height is that of the features."""

    def __init__(self, latent, width, side):
        super().__init__()
        self.enter = nn.Linear(latent, width * side * side)
        self.layers = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
        self.paint = nn.Conv2d(width, 48, 1)
        self.side = side

    def forward(self, latents):
        x = self.enter(latents).view(len(latents), self.side, self.side, -1).permute(0, 3, 1, 2)
        x = F.interpolate(x, scale_factor=2)
        for layer in self.layers:
            x = F.relu(layer(x))
        return F.pixel_shuffle(self.paint(x), 4).contiguous(memory_format=torch.channels_last)


class Discriminator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Conv2d(48, width, 1, bias=False)
        self.layers = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
        self.judge = nn.Linear(width, 8)

    def forward(self, images):
        x = self.stem(F.pixel_unshuffle(images, 4).contiguous(memory_format=torch.channels_last))
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.judge(x.mean((2, 3))).float()


def faces(setting, fault):
    """An adversarial pair: both are updated in a step."""
    torch.backends.cudnn.benchmark = True
    batch, width, side, latent = setting.size(128, 2), setting.size(512, 8), setting.size(16, 4), setting.size(512, 8)
    generator = Generator(latent, width, side).to(setting.device, memory_format=torch.channels_last)
    discriminator = Discriminator(width).to(setting.device, memory_format=torch.channels_last)
    optimizers = [setting.adamw(network.parameters()) for network in (generator, discriminator)]
    photos = setting.randn(batch, 3, 8 * side, 8 * side).contiguous(memory_format=torch.channels_last)

    def train_step(i):
        with setting.autocast():
            painted = generator(setting.randn(batch, latent))
            loss = F.softplus(-discriminator(photos)).mean() + F.softplus(discriminator(painted.detach())).mean()
        loss.backward()
        optimizers[1].step()
        optimizers[1].zero_grad(set_to_none=True)
        discriminator.requires_grad_(False)
        with setting.autocast():
            loss = F.softplus(-discriminator(painted)).mean()
        loss.backward()
        discriminator.requires_grad_(True)
        optimizers[0].step()
        optimizers[0].zero_grad(set_to_none=True)
        return loss

    return train_step


class Codebook(nn.Module):
    """Each step moves each of a few codes towards the mean of the rows (rows, width) that are nearest to it."""

    def __init__(self, inputs, width, count, indexed):
        super().__init__()
        self.encode = nn.Linear(inputs, width)
        self.register_buffer("codes", torch.randn(count, width))
        self.indexed = indexed

    def sums(self, rows, nearest):
        count = len(self.codes)
        if self.indexed:
            totals, members = torch.zeros_like(self.codes, dtype=torch.float32), torch.zeros(count, device=rows.device)
            totals.index_add_(0, nearest, rows.float())
            members.index_add_(0, nearest, torch.ones(len(rows), device=rows.device))
            return totals, members
        chosen = (nearest[:, None] == torch.arange(count, device=rows.device)).to(rows.dtype)
        return (chosen.T @ rows).float(), chosen.sum(0, dtype=torch.float32)

    def forward(self, x):
        rows = self.encode(x)
        nearest = torch.addmm(-0.5 * (self.codes * self.codes).sum(1), rows, self.codes.T).argmax(1)
        totals, members = self.sums(rows, nearest)
        self.codes.lerp_((totals / members.clamp(min=1)[:, None]).to(rows.dtype), 0.01)
        return nearest


def codes(setting, fault):
    rows, width = setting.size(1_048_576, 64), setting.size(256, 8)
    model = Codebook(4 * width, width, setting.size(32, 4), fault).to(setting.device, setting.half)
    patches = setting.randn(rows, 4 * width)

    @torch.no_grad()
    def learn(i):
        return model(patches)

    return learn


PROGRAMS = {"dit-blocks": blocks, "dit-guided": guided, "flow-samples": flow, "gan-faces": faces, "vq-codes": codes}
