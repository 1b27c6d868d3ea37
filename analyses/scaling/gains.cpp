// SPDX-License-Identifier: Apache-2.0
#include "gains.hpp"

#include <optional>

#include <fmt/format.h>

#include <ridge/results/timed.hpp>

namespace ridge::analyses::scaling {
namespace {

// How many times better a variant is than the baseline at one size, from pairs.
struct sized_gain {
  double size = 0;
  results::paired_ratio ratio{};
  std::string run{};
};

std::vector<sized_gain> gains_of(const swept_variant& v) {
  std::vector<sized_gain> all;
  for (const auto& p : v.points) {
    const auto* const baseline = results::baseline_of(*p.seen);
    if (baseline == nullptr || baseline == p.measured || results::is_invalid(*p.seen, v.series->variant))
      continue;
    const auto ratio = results::ratio_of(*p.seen, v.series->variant, baseline->series.variant);
    if (ratio) all.push_back({p.size, *ratio, p.seen->run});
  }
  return all;
}

bool is_better(const sized_gain& g) { return g.ratio.ci.lo > 1; }
bool is_worse(const sized_gain& g) { return g.ratio.ci.hi < 1; }

// The size from which on all are so; the last one is.
double since(const std::vector<sized_gain>& all, bool (*is_so)(const sized_gain&)) {
  double size = all.back().size;
  for (auto one = all.rbegin(); one != all.rend() && is_so(*one); ++one) size = one->size;
  return size;
}

// What the two ends say, where their intervals tell them apart.
std::string trend_of(const std::vector<sized_gain>& all, const std::string& axis) {
  const auto &first = all.front(), &last = all.back();
  if (is_worse(first) && is_better(last))
    return fmt::format("better from {}={:g} on", axis, since(all, is_better));
  if (is_better(first) && is_worse(last))
    return fmt::format("worse from {}={:g} on", axis, since(all, is_worse));
  if (last.ratio.ci.lo > first.ratio.ci.hi) return "grows";
  if (last.ratio.ci.hi < first.ratio.ci.lo) return "shrinks";
  return "no change was seen";
}

}  // namespace

report::sheet gain_sheet() {
  using report::unit;
  return {.key = "gains",
          .title = "Times better than the baseline, at the least and the greatest size",
          .fields = {{.key = "workload", .header = "workload"},
                     {.key = "machine", .header = "machine"},
                     {.key = "backend", .header = "backend"},
                     {.key = "axis", .header = "axis"},
                     {.key = "variant", .header = "variant"},
                     {.key = "sizes", .header = "sizes", .unit = unit::count},
                     {.key = "from", .header = "from", .unit = unit::number},
                     {.key = "least", .header = "×", .unit = unit::number},
                     {.key = "least_lo"},
                     {.key = "least_hi"},
                     {.key = "up_to", .header = "up to", .unit = unit::number},
                     {.key = "greatest", .header = "×", .unit = unit::number},
                     {.key = "greatest_lo"},
                     {.key = "greatest_hi"},
                     {.key = "trend", .header = "with size"},
                     {.key = "run", .header = "run"}},
          .grouped_by = results::workload_field_count};
}

void add_gains(report::sheet& sheet, const sweep& swept) {
  for (const auto& v : variants_of(swept)) {
    const auto all = gains_of(v);
    if (all.size() < 2) continue;
    const auto& w = v.points.front().seen->workload;
    const auto &first = all.front(), &last = all.back();
    sheet.rows.push_back(
        {.values = {swept.title, w.machine, std::string(name(w.backend)), swept.axis, v.series->variant,
                    static_cast<std::int64_t>(all.size()), first.size, first.ratio.ratio, first.ratio.ci.lo,
                    first.ratio.ci.hi, last.size, last.ratio.ratio, last.ratio.ci.lo, last.ratio.ci.hi,
                    trend_of(all, swept.axis), last.run}});
  }
}

}  // namespace ridge::analyses::scaling
