// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {

// A part of a pool that a finding wants: at most so much of these times.
struct claim {
  std::uint32_t pool = 0;
  interval_set where{};
  nanoseconds at_most_ns = 0;
};

// Time that may be promised, a pool a device. What one claim got no other gets: all that was granted of a
// pool adds up to no more than its window.
class time_budget {
 public:
  explicit time_budget(const std::vector<time_range>& windows);  // one a pool

  // Takes what is left of the claim and says how much that is. Time of the same places that others took
  // already counts as saved: a kernel that one finding makes half as long is not made shorter by another that
  // promises less.
  nanoseconds take(const claim& wanted);
  // What take() would give to a claim if nobody had come before.
  [[nodiscard]] nanoseconds alone(const claim& wanted) const;
  [[nodiscard]] nanoseconds left(std::uint32_t of) const;
  [[nodiscard]] nanoseconds total(std::uint32_t of) const;

 private:
  struct pool {
    time_range window{};
    interval_set left{};
  };
  std::vector<pool> pools_{};
};

}  // namespace ridge::trace
