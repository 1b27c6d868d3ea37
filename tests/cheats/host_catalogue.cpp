// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

namespace ridge::cheats {

catalogue the_catalogue() {
  return {.program = "judge_cheats",
          .cheats = all_cheats(),
          .twins = honest_twins(),
          .measure = measured_on_the_host,
          .times_bare_arms = true};
}

}  // namespace ridge::cheats
