// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/vision.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "as_real.hpp"

namespace ridge::plan {
namespace {

using grid = std::pair<std::int64_t, std::int64_t>;  // tiles beside and above each other

std::int64_t multiple(double units, std::int64_t factor) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(units), 1) * factor;
}

// Sides become multiples of a token's side; the number of pixels stays within bounds.
image_patches any_size(const vision_shape& v, double width, double height) {
  const auto factor = v.patch * v.merge;
  const double f = as_real(factor), pixels = width * height;
  const auto scaled = [&](double side, double by, auto round) {
    return multiple(round(side * by / f), factor);
  };
  const auto nearest = [](double x) { return std::nearbyint(x); };
  const auto down = [](double x) { return std::floor(x); };
  const auto up = [](double x) { return std::ceil(x); };
  image_patches made{.width = scaled(width, 1, nearest), .height = scaled(height, 1, nearest)};
  const double rounded = as_real(made.width * made.height);
  if (rounded > as_real(v.most_pixels)) {
    const double by = std::sqrt(as_real(v.most_pixels) / pixels);
    made = {.width = scaled(width, by, down), .height = scaled(height, by, down)};
  } else if (rounded < as_real(v.least_pixels)) {
    const double by = std::sqrt(as_real(v.least_pixels) / pixels);
    made = {.width = scaled(width, by, up), .height = scaled(height, by, up)};
  }
  made.rows = (made.width / v.patch) * (made.height / v.patch);
  made.tokens = made.rows / (v.merge * v.merge);
  made.pairs = as_real(made.rows) * as_real(made.rows);
  made.window_pairs = as_real(made.rows) * as_real(std::min(v.window_patches, made.rows));
  return made;
}

std::vector<grid> grids_of(std::int64_t least, std::int64_t most) {
  std::vector<grid> all;
  for (std::int64_t w = 1; w <= most; ++w)
    for (std::int64_t h = 1; h <= most; ++h)
      if (w * h >= least && w * h <= most) all.emplace_back(w, h);
  std::ranges::stable_sort(all, {}, [](const grid& g) { return g.first * g.second; });
  return all;
}

// The canvas that enlarges the image least, else the one that shrinks it least; the smaller one of equals.
grid canvas_of(const vision_shape& v, double width, double height) {
  grid best{1, 1};
  double best_scale = 0;
  for (const auto& g : grids_of(1, v.most_tiles)) {
    const double scale = std::min(as_real(g.first * v.side) / width, as_real(g.second * v.side) / height);
    const bool enlarges = scale >= 1, best_enlarges = best_scale >= 1;
    const bool better = enlarges && best_enlarges ? scale < best_scale : scale > best_scale;
    if (better) best = g, best_scale = scale;
  }
  return best;
}

// The nearest aspect ratio; of several with the same, the larger grid where the image has more than half of
// its pixels.
grid ratio_of(const vision_shape& v, double width, double height) {
  grid best{1, 1};
  double best_difference = 1e300;
  for (const auto& g : grids_of(v.least_tiles, v.most_tiles)) {
    const double difference = std::abs(width / height - as_real(g.first) / as_real(g.second));
    const double half = 0.5 * as_real(v.side * v.side) * as_real(g.first * g.second);
    if (difference < best_difference)
      best = g, best_difference = difference;
    else if (difference == best_difference && width * height > half)
      best = g;
  }
  return best;
}

image_patches of_tiles(const vision_shape& v, const grid& g) {
  const auto side = v.side / v.patch;
  const auto rows = side * side + v.class_rows;
  image_patches made{.width = g.first * v.side, .height = g.second * v.side, .tiles = g.first * g.second};
  if (v.thumbnail && made.tiles > 1) ++made.tiles;
  made.rows = rows * made.tiles;
  // Llama's tower attends over all tiles, InternVL's within each.
  made.pairs = as_real(made.rows) * as_real(v.sizing == image_sizing::canvas_of_tiles ? made.rows : rows);
  made.window_pairs = made.pairs;
  made.tokens = v.tokens * made.tiles;
  return made;
}

}  // namespace

result<image_patches> patches_of(const vision_shape& v, std::int64_t width, std::int64_t height) {
  constexpr std::int64_t most = 1 << 16, most_ratio = 200;
  if (!v.known())
    return error{"this model encodes no images that are understood here",
                 "leave --images, or give a --config with a vision_config of a known family"};
  const auto [shorter, longer] = std::minmax(width, height);
  if (shorter < 1 || longer > most || longer > most_ratio * shorter)
    return error{fmt::format("an image of {}x{} pixels is out of range", width, height),
                 "give WIDTHxHEIGHT of 1 to 65536 pixels, one side at most 200 times the other"};
  const double w = as_real(width), h = as_real(height);
  image_patches made;
  switch (v.sizing) {
    case image_sizing::any:
      made = any_size(v, w, h);
      break;
    case image_sizing::fixed:
      made = of_tiles(v, {1, 1});
      break;
    case image_sizing::canvas_of_tiles:
      made = of_tiles(v, canvas_of(v, w, h));
      break;
    case image_sizing::ratio_of_tiles:
      made = of_tiles(v, ratio_of(v, w, h));
      break;
  }
  if (v.cross_attention) made.cross_rows = made.rows, made.tokens = v.tokens;
  made.prompt_tokens = made.tokens + v.boundary_tokens;
  return made;
}

double encode_flop(const vision_shape& v, const image_patches& image) {
  const double rows = as_real(image.rows), h = as_real(v.hidden), i = as_real(v.intermediate);
  const double products = 2 * rows * (4 * h * h + (v.gated ? 3 : 2) * h * i);
  const double full = as_real(v.layers - v.window_layers), windows = as_real(v.window_layers);
  double flop = as_real(v.layers) * products + 4 * h * (full * image.pairs + windows * image.window_pairs);
  flop += 2 * rows * as_real(v.patch_inputs) * h;
  const double projected = as_real(image.cross_rows > 0 ? image.cross_rows : image.tokens);
  for (const auto& p : v.projections) flop += 2 * projected * as_real(p.inputs * p.outputs);
  return flop;
}

}  // namespace ridge::plan
