// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/device/device.hpp>
#include <ridge/harness/memory.hpp>
#include <ridge/harness/work.hpp>

namespace ridge::harness {

// What is kept of one call's outputs: their bits where the experiment is exact, else sums of sixteen blocks
// each.
struct fingerprint {
  std::vector<std::uint64_t> digests{};
  std::vector<std::vector<device::block_sum>> sums{};
};

[[nodiscard]] fingerprint take_fingerprint(const memory& outputs_of, bool exact);

// Why two fingerprints cannot come from the same results within the tolerance, in words; empty when they can.
[[nodiscard]] std::string disagreement(const fingerprint& got, const fingerprint& expected, tolerance within);

}  // namespace ridge::harness
