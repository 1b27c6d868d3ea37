// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan {

// count / size rounded up. Neither is negative, and `size` is not 0.
[[nodiscard]] constexpr std::int64_t divided_up(std::int64_t count, std::int64_t size) {
  return count / size + (count % size != 0 ? 1 : 0);
}

}  // namespace ridge::plan
