// SPDX-License-Identifier: Apache-2.0
#include "page_values.hpp"

#include <cmath>
#include <cstdint>

#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

constexpr double most = 9e18;  // fits into int64_t

}  // namespace

report::value plain(double v) {
  if (std::abs(v) < most && v == std::trunc(v)) return static_cast<std::int64_t>(v);
  return v;
}

report::value plain_or_empty(const std::optional<double>& v) { return v ? plain(*v) : report::value(); }

report::value real_or_empty(const std::optional<double>& v) {
  return v ? report::value(*v) : report::value();
}

report::value whole_bytes(double v) { return plain(std::round(v)); }

std::string bytes_text(double v) { return format_quantity(v, "B", 4); }

}  // namespace ridge::plan_report
