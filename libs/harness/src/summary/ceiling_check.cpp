// SPDX-License-Identifier: Apache-2.0
#include "summary/ceiling_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::harness {
namespace {

constexpr double warned_share = most_share_of_ceiling, failed_share = 1.25;

// The slowest rate within the call's interval: the share at the median, scaled to the interval's upper end.
double least_rate(const model::measurement& m) {
  const auto time = std::ranges::find(m.metrics, "time", [](const auto& x) { return x.metric.name; });
  const double rate = m.of_ceiling.value_or(0) * m.ceiling_rate.value_or(0);
  return time == m.metrics.end() || time->ci.hi <= 0 ? rate
                                                     : rate * std::min(1.0, time->median / time->ci.hi);
}

double highest_ceiling(const model::measurement& m) {
  return std::max(m.ceiling_rate.value_or(0), m.ceiling_ci.value_or(interval{}).hi);
}

// Why a share this high proves nothing; empty when it does prove an error.
std::string doubt(const model::measurement& m) {
  if (!m.ceiling_disturbed.empty()) return m.ceiling_disturbed;
  if (least_rate(m) <= highest_ceiling(m)) return "its interval and that of the call overlap";
  return {};
}

std::string in_words(const model::measurement& m) {
  auto words = fmt::format("{} reaches {:.0f} % of the measured ceiling", m.variant, *m.of_ceiling * 100);
  if (!m.ceiling_first || !m.ceiling_again) return words;
  const auto* unit = m.bound == model::bound::memory ? "B/s" : "FLOP/s";
  return words + fmt::format(", which was measured once more ({}, before {})",
                             format_quantity(*m.ceiling_again, unit),
                             format_quantity(*m.ceiling_first, unit));
}

}  // namespace

model::check ceiling_check(const model::measurement& reference, const model::measurement& candidate) {
  model::check made{.id = "ceilings", .limit = warned_share, .unit = "1"};
  const auto share = [](const model::measurement* m) { return m->of_ceiling.value_or(0); };
  const auto* most = std::ranges::max({&reference, &candidate}, {}, share);
  if (share(most) == 0) {
    made.evidence = "no ceiling applies to arrays of this size";
    return made;
  }
  made.value = share(most);
  made.result = share(most) <= warned_share ? model::outcome::pass : model::outcome::warn;
  made.evidence = fmt::format("at most {:.0f} % of the measured ceiling", share(most) * 100);
  for (const auto* m : {&reference, &candidate}) {
    if (share(m) <= failed_share) continue;
    const auto why = doubt(*m);
    if (why.empty()) {
      made.result = model::outcome::fail;
      made.evidence = in_words(*m);
      return made;
    }
    made.evidence = fmt::format(
        "{}, which proves nothing because the ceiling {} is in doubt ({}): run again when the "
        "machine is quiet, or measure its ceilings anew with `ridge peak`",
        in_words(*m), m->ceiling, why);
  }
  return made;
}

std::string doubt_of_busy_machine(std::uint64_t disturbed_rounds, std::uint64_t rounds) {
  if (10 * disturbed_rounds <= rounds) return {};
  return fmt::format("{} of {} rounds were disturbed", disturbed_rounds, rounds);
}

bool leaves_doubt(const model::check& ceilings) {
  return ceilings.result == model::outcome::warn && ceilings.value.value_or(0) > failed_share;
}

}  // namespace ridge::harness
