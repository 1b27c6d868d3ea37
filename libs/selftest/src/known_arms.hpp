// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <ridge/harness/contestants.hpp>

namespace ridge::selftest {

enum class workload { registers, cache, memory };

// Two arms that run the same code on the same data; the second processes `1 + extra` times as much of it, so
// their true ratio is known. Registers: a xorshift chain of about 10 us. Cache: a sum over 400 KiB. Memory: a
// sum over 64 MiB.
class known_arms final : public harness::contestants {
 public:
  known_arms(workload kind, double extra);

  [[nodiscard]] std::size_t arms() const override { return 2; }
  [[nodiscard]] harness::sample run(std::size_t arm, std::uint64_t n) override;
  // Returns time(first) / time(second): the true ratio of the second arm to the first, where above 1 is
  // better.
  [[nodiscard]] double true_ratio() const;

 private:
  workload kind_;
  std::size_t amount_[2];  // steps or elements of each arm
  std::vector<float> data_;
  double value_ = 0;
};

}  // namespace ridge::selftest
