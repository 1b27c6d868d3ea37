// SPDX-License-Identifier: Apache-2.0
#include "timings.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <ridge/model/comparison_row.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::report {

std::vector<double> round_times(const model::measurement& m) {
  const auto* time = find(m, "time");
  if (!time || !std::isfinite(time->median)) return {};
  std::map<std::size_t, std::vector<double>> rounds;
  for (const auto& s : m.samples) {
    if (s.metric.name != "time") continue;
    for (std::size_t i = 0; i < s.value.size(); ++i) {
      if (std::isfinite(s.value[i])) rounds[i < s.block.size() ? s.block[i] : i].push_back(s.value[i]);
    }
  }
  std::vector<double> times;
  for (const auto& [round, values] : rounds) times.push_back(stats::median(values));
  return times.empty() ? std::vector{time->median} : times;
}

}  // namespace ridge::report
