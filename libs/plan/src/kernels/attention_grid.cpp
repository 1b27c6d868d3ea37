// SPDX-License-Identifier: Apache-2.0
#include "attention_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "layer_tables.hpp"

namespace ridge::plan::kernels {
namespace {

double between(double below, double above, double share) { return below + share * (above - below); }

}  // namespace

result<attention_grid> attention_grid::read(const std::filesystem::path& file) {
  auto points = attention_points::read(file);
  if (!points) return points.why();
  attention_grid grid;
  grid.points_ = std::move(*points);
  grid.filled_ = fill_in(grid.points_);
  return grid;
}

double attention_grid::decodes_s(const point& position, std::size_t chunk, std::size_t context) const {
  const auto n = bracket_of(points_.axes[attention_points::decodes], position.decodes);
  const auto& contexts = points_.axes[attention_points::decode_context];
  const auto d = bracket_of(contexts, std::max(position.decode_context, contexts[1]));
  const auto line = [&](std::size_t decodes) {
    return between(points_.at({chunk, context, decodes, d.below}),
                   points_.at({chunk, context, decodes, d.above}), d.share);
  };
  return between(line(n.below), line(n.above), n.share);
}

double attention_grid::seconds(const point& position) const {
  const auto& chunks = points_.axes[attention_points::chunk];
  auto c = bracket_of(chunks, position.chunk);
  if (c.below > 0) {
    const auto pairs = [&](double chunk) { return chunk * (position.chunk_context + (chunk + 1) / 2); };
    const auto first = pairs(chunks[c.below]), last = pairs(chunks[c.above]);
    c.share = (pairs(position.chunk) - first) / (last - first);
  }
  const auto k = bracket_of(points_.axes[attention_points::context], position.chunk_context);
  const auto line = [&](std::size_t chunk) {
    const auto below = decodes_s(position, chunk, k.below);
    return k.share == 0 ? below : between(below, decodes_s(position, chunk, k.above), k.share);
  };
  const auto below = line(c.below);
  return c.share == 0 ? below : between(below, line(c.above), c.share);
}

double attention_grid::next_bend(double decode_context) const {
  const auto& contexts = points_.axes[attention_points::decode_context];
  const auto above = std::ranges::upper_bound(contexts, decode_context);
  const bool last = above == contexts.end() || above + 1 == contexts.end();
  return last ? std::numeric_limits<double>::infinity() : *above;
}

double attention_grid::smallest_chunk() const { return points_.axes[attention_points::chunk][1]; }

}  // namespace ridge::plan::kernels
