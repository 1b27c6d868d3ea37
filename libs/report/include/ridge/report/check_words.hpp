// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::report {

// Returns what it means that the check of this id did not hold: "disturbed by other activity" for
// "interference". The id itself where it is not known.
[[nodiscard]] std::string check_in_words(std::string_view id);

}  // namespace ridge::report
