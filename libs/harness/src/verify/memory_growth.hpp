// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include <ridge/host/resident_memory.hpp>

namespace ridge::harness {

// How much more memory a process holds than it did at the first look, and held at most in between. All is
// read by another process than the one that is looked at.
class memory_growth {
 public:
  explicit memory_growth(int process) : process_(process) {}

  // Looks for the first time.
  void begin();
  // Looks, and forgets the peak so far: what other code did since the last look is no growth of the peak.
  void begin_anew();
  // Looks again.
  void look();

  // Whether every look saw something.
  [[nodiscard]] bool seen() const { return seen_; }
  // Whether the process hid its memory after the first look.
  [[nodiscard]] bool hidden() const { return first_ && !seen_; }
  // Bytes that it took, where `declared` are known to be among them: these alone unless there is clearly
  // more.
  [[nodiscard]] double bytes_beside(double declared) const;

 private:
  int process_;
  bool seen_ = true;
  std::optional<host::memory_of_process> first_{}, base_{};
  double kept_ = 0, peak_ = 0;
};

// Bytes that a process may take beside those that are declared before they count: pages of heaps and stacks,
// and the ends of pages.
[[nodiscard]] inline double unaccounted_bytes(double declared) { return 98304 + declared / 64; }

}  // namespace ridge::harness
