// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/protocol.hpp>

namespace ridge::harness {

struct calibration {
  std::vector<std::uint64_t>
      iterations{};              // calls per sample of each arm; shared by the arms within 4x of the fastest
  std::vector<double> call_s{};  // seconds of one call of each arm, estimated
};

// Finds the count at which the fastest arm takes at least p.sample_s, or 1 where its call takes
// p.single_call_s; confirmed by two consecutive readings within 20 %. Separate counts bias a comparison, so
// arms within 4x of the fastest share it; slower arms get the count that gives them the same sample length,
// one at least.
[[nodiscard]] calibration calibrate(contestants& contest, const protocol& p);

}  // namespace ridge::harness
