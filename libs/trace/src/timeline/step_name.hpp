// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/trace/steps.hpp>

namespace ridge::trace {

// What an annotation's name says about a step. Any name may be periodic; its stem is then the whole name.
struct step_name {
  step_source source = step_source::periodic;
  std::string stem{};  // the text before the number
  std::optional<std::int64_t> number{};
};

// Parses "ProfilerStep#12", "ProfilerStep 12", or a word step, iter, iteration or batch before a number, with
// nothing but separators between: "train step 3", "iter_5", "Step=7", "iteration:12".
[[nodiscard]] step_name step_name_of(std::string_view name);

}  // namespace ridge::trace
