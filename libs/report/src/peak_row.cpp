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

std::string how_reached(const model::ceiling& of) {
  std::string words = of.id.ends_with("." + of.variant) ? "" : of.variant;
  if (of.zeros > 0)
    words += fmt::format("{}on zeros {}", words.empty() ? "" : "; ", format_quantity(of.zeros, of.unit));
  return words;
}

std::string why_low(const model::ceiling& of) {
  if (!of.note.empty() || !of.disturbed) return of.note;
  return "something came in between; measure again on a calm machine";
}

}  // namespace

peak_row::peak_row(const model::ceiling& of)
    : name(of.threads > 1 ? fmt::format("{} ×{}", of.id, of.threads) : of.id),
      value(with_interval(of.value, of.ci, of.unit)),
      of_issue(share(of.value, of.issue_limit)),
      of_spec(share(of.value, of.specified)),
      clock(of.clock_hz > 0 ? format_quantity(of.clock_hz, "Hz") : ""),
      power(of.power_w > 0 ? format_quantity(of.power_w, "W") : ""),
      how(how_reached(of)),
      low(why_low(of)) {}

}  // namespace ridge::report
