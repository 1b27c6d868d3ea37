// SPDX-License-Identifier: Apache-2.0
#include "input/today.hpp"

#include <chrono>

#include <fmt/format.h>

namespace ridge::app_plan {

std::string today() {
  const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(now);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace ridge::app_plan
