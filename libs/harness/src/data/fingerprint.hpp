// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
  std::optional<std::uint64_t> pieces_key{};  // chose the pieces that were looked at; without one all were
};

// What is looked at of an array after a sample. With a key that is pieces of an array of more than a MiB in
// host memory, one page of each eight in a row, which the key chooses: what a body left out is found wherever
// leaving it out is a gain. Else it is the whole array.
[[nodiscard]] std::vector<std::span<const std::byte>> looked_at(const memory& arrays,
                                                                const array_record& array,
                                                                std::optional<std::uint64_t> pieces_key);

// The fingerprint of what is looked at of the outputs, as they are now; waits for their device.
[[nodiscard]] fingerprint take_fingerprint(const memory& outputs_of, bool exact,
                                           std::optional<std::uint64_t> pieces_key = {});

// Results that were enqueued and taken from the device, with the place of the next ones to be used.
struct taken_results {
  std::vector<std::uint64_t> digests{};
  std::vector<std::vector<device::block_sum>> sums{};
  std::size_t next_digest = 0, next_sums = 0;
};
// Enqueues the fingerprint on the outputs' device.
void enqueue_fingerprint(const memory& outputs_of, bool exact);
// The fingerprint whose results come next in `results`, for the outputs that it was enqueued for.
[[nodiscard]] fingerprint next_fingerprint(const memory& outputs_of, bool exact, taken_results& results);

// Why two fingerprints cannot come from the same results within the tolerance; empty when they can. Bug: they
// are of different pieces.
[[nodiscard]] std::string disagreement(const fingerprint& got, const fingerprint& expected, tolerance within);

}  // namespace ridge::harness
