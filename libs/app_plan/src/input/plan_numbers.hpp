// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/app/command.hpp>

namespace ridge::app_plan {

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
