// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cheats.hpp"

namespace ridge::cheats {

class bare_arms;

// How another tool judges a candidate, carried over to calls on a processor: how it samples, which figure it
// states, and what it compares. Its clearing of a GPU's cache and its queueing have no counterpart here.
struct other_rule {
  std::string_view tool{};
  std::string_view protocol{};    // in a sentence
  bool compares_outputs = false;  // on new data before timing, within its tolerances
  double (*seconds)(bare_arms& arms, std::size_t arm) = nullptr;  // the figure that it states of a call
};
[[nodiscard]] std::span<const other_rule> other_rules();

// What a tool makes of a candidate. `blind`: the cheat is for a figure that the tool does not report.
enum class belief : std::uint8_t { believed, caught, without_gain, blind, lost };
[[nodiscard]] std::string_view name(belief seen);

// Judges the cheat by the rule in a process of its own. A candidate that wins less than 2 % is without gain.
[[nodiscard]] belief judge_by(const other_rule& rule, const cheat& judged, std::uint64_t seed);

}  // namespace ridge::cheats
