// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/ceiling.hpp>

namespace ridge::probe {

// Returns in words why a row is low, judged by what is known of it and of rows of its kind; empty where it is
// not low or nothing explains it. A row is low below 95 % of what the units can issue, or below 90 % of what
// the vendor states.
[[nodiscard]] std::string why_low(const model::ceiling& row);

// Adds why_low to the note of a row that has no note yet.
void explain(model::ceiling& row);

}  // namespace ridge::probe
