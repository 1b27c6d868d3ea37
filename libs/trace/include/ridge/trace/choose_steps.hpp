// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/steps.hpp>

namespace ridge::trace {

// Steps that a text names: "3", "2-5", "2,4-6", "first", "last", "steady" (without first and last), "all".
// Numbers are the steps' own. An error names what there is when nothing matches or the text is no such list.
[[nodiscard]] result<std::vector<step>> choose_steps(const step_windows& from, std::string_view text);

}  // namespace ridge::trace
