// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_gather_sorted {

// target[i] = table[index[i]].
struct workload {
  input<float> table{};
  input<std::uint32_t> index{};
  output<float> target{};
};

// The table is cut into `buckets` parts of 2^shift elements, the last ones perhaps empty.
inline constexpr std::size_t buckets = 128;
[[nodiscard]] constexpr unsigned bucket_shift(std::size_t table_elements) {
  unsigned shift = 0;
  while (table_elements >> shift > buckets - 1) ++shift;
  return shift;
}

// Indices of a tile are sorted by bucket on their own.
inline constexpr std::size_t tile = 16384;
[[nodiscard]] constexpr std::size_t tiles_of(std::size_t indices) { return (indices + tile - 1) / tile; }

// What the bucketed gather leaves between its kernels, on the device.
struct sorted_tiles {
  std::span<std::uint32_t> keys{};    // whole tiles: indices by bucket, then the values found there
  std::span<std::uint16_t> places{};  // for each key, where in the tile it stood
  std::span<std::uint16_t> runs{};    // buckets x tiles: where a bucket begins in a tile
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a gather of kernels.cu on `queue`: in the order of the indices; bucket by bucket.
void launch_direct(const workload& w, stream queue);
void launch_bucketed(const workload& w, const sorted_tiles& tiles, stream queue);
// In comparator.cu: in the order of indices that CUB has sorted, each value then scattered to its place;
// without scratch it says how many bytes it needs.
void launch_sorted(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch07_gather_sorted
