// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan::serve {

// What the tiers below the GPU gave. Tokens are those of first admissions, beside
// engine_counts::prompt_lookups; loads, bytes and seconds are of all admissions.
struct tier_use {
  std::uint64_t host_tokens = 0, disk_tokens = 0;  // found there and loaded
  std::uint64_t recomputed_tokens = 0;             // found there, but sooner computed than loaded
  std::uint64_t loads = 0, recomputations = 0;     // prompts that loaded; that computed what they had found
  double link_bytes = 0, disk_bytes = 0;           // loaded over the host's link, of them read from the disk
  double load_s = 0;                               // Σ over the loads: from admission until all is there

  tier_use& operator+=(const tier_use& other) {
    host_tokens += other.host_tokens, disk_tokens += other.disk_tokens;
    recomputed_tokens += other.recomputed_tokens;
    loads += other.loads, recomputations += other.recomputations;
    link_bytes += other.link_bytes, disk_bytes += other.disk_bytes;
    load_s += other.load_s;
    return *this;
  }
};

}  // namespace ridge::plan::serve
