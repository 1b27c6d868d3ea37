// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "informed_cheats.hpp"
#include "judge.hpp"

namespace ridge::cheats {

catalogue the_catalogue() {
  auto twins = honest_twins();
  std::ranges::move(honest_twins_alone(), std::back_inserter(twins));
  return {.program = "judge_cheats",
          .cheats = all_cheats(),
          .twins = std::move(twins),
          .measure = measured_on_the_host,
          .times_bare_arms = true};
}

}  // namespace ridge::cheats
