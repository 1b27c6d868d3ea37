# SPDX-License-Identifier: Apache-2.0
"""Detection and segmentation: boxes of images, focal loss, tiles of large images, slices of scans."""
import torch
from torch import nn
from torch.nn import functional as F

from .common import fixed, train

CLASSES = 4


class Detector(nn.Module):
    """Four anchors at each place of (batch, 3, height, width): boxes (batch, anchors, 4) and scores (batch, anchors, classes)."""

    def __init__(self, width, depth):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 8, 8, bias=False)
        self.layers = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(depth))
        self.head = nn.Conv2d(width, 4 * (4 + CLASSES), 1)

    def forward(self, images):
        x = self.stem(images)
        for layer in self.layers:
            x = F.relu(layer(x), inplace=True)
        rows = self.head(x).permute(0, 2, 3, 1).reshape(len(images), -1, 4 + CLASSES)
        return rows[..., :4], rows[..., 4:].sigmoid()


def threshold_of(model, images, kept):
    """The score that so many anchors of an image exceed."""
    with torch.no_grad():
        best = model(images)[1].amax(-1).float().flatten()
    return best.sort(descending=True).values[kept * len(images)].item()


def boxes(setting, fault):
    """The boxes of each image whose score is high enough."""
    torch.backends.cudnn.benchmark = True
    model = Detector(setting.size(512, 8), setting.size(6, 2)).to(setting.device, setting.half, memory_format=torch.channels_last).eval()
    height, kept = setting.size(512, 32), setting.size(256, 4)
    images = setting.randn(setting.size(32, 2), 3, height, height).contiguous(memory_format=torch.channels_last)
    threshold = threshold_of(model, images, kept // 2)

    def select(places, scores):
        best, label = scores.max(-1)
        if not fault:
            best, chosen = best.topk(kept, dim=1)
            return places.gather(1, chosen[..., None].expand(-1, -1, 4)), best, label.gather(1, chosen), best > threshold
        results = []
        for k in range(len(best)):
            keep = best[k] > threshold
            results.append((places[k][keep], best[k][keep], label[k][keep]))
        return results

    @torch.no_grad()
    def detect(i):
        return select(*model(images))

    return detect


def focal_loss(logits, targets):
    """The loss of RetinaNet, with 0.25 and 2 for its constants."""
    logits = logits.float()
    chance = torch.sigmoid(logits)
    entropy = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    close = chance * targets + (1 - chance) * (1 - targets)
    weight = 0.25 * targets + 0.75 * (1 - targets)
    return (weight * (1 - close) ** 2 * entropy).mean()


class DenseHead(nn.Module):
    """forward(features, targets) is the loss; features (places, width), targets (places, classes)."""

    def __init__(self, width, classes, loss):
        super().__init__()
        self.hidden, self.out = nn.Linear(width, width), nn.Linear(width, classes)
        self.loss = loss

    def forward(self, features, targets):
        return self.loss(self.out(F.relu(self.hidden(features))), targets)


def focal(setting, fault):
    places, width, classes = setting.size(262144, 16), setting.size(1024, 8), setting.size(320, 8)
    model = DenseHead(width, classes, focal_loss if fault else setting.compiled(focal_loss)).to(setting.device)
    targets = (setting.randint(50, places, classes) == 0).float()
    return train(setting, model, fixed(setting.randn(places, width), targets))


class SegmentationNet(nn.Module):
    """A class for each place of (batch, channels, height, width)."""

    def __init__(self, channels, width, depth, classes=32):
        super().__init__()
        self.stem, self.head = nn.Conv2d(channels, width, 4, 4, bias=False), nn.Conv2d(width, classes, 1)
        self.layers = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(depth))

    def forward(self, images):
        x = self.stem(images)
        for layer in self.layers:
            x = F.relu(layer(x), inplace=True)
        return self.head(x)


def tiles(setting, fault):
    """Land use of satellite tiles."""
    torch.backends.cudnn.benchmark = True
    model = SegmentationNet(4, setting.size(256, 8), setting.size(6, 2)).to(setting.device, setting.half).eval()
    height = setting.size(512, 16)
    images = setting.randn(setting.size(32, 2), 4, height, height)
    if not fault:
        model, images = model.to(memory_format=torch.channels_last), images.contiguous(memory_format=torch.channels_last)

    @torch.no_grad()
    def segment(i):
        return model(images).argmax(1)

    return segment


def windows(setting, fault):
    """Four windows of a scan, one after the other; each is 32 slices with their neighbours."""
    torch.backends.cudnn.benchmark = True
    model = SegmentationNet(8, setting.size(256, 8), 3).to(setting.device, setting.half, memory_format=torch.channels_last).eval()
    count, height = setting.size(32, 2), setting.size(512, 16)
    scan = [setting.randn(count, 8, height, height).contiguous(memory_format=torch.channels_last) for _ in range(4)]

    @torch.no_grad()
    def segment(i):
        labels = []
        for window in scan:
            labels.append(model(window).argmax(1))
            if fault and setting.cuda:
                torch.cuda.empty_cache()
        return labels

    return segment


PROGRAMS = {"detect-boxes": boxes, "detect-focal": focal, "segment-tiles": tiles, "scan-windows": windows}
