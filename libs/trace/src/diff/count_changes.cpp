// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/count_changes.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "diff/diff_side.hpp"

namespace ridge::trace {
namespace {

struct name_sum {
  std::int64_t count = 0;
  nanoseconds busy_ns = 0;
};
using name_sums = std::map<name_id, name_sum>;

void add_busy_time(name_sums& sums, name_id name, nanoseconds busy_ns) {
  auto& sum = sums[name];
  ++sum.count;
  sum.busy_ns += busy_ns;
}

name_sums sums_of(const diff_side& side, counted kind) {
  const auto& t = *side.source;
  const auto windows = counted_windows(side);
  name_sums sums;
  if (kind == counted::device_work) {
    for (const auto& w : side.device ? t.works_of(*side.device) : t.works) {
      if (windows.covers(w.start_ns)) add_busy_time(sums, w.name, w.duration_ns());
    }
    return sums;
  }
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == category::op && windows.covers(t.events.start_ns[e]))
      add_busy_time(sums, t.events.name[e], t.events.duration_ns[e]);
  }
  return sums;
}

}  // namespace

std::vector<count_change> count_changes(const diff_side& before, const diff_side& after, counted kind) {
  std::map<std::string_view, count_change> rows;
  for (const auto& [id, sum] : sums_of(before, kind)) {
    auto& row = rows[before.source->names[id]];
    row.count.before += sum.count;
    row.busy.before_ns += sum.busy_ns;
  }
  for (const auto& [id, sum] : sums_of(after, kind)) {
    auto& row = rows[after.source->names[id]];
    row.count.after += sum.count;
    row.busy.after_ns += sum.busy_ns;
  }
  std::vector<count_change> all;
  for (auto& [name, row] : rows) {
    row.name = name;
    all.push_back(std::move(row));
  }
  std::ranges::stable_sort(all, std::greater{},
                           [](const count_change& c) { return std::abs(c.count.after - c.count.before); });
  return all;
}

}  // namespace ridge::trace
