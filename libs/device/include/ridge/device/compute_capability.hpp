// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

namespace ridge::device {

// The compute capability of a GPU, as NVIDIA numbers it: {9, 0} is Hopper's. {0, 0} where it is not known or
// not asked for.
struct compute_capability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const compute_capability&) const = default;
};

}  // namespace ridge::device
