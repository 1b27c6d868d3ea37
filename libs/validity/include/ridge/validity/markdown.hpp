// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/validity/issue.hpp>

namespace ridge::validity {

// Returns the page docs/handbook/validity.md about these issues: the counts, a section for each category, and
// what the keys of the catalogues mean. Ends in a newline.
[[nodiscard]] std::string markdown(std::span<const issue> list);

}  // namespace ridge::validity
