// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/device/device.hpp>
#include <ridge/harness/memory.hpp>
#include <ridge/harness/work.hpp>

namespace ridge::harness {

// Whether a variant writes this array, so that it holds results.
[[nodiscard]] bool is_result(const array_record& array);

// What is kept of one call's outputs: their bits where the experiment is exact, else sums of sixteen blocks
// each.
struct fingerprint {
  std::vector<std::uint64_t> digests{};
  std::vector<std::vector<device::block_sum>> sums{};
};

[[nodiscard]] fingerprint take_fingerprint(const memory& outputs_of, bool exact);

// The same, enqueued on the outputs' device; `next_fingerprint` gives them in order out of all that the
// device then has to say.
struct taken_results {
  std::vector<std::uint64_t> digests{};
  std::vector<std::vector<device::block_sum>> sums{};
  std::size_t next_digest = 0, next_sums = 0;
};
void enqueue_fingerprint(const memory& outputs_of, bool exact);
[[nodiscard]] fingerprint next_fingerprint(const memory& outputs_of, bool exact, taken_results& from);

// Why two fingerprints cannot come from the same results within the tolerance, in words; empty when they can.
[[nodiscard]] std::string disagreement(const fingerprint& got, const fingerprint& expected, tolerance within);

}  // namespace ridge::harness
