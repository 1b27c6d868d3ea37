// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/block_sums.hpp>

#include <algorithm>
#include <type_traits>

#include <ridge/base/expects.hpp>
#include <ridge/base/with_dtype.hpp>

#include "sum_lanes.hpp"

namespace ridge::device {
namespace {

constexpr std::size_t lanes = partial_sums::lanes;
constexpr std::size_t tile = 64 * lanes;

// The floating type that a tile of T is converted to; it holds every value of T, 64-bit integers excepted.
template <class T>
using wide_of = std::conditional_t<std::is_integral_v<T> && (sizeof(T) >= 4), double,
                                   std::conditional_t<std::is_same_v<T, double>, double, float>>;

// Adds at most one tile; the last group is filled up with zeros, which change no sum.
template <class T>
void add_tile(partial_sums& sums, const T* source, std::size_t count) {
  if constexpr (std::is_same_v<T, wide_of<T>>) {
    if (count % lanes == 0) return add_groups(sums, source, count / lanes);
  }
  alignas(64) wide_of<T> widened[tile];
  for (std::size_t i = 0; i < count; ++i) widened[i] = static_cast<wide_of<T>>(source[i]);
  const std::size_t groups = (count + lanes - 1) / lanes;
  std::fill(widened + count, widened + groups * lanes, wide_of<T>(0));
  add_groups(sums, widened, groups);
}

double total(const double (&part)[lanes]) {
  double sum[lanes];
  std::copy_n(part, lanes, sum);
  for (std::size_t width = lanes / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) sum[i] += sum[i + width];
  }
  return sum[0];
}

template <class T>
block_sum sum_of(const T* source, std::size_t count) {
  partial_sums p;
  for (std::size_t i = 0; i < count; i += tile) add_tile(p, source + i, std::min(tile, count - i));
  return {total(p.sum), total(p.sum_abs), count, static_cast<std::uint64_t>(total(p.not_finite))};
}

}  // namespace

std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) {
  expects(blocks > 0, "block_sums: at least one block");
  expects(source.size() % size_of(type) == 0, "block_sums: the source holds whole elements");
  std::vector<block_sum> all(blocks);
  with_dtype(type, [&]<class T>() {
    const auto* from = reinterpret_cast<const T*>(source.data());
    const std::size_t count = source.size() / sizeof(T), part = (count + blocks - 1) / blocks;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t first = std::min(b * part, count);
      all[b] = sum_of(from + first, std::min(part, count - first));
    }
  });
  return all;
}

}  // namespace ridge::device
