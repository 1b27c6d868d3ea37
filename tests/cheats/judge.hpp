// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/measure_family.hpp>

#include "cheats.hpp"

namespace ridge::cheats {

// How a family is judged: as `ridge run` judges it at its default profile, unless said otherwise in less
// time.
struct judge_options;
// Measures a family on the host as `ridge run` does.
[[nodiscard]] model::family measured_on_the_host(const experiment& asked, const judge_options& options);
using measuring = std::function<model::family(const experiment& asked, const judge_options& options)>;
struct judge_options {
  double budget_per_arm_s = 0.02;
  std::uint64_t seed = 1;
  double limit_s = 20;                      // a run that takes longer is killed
  double stall_limit_s = 3;                 // a variant whose code runs for so long is refused
  measuring measure{measured_on_the_host};  // of the first problem of an experiment
};

// What a program judges, and how.
struct catalogue {
  std::string program{};      // its name
  std::string unavailable{};  // why nothing can be judged on this machine; empty: it can
  std::vector<cheat> cheats{};
  std::vector<honest_twin> twins{};
  measuring measure{};
  bool times_bare_arms = false;  // whether measured_gain knows its questions
};
// The catalogue of this program; each program that judges defines its own.
[[nodiscard]] catalogue the_catalogue();

// The options of a run that these options stand for.
[[nodiscard]] harness::run_options run_options_for(const judge_options& options);

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
  std::vector<objection> remarks{};  // what checks that pass have measured, where --evidence shows it
  std::string verdict{};             // the report's word; of a lost run why it was lost
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

// Judges the cheat in as many runs as it needs, each with a seed of its own, and returns what the last run
// made of it. Only a cheat for time, or one that a check makes useless, must look better.
[[nodiscard]] judgement judge_cheat(const cheat& judged, judge_options options);

// Whether one of the checks that the table names for the cheat is `check`.
[[nodiscard]] bool is_caught_by(const cheat& judged, std::string_view check);

// Times the candidate beside the baseline in a process of its own, with fresh data before each call as the
// harness has them; 0 where it does not survive that.
[[nodiscard]] double measured_gain(question asked, const std::string& id, std::uint64_t seed);

}  // namespace ridge::cheats
