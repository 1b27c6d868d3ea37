// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/base/dtype.hpp>

namespace ridge::device {

// Summary of one block of an array, added up in a fixed order: enough to compare two outputs within a
// tolerance.
struct block_sum {
  double sum = 0;
  double sum_abs = 0;
  std::uint64_t count = 0;
  std::uint64_t not_finite = 0;  // NaN and infinities: counted, left out of the sums
};

// Reduces arrays to a few numbers that tell whether two outputs agree.
class array_summaries {
 public:
  virtual ~array_summaries() = default;
  // 64-bit hash of the bytes in order, as digest.hpp defines it. Waits for the queue.
  [[nodiscard]] virtual std::uint64_t digest(std::span<const std::byte> source) = 0;
  // Sums of `blocks` equal parts (the last may be shorter), in double and in a fixed order. Waits for the
  // queue.
  [[nodiscard]] virtual std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                          std::size_t blocks) = 0;
  // Enqueue the same two: they see what the source holds when the queue comes that far.
  virtual void enqueue_digest(std::span<const std::byte> source) = 0;
  virtual void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) = 0;
  // The results enqueued since they were last taken, in the order of enqueueing. Waits for the queue.
  [[nodiscard]] virtual std::vector<std::uint64_t> take_digests() = 0;
  [[nodiscard]] virtual std::vector<std::vector<block_sum>> take_block_sums() = 0;
};

}  // namespace ridge::device
