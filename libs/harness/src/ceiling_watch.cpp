// SPDX-License-Identifier: Apache-2.0
#include "ceiling_watch.hpp"

#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr double most_share = 0.03;
constexpr std::size_t least_readings = 6;

}  // namespace

void ceiling_watch::watch(std::size_t arm, std::string id, host::team* on) {
  if (!gauge_) return;
  if (arms_.size() <= arm) arms_.resize(arm + 1);
  (void)gauge_(id, on);
  arms_[arm] = {.id = std::move(id), .on = on};
  restart();
}

void ceiling_watch::sampled(std::size_t arm) {
  if (arm >= arms_.size() || arms_[arm].id.empty()) return;
  const double start = now_();
  if (spent_s_ > most_share * (start - began_s_)) return;
  const double rate = gauge_(arms_[arm].id, arms_[arm].on);
  spent_s_ += now_() - start;
  if (rate > 0) arms_[arm].rates.push_back(rate);
}

void ceiling_watch::restart() {
  for (auto& arm : arms_) arm.rates.clear();
  began_s_ = now_();
  spent_s_ = 0;
}

double ceiling_watch::rate(std::size_t arm) const {
  if (arm >= arms_.size() || arms_[arm].rates.size() < least_readings) return 0;
  return stats::median(arms_[arm].rates);
}

}  // namespace ridge::harness
