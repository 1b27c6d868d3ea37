// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {

// What a finding wants of a pool: at most `at_most_ns` of the times `ranges`.
struct claim {
  std::uint32_t pool = 0;
  interval_set ranges{};
  nanoseconds at_most_ns = 0;
};

// The time that findings may promise, one pool per device. No time is granted twice: all that is granted of a
// pool adds up to no more than its window.
class time_budget {
 public:
  explicit time_budget(const std::vector<time_range>& windows);  // one window per pool

  // Takes what is left of the claim and returns how many nanoseconds that is. Time that others took at the
  // same times counts as saved already: a second finding that promises less for a kernel adds nothing to a
  // first one that halves it.
  nanoseconds take(const claim& wanted);
  // Takes time that nobody can save, as take() would; later claims on it find less of it, but not as saved.
  nanoseconds leave_out(const claim& wanted);
  // Returns what take() would give to the claim if it were the first.
  [[nodiscard]] nanoseconds alone(const claim& wanted) const;
  // Nanoseconds of a pool that are not granted yet, and the length of its window.
  [[nodiscard]] nanoseconds left(std::uint32_t pool_index) const;
  [[nodiscard]] nanoseconds total(std::uint32_t pool_index) const;

 private:
  struct pool {
    time_range window{};
    interval_set left{};
    interval_set left_out{};
  };
  std::vector<pool> pools_{};
};

}  // namespace ridge::trace
