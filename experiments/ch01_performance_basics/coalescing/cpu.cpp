// SPDX-License-Identifier: Apache-2.0
#include "coalescing.hpp"

#include <algorithm>
#include <cstring>

#include "streaming_copy.hpp"

namespace ridge::experiments::ch01_coalescing {
namespace {

// 16 KiB of the source and 16 KiB of the target stay in any first-level cache of 32 KiB or more.
constexpr std::size_t tile_elements = 4096;

void copy_strided(workload& w, std::size_t from, std::size_t to) {
  const auto stride = w.stride;
  for (std::size_t start = from; start < std::min(from + stride, to); ++start) {
    for (std::size_t i = start; i < to; i += stride) w.target[i] = w.source[i];
  }
}

void strided(workload& w, call&) { copy_strided(w, 0, w.source.size()); }

void tiled(workload& w, call&) {
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; i += tile_elements) copy_strided(w, i, std::min(i + tile_elements, n));
}

void contiguous(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = w.source[i];
}

void streaming(workload& w, call&) { streaming_copy(w.source, w.target); }

void with_memcpy(workload& w, call&) {
  if (!w.source.empty()) std::memcpy(w.target.data(), w.source.data(), w.source.size_bytes());
}

// A line of 64 bytes is fetched for each element of a wide stride, and again for the next element in it.
double strided_traffic(const problem& p) {
  const auto touched = std::min(p.real("stride"), 16.0);
  return p.real("elements") * 3 * 4 * touched;
}

// A written line is read first unless its store goes around the caches.
double cached_traffic(const problem& p) { return p.real("elements") * 3 * 4; }

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "a whole cache line is fetched for each element",
       .run = strided,
       .traffic = strided_traffic},
      {.name = "tiled",
       .idea = "the same stride inside 16 KiB: a line's other elements are asked for while it is cached",
       .run = tiled,
       .traffic = cached_traffic},
      {.name = "contiguous",
       .idea = "every byte of a fetched line is used at once",
       .run = contiguous,
       .traffic = cached_traffic},
      {.name = "streaming",
       .idea = "full lines are stored around the caches: none is read to be overwritten",
       .run = streaming},
      {.name = "memcpy", .is = role::comparator, .idea = "the C library's copy", .run = with_memcpy},
  };
}

}  // namespace ridge::experiments::ch01_coalescing
