// SPDX-License-Identifier: Apache-2.0
#include "rules/rules_series.hpp"

#include <algorithm>

#include <ridge/base/text.hpp>

#include "events/name_match.hpp"

namespace ridge::trace {
namespace {

bool named(std::string_view name, series_names parts) {
  return std::ranges::any_of(parts,
                             [&](std::string_view part) { return contains_ignoring_case(name, part); });
}

std::span<const counter_value> values_of(const trace& t, std::uint32_t series) {
  const auto found = std::ranges::equal_range(t.counter_values, series, {}, &counter_value::series);
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<found_series> series_named(const evidence& e, series_names parts) {
  std::vector<found_series> found;
  for (std::uint32_t i = 0; i < e.traces.size(); ++i) {
    const auto& t = *e.traces[i].source;
    for (std::uint32_t s = 0; s < t.counters.size(); ++s) {
      const auto name = t.names[t.counters[s].name];
      if (!named(name, parts)) continue;
      const auto values = values_of(t, s);
      if (!values.empty()) found.push_back({i, t.counters[s].device, name, values});
    }
  }
  return found;
}

bool has_series(const evidence& e, series_names parts) { return !series_named(e, parts).empty(); }

}  // namespace ridge::trace
