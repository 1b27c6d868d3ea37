// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/tiles.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "operators/op_inputs.hpp"

namespace ridge::trace {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The numbers of "256x128x64" at the start of the text.
std::vector<std::int64_t> numbers_at(std::string_view text) {
  std::vector<std::int64_t> found;
  while (true) {
    std::int64_t value = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (bad != std::errc{}) return found;
    found.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('x')) return found;
    text.remove_prefix(1);
  }
}

std::optional<tile_size> tile_from(const std::vector<std::int64_t>& n) {
  const auto plausible = [](std::int64_t size) { return size >= 8 && size <= 1024; };
  if (n.size() < 2 || !plausible(n[0]) || !plausible(n[1])) return std::nullopt;
  return tile_size{.m = n[0], .n = n[1], .k = n.size() > 2 ? n[2] : 0};
}

std::optional<tile_size> after(std::string_view kernel, std::string_view mark) {
  const auto at = kernel.find(mark);
  return at == std::string_view::npos ? std::nullopt : tile_from(numbers_at(kernel.substr(at + mark.size())));
}

// The first "_128x64" of a product's name; cutlass writes the depth and its stages after it: "_32x6".
std::optional<tile_size> anywhere(std::string_view kernel) {
  if (!has(kernel, "gemm") && !has(kernel, "scudnn") && !has(kernel, "conv") && !has(kernel, "cutlass"))
    return std::nullopt;
  for (auto at = kernel.find('_'); at != std::string_view::npos; at = kernel.find('_', at + 1)) {
    if (const auto tile = tile_from(numbers_at(kernel.substr(at + 1)))) return tile;
  }
  return std::nullopt;
}

std::int64_t number_after_mark(std::string_view kernel, std::string_view mark, std::int64_t otherwise) {
  const auto at = kernel.find(mark);
  if (at == std::string_view::npos) return otherwise;
  const auto found = numbers_at(kernel.substr(at + mark.size()));
  return found.empty() ? otherwise : std::max<std::int64_t>(found.front(), 1);
}

bool is_convolution(std::string_view kernel) {
  constexpr std::array<std::string_view, 6> marks{"igemm", "cudnn", "conv", "fprop", "dgrad", "wgrad"};
  return std::ranges::any_of(marks, [&](std::string_view mark) { return has(kernel, mark); });
}

std::int64_t pieces(std::int64_t size, std::int64_t tile) { return (size + tile - 1) / tile; }

std::int64_t largest_power_of_two(std::int64_t n) {
  constexpr std::int64_t most = 256;
  return n <= 0 ? most : std::min(most, n & -n);
}

}  // namespace

std::optional<tile_size> tile_of(std::string_view kernel) {
  if (auto tensile = after(kernel, "_MT")) {
    tensile->splits = number_after_mark(kernel, "_GSU", 1);
    tensile->swapped = true;
    return tensile;
  }
  auto tile = after(kernel, "tilesize");
  if (!tile) tile = after(kernel, "_bt");
  if (!tile) tile = anywhere(kernel);
  if (tile) tile->swapped = !is_convolution(kernel);
  return tile;
}

std::optional<tile_estimate> tiles_of(const gemm_shape& shape, std::optional<tile_size> tile, int sms) {
  if (shape.m <= 0 || shape.n <= 0) return std::nullopt;
  tile_estimate e{.tile = tile.value_or(tile_size{.m = 128, .n = 128}), .assumed = !tile, .sms = sms};
  const auto groups = std::max<std::int64_t>(shape.groups, 1);
  const auto rows = pieces(shape.m, groups);
  const auto tile_m = e.tile.swapped ? e.tile.n : e.tile.m, tile_n = e.tile.swapped ? e.tile.m : e.tile.n;
  const auto down = pieces(rows, tile_m), across = pieces(shape.n, tile_n);
  e.tiles = saturated_product({shape.batch, groups, down, across, e.tile.splits});
  if (sms > 0) {
    e.waves = static_cast<double>(e.tiles) / sms;
    e.wave_share = e.waves / std::ceil(e.waves);
  }
  e.padding_share = static_cast<double>(rows) / static_cast<double>(down * tile_m) *
                    (static_cast<double>(shape.n) / static_cast<double>(across * tile_n));
  return e;
}

alignment alignment_of(const gemm_shape& shape, number_type type) {
  const auto size = bytes_of(type);
  const auto wanted = size > 0 ? static_cast<std::int64_t>(16 / size) : 8;
  const auto up = [&](std::int64_t n) { return pieces(n, wanted) * wanted; };
  alignment a{.wanted = wanted, .padded = shape};
  a.aligned_to =
      std::min({largest_power_of_two(shape.m), largest_power_of_two(shape.n), largest_power_of_two(shape.k)});
  a.aligned = shape.n % wanted == 0 && shape.k % wanted == 0;
  a.padded.m = up(shape.m);
  a.padded.n = up(shape.n);
  a.padded.k = up(shape.k);
  return a;
}

}  // namespace ridge::trace
