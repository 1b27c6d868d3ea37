// SPDX-License-Identifier: Apache-2.0
#include "coalescing.hpp"

#include <cstring>

namespace ridge::experiments::ch01_coalescing {
namespace {

void strided(workload& w, call&) {
  const auto n = w.source.size();
  const auto stride = static_cast<std::size_t>(w.stride);
  for (std::size_t start = 0; start < stride; ++start) {
    for (std::size_t i = start; i < n; i += stride) w.target[i] = w.source[i];
  }
}

void contiguous(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = w.source[i];
}

void with_memcpy(workload& w, call&) {
  if (!w.source.empty()) std::memcpy(w.target.data(), w.source.data(), w.source.size_bytes());
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "a whole cache line is fetched for each element",
       .run = strided},
      {.name = "contiguous", .idea = "every byte of a fetched line is used", .run = contiguous},
      {.name = "memcpy", .is = role::comparator, .idea = "the C library's copy", .run = with_memcpy},
  };
}

}  // namespace ridge::experiments::ch01_coalescing
