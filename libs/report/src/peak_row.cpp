// SPDX-License-Identifier: Apache-2.0
#include "peak_row.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/words.hpp>

namespace ridge::report {
namespace {

std::string share(double value, double limit) {
  return limit > 0 ? fmt::format("{:.{}f} %", 100 * value / limit, value < 0.0995 * limit ? 1 : 0) : "";
}

std::string how_reached(const model::ceiling& ceiling) {
  std::string words = ceiling.id.ends_with("." + ceiling.variant) ? "" : ceiling.variant;
  if (ceiling.zeros > 0)
    words +=
        fmt::format("{}on zeros {}", words.empty() ? "" : "; ", format_quantity(ceiling.zeros, ceiling.unit));
  return words;
}

std::string why_low(const model::ceiling& ceiling) {
  if (!ceiling.note.empty() || !ceiling.disturbed) return ceiling.note;
  return "other work interfered; measure again on a quiet machine";
}

}  // namespace

peak_row::peak_row(const model::ceiling& ceiling)
    : name(ceiling.threads > 1 ? fmt::format("{} ×{}", ceiling.id, ceiling.threads) : ceiling.id),
      value(with_interval(ceiling.value, ceiling.ci, ceiling.unit)),
      of_issue(share(ceiling.value, ceiling.issue_limit)),
      of_spec(share(ceiling.value, ceiling.specified)),
      clock(ceiling.clock_hz > 0 ? format_quantity(ceiling.clock_hz, "Hz") : ""),
      power(ceiling.power_w > 0 ? format_quantity(ceiling.power_w, "W") : ""),
      method(how_reached(ceiling)),
      low(why_low(ceiling)) {}

}  // namespace ridge::report
