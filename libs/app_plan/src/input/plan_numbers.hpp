// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>

namespace ridge::app_plan {

// A finite number that is all of the text; nothing else.
[[nodiscard]] std::optional<double> finite_number(std::string_view text);
// Reads "a:b:c" as numbers of 0 and more, `least` to `most` of them. The error names the option; its remedy
// is `remedy`.
[[nodiscard]] result<std::vector<double>> numbers_between_colons(const std::string& option,
                                                                 const std::string& text, std::size_t least,
                                                                 std::size_t most, const std::string& remedy);

// The numbers that an option takes: from `least`, which itself is refused with `above`, to `most`.
struct number_range {
  double least = 0, most = 1e18;
  bool above = false;
};

// The range of an option of a verb. An option that is not in the list of plan_numbers.cpp takes any finite
// number from 0 on: no option of `plan` means something by a negative one.
[[nodiscard]] number_range range_of(std::string_view verb, std::string_view option);

// Checks a text for a number of this range: returns a complaint, or an empty text when it is one.
[[nodiscard]] app::value_check is_within(number_range range);

// Gives every option of a number, of this verb and of those below it, the check of its range, so that a
// number without meaning is refused where it is read and never taken for "not given".
void check_numbers(app::command& verb);

}  // namespace ridge::app_plan
