// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/price_list.hpp>

namespace ridge::app_plan {

// The source of prices.
struct price_choice {
  std::string file{}, date{};
};

// Adds --prices and --prices-date.
void add_price_choice(app::command& command, price_choice& choice);
// The prices of the file, dated by --prices-date or else by its last change; without a file those of the
// catalogue.
[[nodiscard]] result<plan::price_list> prices_of(const price_choice& c, const hardware::catalogue& catalogue);

// Today in UTC: "2026-11-22".
[[nodiscard]] std::string today_text();

}  // namespace ridge::app_plan
