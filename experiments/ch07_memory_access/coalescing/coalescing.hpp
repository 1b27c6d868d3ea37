// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_coalescing {

// A line of 128 bytes: what a warp of 32 lanes takes at once where the lanes' words are neighbours.
inline constexpr std::size_t line_words = 32;

// One of three passes over words: the sum of `source`, modulo 2^32; a copy; a fill with `pattern`.
struct workload {
  std::uint32_t pattern = 0;
  input<std::uint32_t> source{};
  output<std::uint32_t> target{};
};

ladder<workload> loads_cpu();
ladder<workload> copy_cpu();
ladder<workload> stores_cpu();
[[gnu::weak]] ladder<workload> loads_cuda();
[[gnu::weak]] ladder<workload> copy_cuda();
[[gnu::weak]] ladder<workload> stores_cuda();

// Each enqueues a pass on `queue` in which `Words` neighbouring lanes of a warp take neighbouring words, and
// the next `Words` lanes those of the next line.
template <unsigned Words>
void launch_sum(const workload& w, stream queue);
template <unsigned Words>
void launch_copy(const workload& w, stream queue);
template <unsigned Words>
void launch_fill(const workload& w, stream queue);
// Each enqueues a pass with 16 bytes a lane.
void launch_sum_vectors(const workload& w, stream queue);
void launch_copy_vectors(const workload& w, stream queue);
void launch_fill_vectors(const workload& w, stream queue);

}  // namespace ridge::experiments::ch07_coalescing
