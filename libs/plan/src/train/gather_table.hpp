// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/plan/interconnect.hpp>

namespace ridge::plan::train {

// Seconds of all-gather or reduce-scatter over groups of the usual sizes: both are linear in the bytes, so
// two calls of all_gather_s() determine them. Other groups are computed when they are needed.
class gather_table final {
 public:
  explicit gather_table(const interconnect& links);
  [[nodiscard]] double seconds(const interconnect& links, double bytes, std::int64_t ranks,
                               std::int64_t stride) const;

 private:
  struct line {
    double latency_s = 0, s_per_byte = 0;
  };
  std::vector<line> lines_;
};

}  // namespace ridge::plan::train
