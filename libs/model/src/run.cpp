// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/run.hpp>

#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::model {
namespace {

struct words_of_metric {
  std::string_view when_better, when_worse;
};

words_of_metric words_of(const metric& m) {
  if (m.unit == "s") return {"faster", "slower"};
  if (m.unit == "B") return {"smaller", "larger"};
  if (m.better == better::higher) return {"more", "less"};
  return {"lower", "higher"};
}

}  // namespace

std::string text(const axis_value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return format_count(*whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return std::get<std::string>(value);
}

std::string text(const problem_point& point) {
  std::string all;
  for (const auto& [axis, value] : point)
    all += fmt::format("{}{}={}", all.empty() ? "" : " ", axis, text(value));
  return all;
}

std::string in_words(const comparison& c) {
  const auto [good, bad] = words_of(c.metric);
  const bool gained = c.ratio >= 1;
  const double times = gained ? c.ratio : 1 / c.ratio;
  if (times < 1.5) return fmt::format("{:.1f} % {}", (times - 1) * 100, gained ? good : bad);
  return fmt::format("{:.{}f}× {}", times, times < 10 ? 2 : times < 100 ? 1 : 0, gained ? good : bad);
}

}  // namespace ridge::model
