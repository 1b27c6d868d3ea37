# SPDX-License-Identifier: Apache-2.0
"""Rollouts of many small worlds, Gaussian processes, tensor trains: inference."""
import torch
from torch import nn

from .common import mlp


class Worlds(nn.Module):
    """A step of carts with poles (worlds, 4) under a policy."""

    def __init__(self, width):
        super().__init__()
        self.policy = mlp(4, width, width, 1)

    def forward(self, state, noise):
        place, speed, angle, turn = state.unbind(1)
        push = 10 * torch.tanh(self.policy(state.to(noise.dtype)) + noise).float().squeeze(1)
        sine, cosine = torch.sin(angle), torch.cos(angle)
        pull = (push + 0.05 * turn * turn * sine) / 1.1
        twist = (9.8 * sine - cosine * pull) / (0.5 * (1.3333 - 0.1 * cosine * cosine / 1.1))
        gain = pull - 0.05 * twist * cosine / 1.1
        following = torch.stack([place + 0.02 * speed, speed + 0.02 * gain, angle + 0.02 * turn, turn + 0.02 * twist], dim=1)
        lost = (place.abs() > 2.4) | (angle.abs() > 0.21)
        return torch.where(lost[:, None], torch.zeros_like(following), following), ~lost


def rollouts(setting, fault):
    """Sixteen steps, compiled and captured."""
    worlds = setting.size(131072, 16)
    model = Worlds(setting.size(512, 8)).to(setting.device, setting.half).eval()
    step_worlds = setting.compiled(model)
    start, noise = setting.randn(worlds, 4, dtype=torch.float32) * 0.1, setting.randn(16, worlds, 1)

    @torch.no_grad()
    def roll_out():
        state, rewards = start, torch.zeros(worlds, device=setting.device)
        for k in range(16):
            state, alive = step_worlds(state, noise[k])
            rewards = rewards + alive
        return state, rewards

    replay = setting.capture(roll_out)

    def step(i):
        return replay()

    return step


def processes(setting, fault):
    """Weights and log determinants of many small Gaussian processes."""
    count, points = setting.size(4096, 3), setting.size(128, 8)
    x, y = setting.randn(count, points, 16, dtype=torch.float32), setting.randn(count, points, 1, dtype=torch.float32)
    unit = torch.eye(points, device=setting.device)

    @torch.no_grad()
    def solve(i):
        kernels = torch.baddbmm(unit.expand(count, -1, -1), x, x.transpose(1, 2))
        factors, _ = torch.linalg.cholesky_ex(kernels)
        weights = torch.linalg.solve_triangular(factors, y, upper=False)
        return weights, 2 * factors.diagonal(dim1=1, dim2=2).log().sum(1)

    return solve


def tensor_train(setting, fault):
    """A tensor train of 128 cores, contracted from left to right."""
    width = setting.size(128, 8)
    cores = [setting.randn(width, width) / width ** 0.5 for _ in range(setting.size(128, 4))]
    left = setting.randn(width, width)

    @torch.no_grad()
    def contract():
        x = left
        for core in cores:
            x = torch.mm(x, core)
        return x

    replay = contract if fault else setting.capture(contract)

    def step(i):
        return replay()

    return step


PROGRAMS = {"cart-rollouts": rollouts, "gaussian-processes": processes, "tensor-train": tensor_train}
