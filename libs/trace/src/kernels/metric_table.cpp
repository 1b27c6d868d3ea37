// SPDX-License-Identifier: Apache-2.0
#include "kernels/metric_table.hpp"

#include <algorithm>

#include <ridge/trace/counters.hpp>
#include <ridge/trace/metric_unit.hpp>

namespace ridge::trace {

metric_table::metric_table(const trace& t, std::uint32_t profiled) {
  for (const auto& m : std::ranges::equal_range(t.kernel_metrics, profiled, {}, &kernel_metric::kernel)) {
    const auto unit = unit_of(t.names[m.unit]);
    rows_.push_back({t.names[m.metric], unit.base, m.value * unit.factor});
  }
  std::ranges::stable_sort(rows_, {}, &row::name);
}

std::optional<double> metric_table::first_of(std::initializer_list<std::string_view> names) const {
  for (const auto name : names) {
    const auto at = std::ranges::lower_bound(rows_, name, {}, &row::name);
    if (at != rows_.end() && at->name == name) return at->value;
  }
  return std::nullopt;
}

std::optional<double> metric_table::share_of(std::initializer_list<std::string_view> names) const {
  for (const auto name : names) {
    for (const auto& r : std::ranges::equal_range(rows_, name, {}, &row::name)) {
      if (r.unit == "%") return r.value / 100;
    }
  }
  return std::nullopt;
}

std::optional<double> metric_table::largest_share_of(std::initializer_list<std::string_view> names) const {
  std::optional<double> most;
  for (const auto name : names) {
    const auto share = share_of({name});
    if (share && (!most || *share > *most)) most = share;
  }
  return most;
}

std::optional<double> metric_table::sum_of(std::initializer_list<std::string_view> names) const {
  std::optional<double> sum;
  for (const auto name : names) {
    if (const auto value = first_of({name})) sum = sum.value_or(0) + *value;
  }
  return sum;
}

std::optional<double> quotient(std::optional<double> a, std::optional<double> b) {
  return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

}  // namespace ridge::trace
