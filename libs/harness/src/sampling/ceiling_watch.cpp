// SPDX-License-Identifier: Apache-2.0
#include "sampling/ceiling_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/stats/quantile.hpp>

#include "summary/estimates.hpp"

namespace ridge::harness {
namespace {

constexpr double most_share = 0.03;
constexpr std::size_t least_readings = 6;

constexpr double most_lost = 0.25;   // share of the readings
constexpr double most_spread = 0.1;  // distance of the quartiles over the median

std::string disturbed_because(const std::vector<double>& rates, std::size_t lost) {
  const auto all = rates.size() + lost;
  if (all < least_readings) return {};
  if (static_cast<double>(lost) > most_lost * static_cast<double>(all))
    return fmt::format("{} of {} readings of it were disturbed", lost, all);
  auto sorted = rates;
  std::ranges::sort(sorted);
  const double spread =
      (stats::sorted_quantile(sorted, 0.75) - stats::sorted_quantile(sorted, 0.25)) / stats::median(rates);
  if (spread > most_spread) return fmt::format("its readings differ by {:.0f} %", 100 * spread);
  return {};
}

}  // namespace

void ceiling_watch::watch(std::size_t arm, std::string id, host::team* team) {
  if (!gauge_) return;
  if (arms_.size() <= arm) arms_.resize(arm + 1);
  (void)gauge_(id, team);
  arms_[arm] = {.id = std::move(id), .team = team};
  restart();
}

void ceiling_watch::sampled(std::size_t arm) {
  if (arm >= arms_.size() || arms_[arm].id.empty()) return;
  const double start = now_();
  if (spent_s_ > most_share * (start - began_s_)) return;
  const double rate = gauge_(arms_[arm].id, arms_[arm].team);
  spent_s_ += now_() - start;
  if (rate > 0) {
    arms_[arm].rates.push_back(rate);
  } else {
    ++arms_[arm].lost;
  }
}

void ceiling_watch::restart() {
  for (auto& arm : arms_) arm.rates.clear(), arm.lost = 0;
  began_s_ = now_();
  spent_s_ = 0;
}

ceiling_reading ceiling_watch::reading(std::size_t arm) const {
  if (arm >= arms_.size()) return {};
  const auto& seen = arms_[arm];
  ceiling_reading made{.disturbed = disturbed_because(seen.rates, seen.lost)};
  if (seen.rates.size() < least_readings) return made;
  made.rate = stats::median(seen.rates);
  made.ci = median_interval(seen.rates);
  return made;
}

}  // namespace ridge::harness
