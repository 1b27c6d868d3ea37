// SPDX-License-Identifier: Apache-2.0
#include "input/plan_prices.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

namespace ridge::app_plan {
namespace {

using std::chrono::floor;

std::string date_text(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string change_of(const std::string& file) {
  std::error_code failed;
  const auto at = std::filesystem::last_write_time(file, failed);
  if (failed) return {};
  return date_text(floor<std::chrono::days>(std::chrono::file_clock::to_sys(at)));
}

}  // namespace

void add_price_choice(app::command& command, price_choice& choice) {
  command
      .option("--prices", choice.file, "FILE",
              "Prices to use instead of the catalogue's: CSV with AcceleratorName, AcceleratorCount, Price, "
              "SpotPrice, "
              "Region as SkyPilot's catalogues have them")
      .option("--prices-date", choice.date, "DATE",
              "Date of these prices, as 2026-11-22 (the last change of the file)");
}

result<plan::price_list> prices_of(const price_choice& c, const hardware::catalogue& catalogue) {
  if (!c.date.empty() && !plan::days_between(c.date, c.date))
    return error{fmt::format("--prices-date {} is not a valid date", c.date), "write it as 2026-11-22"};
  if (c.file.empty()) return plan::prices_in(catalogue);
  return plan::read_prices(c.file, catalogue, c.date.empty() ? change_of(c.file) : c.date);
}

std::string today_text() { return date_text(floor<std::chrono::days>(std::chrono::system_clock::now())); }

}  // namespace ridge::app_plan
