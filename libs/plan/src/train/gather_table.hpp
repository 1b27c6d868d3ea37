// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/plan/interconnect.hpp>

namespace ridge::plan::train {

// Seconds to gather, or to reduce and scatter, over groups of the usual sizes: both are a straight line of
// the bytes, so that two calls of all_gather_s tell it. Other groups are asked for when they are needed.
class gather_table final {
 public:
  explicit gather_table(const interconnect& by);
  [[nodiscard]] double seconds(const interconnect& by, double bytes, std::int64_t ranks,
                               std::int64_t stride) const;

 private:
  struct line {
    double latency_s = 0, s_per_byte = 0;
  };
  std::vector<line> lines_;
};

}  // namespace ridge::plan::train
