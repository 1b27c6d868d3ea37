// SPDX-License-Identifier: Apache-2.0
#include "timing/best_variant.hpp"

#include <algorithm>
#include <cstddef>

namespace ridge::backends::probe_cuda {
namespace {

burst_plan by_clock(burst_plan plan, span_log& clock) {
  plan.clock = &clock;
  return plan;
}

std::vector<variant> those_that_work(const std::vector<variant>& ways, std::size_t most, span_log& clock) {
  std::vector<variant> found;
  for (const auto& way : ways) {
    if (found.size() == most) break;
    clock.clear();
    if (way.enqueue(1) > 0 && clock.written()) found.push_back(way);
  }
  return found;
}

}  // namespace

model::ceiling best_variant(model::ceiling row, const probe::request& request,
                            const std::vector<variant>& ways, span_log& clock) {
  const bool only_one = request.depth == probe::depth::essential;
  const auto able = those_that_work(ways, only_one ? 1 : ways.size(), clock);
  if (able.empty()) return row;
  const variant* best = &able.front();
  if (able.size() > 1) {
    for (const auto& way : able)
      row.series.push_back(
          {way.name, burst_rate({.unit = row.unit}, request, way.enqueue, by_clock(brief, clock)).value});
    const auto top = std::ranges::max_element(row.series, {}, &model::ceiling_point::value);
    best = &able[static_cast<std::size_t>(top - row.series.begin())];
  }
  row.variant = best->name;
  row = burst_rate(std::move(row), request, best->enqueue, by_clock({}, clock));
  if (!only_one && best->of_zeros)
    row.zeros = burst_rate({.unit = row.unit}, request, best->of_zeros, by_clock(brief, clock)).value;
  return row;
}

}  // namespace ridge::backends::probe_cuda
