// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/steps.hpp>

namespace ridge::trace {

// Returns the steps that `text` names: "3", "2-5", "2,4-6", "first", "last", "steady" (all but the first and
// the last) or "all". Numbers are the steps' own. When nothing matches or the text is no such list, the error
// names the steps that exist.
[[nodiscard]] result<std::vector<step>> choose_steps(const step_windows& windows, std::string_view text);

}  // namespace ridge::trace
