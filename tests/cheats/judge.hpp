// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cheats.hpp"

namespace ridge::cheats {

// How a family is judged: as `ridge run` judges it at its default profile, in less time.
struct judge_options {
  double budget_per_arm_s = 0.02;
  std::uint64_t seed = 1;
  double limit_s = 20;       // a run that takes longer is killed
  double stall_limit_s = 3;  // a variant whose code runs for so long is refused
};

// One check that objects to the candidate, and its evidence.
struct objection {
  std::string check{};
  std::string evidence{};
};

// What a run makes of a candidate: somebody objects; nobody does and it looks better, or it does not; or
// there is no result because the process was lost.
enum class outcome : std::uint8_t { caught, believed, without_gain, lost };
[[nodiscard]] std::string_view name(outcome seen);

struct judgement {
  cheats::outcome outcome{cheats::outcome::lost};
  std::vector<objection> objections{};
  std::string verdict{};  // the report's word; of a lost run why it was lost
  int assurance = 0;
  bool printed = false;  // whether anything reached the standard output
  double ratio = 0;      // of the first metric; above 1: the candidate looks better; 0: none
  double gain = 0;  // baseline's seconds of a call over the candidate's, least of some samples without the
                    // harness; 0: none
};

// Judges the experiment's candidate in a process of its own. Where it `must_look_better` to have any use, an
// unopposed candidate without that verdict is not believed but without gain.
[[nodiscard]] judgement judge(question asked, const std::string& id, bool must_look_better,
                              const judge_options& options);

// Times the candidate beside the baseline in a process of its own, with fresh data before each call as the
// harness has them; 0 where it does not survive that.
[[nodiscard]] double measured_gain(question asked, const std::string& id, std::uint64_t seed);

}  // namespace ridge::cheats
