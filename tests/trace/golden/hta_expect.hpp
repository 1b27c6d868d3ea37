// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hta_cases.hpp"

namespace ridge::trace::golden {

[[nodiscard]] inline double us(double ns) { return ns / 1000; }
[[nodiscard]] inline double us(nanoseconds ns) { return us(static_cast<double>(ns)); }

// HTA without rounding adds up microseconds since 1970 as doubles: a quarter of a microsecond each.
[[nodiscard]] double slack_us(const hta_case& c, std::size_t works);

// null stands for NaN.
void expect_near(const nlohmann::json& printed, double found, double slack, const std::string& label);
void expect_distribution(const nlohmann::json& printed, const std::string& prefix,
                         const hta_distribution& found, double slack);

}  // namespace ridge::trace::golden
