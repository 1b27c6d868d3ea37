// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/price_list.hpp>

namespace ridge::app_plan {

// Where prices come from.
struct price_choice {
  std::string file{}, date{};
};

// --prices, --prices-date
void add_price_choice(app::command& to, price_choice& of);
// Of the file, dated by --prices-date or else by its last change; of the catalogue where no file is given.
[[nodiscard]] result<plan::price_list> prices_of(const price_choice& c, const hardware::catalogue& of);

[[nodiscard]] std::string today_text();  // "2026-11-22", UTC

}  // namespace ridge::app_plan
