// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridge::device {

// The operations of a simulated device that are counted and can be made to fail.
enum class operation : std::uint8_t {
  allocate,
  fill,
  poison,
  digest,
  block_sums,
  copy_to_host,
  copy_from_host,
  evict,
  mark,
  synchronize
};

// Counts calls by operation and makes chosen ones fail.
class simulated_calls {
 public:
  // Counts a call. Throws failure where this call was chosen.
  void count(operation kind);
  // Chooses the call-th call of `kind` from now on, 1 being the next. Bug: 0.
  void fail(operation kind, std::uint64_t call);
  // Number of calls of `kind` so far, failed ones included.
  [[nodiscard]] std::uint64_t so_far(operation kind) const {
    return counters_[static_cast<std::size_t>(kind)].calls;
  }

 private:
  struct counter {
    std::uint64_t calls = 0;
    std::uint64_t fails_at = 0;  // 0: never
  };
  std::array<counter, 10> counters_{};
};

}  // namespace ridge::device
