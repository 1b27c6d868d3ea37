// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/words.hpp>

namespace ridge::bench {
namespace {

std::string time_in_words(const model::measurement& m) {
  if (m.metrics.empty()) return fmt::format("{} not timed", m.variant);
  const auto& time = m.metrics.front();
  return fmt::format("{} {}", m.variant, report::with_interval(time.median, time.ci, time.metric.unit));
}

std::string comparison_in_words(const result& found, const model::comparison& c) {
  if (c.verdict == model::verdict::invalid)
    return fmt::format("{} vs {}: INVALID: {}", c.candidate, c.reference, found.invalid_reason);
  return fmt::format("{} vs {}: {}  {}", c.candidate, c.reference, report::ratio_with_interval(c.ratio, c.ci),
                     report::verdict_in_words(c, found.run.min_effect));
}

std::string effort_in_words(const result& found) {
  const auto& family = found.family();
  auto text = fmt::format("{} rounds in {}", family.rounds, format_quantity(family.wall_s, "s"));
  if (!family.comparisons.empty())
    text += fmt::format(", noise floor {}: the baseline against itself",
                        report::noise_in_words(family.comparisons.front().aa));
  if (found.was_stopped) text += "; stopped early";
  return text;
}

}  // namespace

void add_check(result& found, model::check check) {
  auto& family = found.family();
  if (check.result == model::outcome::fail) {
    if (found.invalid_reason.empty()) found.invalid_reason = check.evidence;
    found.assurance = 0;
    for (auto& one : family.comparisons) {
      one.verdict = model::verdict::invalid;
      one.assurance = 0;
    }
  }
  family.checks.push_back(std::move(check));
}

std::string assurance_text(const result& found) {
  auto text = report::assurance_in_words(found.assurance);
  if (!found.invalid_reason.empty()) return text;
  if (found.assurance == 0) return text + ": nothing was checked; give a check of the outputs";
  return text + ": `ridge run` also audits calls, and holds times against the ceilings of the machine";
}

std::string summary(const result& found) {
  const auto& family = found.family();
  std::string text;
  for (const auto& one : family.comparisons) text += comparison_in_words(found, one) + '\n';
  if (!found.invalid_reason.empty()) return text + "  no time is shown, for the comparison does not hold";
  std::string times;
  for (const auto& one : family.measurements) times += (times.empty() ? "" : ", ") + time_in_words(one);
  text += (family.comparisons.empty() ? "" : "  ") + times + '\n';
  text += "  " + effort_in_words(found) + '\n';
  return text + "  assurance " + assurance_text(found);
}

double noise_floor(const result& found) {
  const auto& family = found.family();
  if (family.comparisons.empty()) return std::nan("");
  const auto& aa = family.comparisons.front().aa;
  return std::max(std::fabs(aa.lo - 1), std::fabs(aa.hi - 1));
}

}  // namespace ridge::bench
