// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "command_line/command_tree.hpp"

namespace ridge::app {

// What a shell can offer for a value.
enum class offer : std::uint8_t {
  nothing,
  choices,
  experiments,
  experiments_and_runs,
  variants,
  runs,
  files
};

// Returns what a shell offers for the value of an option.
[[nodiscard]] inline offer offer_for(const option_node& option) {
  if (!choices_of(option).empty()) return offer::choices;
  if (option.value.ends_with("|RUN")) return offer::experiments_and_runs;
  if (option.value.starts_with("TARGET") || option.value == "ID") return offer::experiments;
  if (option.value == "VARIANT") return offer::variants;
  if (option.value.starts_with("ID:")) return offer::experiments;
  if (option.value.starts_with("RUN")) return offer::runs;
  if (option.value.starts_with("FILE") || option.value.starts_with("DIR") || option.value.starts_with("PATH"))
    return offer::files;
  return offer::nothing;
}

}  // namespace ridge::app
