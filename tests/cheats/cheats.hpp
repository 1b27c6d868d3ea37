// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::cheats {

// An experiment of two variants, `baseline` and `candidate`, under this id.
using question = experiment (*)(const std::string& id);

// Where a cheat attacks.
enum class category : std::uint8_t { timing, output, memory, process, declarations, statistics };
// The category's own name.
[[nodiscard]] std::string_view name(category kind);

// What a cheat wins by itself over the honest baseline: time, a better figure in the report, or nothing but
// another state of the process for the arms that come after it.
enum class gain : std::uint8_t { time, report, others };
// The gain's own name.
[[nodiscard]] std::string_view name(gain won);

// One way to fool the harness: its candidate must be objected to.
struct cheat {
  std::string id{};    // what it does
  std::string idea{};  // the same in a sentence
  cheats::gain gain{cheats::gain::time};
  std::vector<std::string> caught_by{};  // ids of checks of which one objects; "no_gain": it wins nothing;
                                         // "discarded": what it prints goes nowhere
  std::string twin{};                    // the honest twin that uses the same feature
  cheats::question question{};
  std::string open{};      // why it is not caught yet; empty: it is caught
  bool by_chance = false;  // caught in some runs only; where `open` says why, perhaps in none
  int runs = 1;            // judged in the last of so many runs, each in a process of its own
  double limit_s = 20;     // a run that takes longer is killed
  cheats::category kind{category::timing};  // set by the list that it stands in
};

// A candidate that uses a feature as it is meant to be used: nothing may object to it.
struct honest_twin {
  std::string id{};
  std::string idea{};
  cheats::question question{};
  std::string open{};      // why something objects to it today; empty: nothing does
  bool by_chance = false;  // objected to in some runs only; not in every one of several
};

[[nodiscard]] std::vector<cheat> timing_cheats();
[[nodiscard]] std::vector<cheat> output_cheats();
[[nodiscard]] std::vector<cheat> memory_cheats();
[[nodiscard]] std::vector<cheat> process_cheats();
[[nodiscard]] std::vector<cheat> declaration_cheats();
[[nodiscard]] std::vector<cheat> statistics_cheats();
// Whether the id contains one of the words, or there are none.
[[nodiscard]] bool is_asked_for(const std::string& id, const std::vector<std::string>& words);
// All of the above, each with its category.
[[nodiscard]] std::vector<cheat> all_cheats();
[[nodiscard]] std::vector<honest_twin> honest_twins();
// Of these, honest code whose gain is at stake where a variant is alone.
[[nodiscard]] std::vector<honest_twin> honest_twins_alone();

}  // namespace ridge::cheats
