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

ceiling_reading reading_of(const std::vector<double>& rates, std::size_t lost) {
  ceiling_reading made{.disturbed = disturbed_because(rates, lost)};
  if (rates.size() < least_readings) return made;
  made.rate = stats::median(rates);
  made.ci = median_interval(rates);
  return made;
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

ceiling_reading ceiling_watch::read_again(std::size_t arm) {
  constexpr std::size_t most_readings = 24;
  constexpr double longest_s = 0.1;
  if (arm >= arms_.size() || arms_[arm].id.empty()) return {};
  std::vector<double> rates;
  std::size_t lost = 0;
  const double start = now_();
  while (rates.size() + lost < most_readings && now_() - start < longest_s) {
    const double rate = gauge_(arms_[arm].id, arms_[arm].team);
    if (rate > 0) {
      rates.push_back(rate);
    } else {
      ++lost;
    }
  }
  return reading_of(rates, lost);
}

ceiling_reading ceiling_watch::reading(std::size_t arm) const {
  if (arm >= arms_.size()) return {};
  return reading_of(arms_[arm].rates, arms_[arm].lost);
}

}  // namespace ridge::harness
