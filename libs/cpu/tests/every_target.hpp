// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <hwy/targets.h>

namespace ridge::cpu {

// The instruction sets of this CPU that Highway was compiled for, one bit each.
[[nodiscard]] inline std::vector<std::int64_t> targets_here() {
  std::vector<std::int64_t> each;
  const auto all = static_cast<std::uint64_t>(hwy::SupportedTargets());
  for (auto left = all; left != 0; left &= left - 1) {
    each.push_back(static_cast<std::int64_t>(left & (~left + 1)));
  }
  return each;
}

// Runs kernels as if the CPU had this target and what it builds on, until the end of the scope.
class only_target final {
 public:
  explicit only_target(std::int64_t target) { choose(target); }
  ~only_target() { choose(0); }
  only_target(const only_target&) = delete;
  only_target& operator=(const only_target&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

}  // namespace ridge::cpu
