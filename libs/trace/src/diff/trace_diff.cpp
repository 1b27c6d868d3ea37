// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/trace_diff.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <tuple>

#include "diff/diff_side.hpp"

namespace ridge::trace {
namespace {

using row_key = std::tuple<diff_state, std::string_view, std::string_view>;  // state, operator, name

class diff_row_table {
 public:
  explicit diff_row_table(bool with_ops) : with_ops_(with_ops) {}

  void take(const side_times& side, std::int64_t diff_count::*count, nanoseconds diff_time::*time) {
    std::map<std::tuple<diff_state, name_id, name_id>, std::size_t> seen;
    for (std::size_t i = 0; i < side.works.size(); ++i) {
      if (!side.counted[i] && side.busy[i] == 0) continue;
      const auto& w = side.works[i];
      const auto op = with_ops_ && w.op != none ? side.source->events.name[w.op] : name_id{0};
      const auto [at, fresh] = seen.try_emplace({side.states[i], op, w.name}, 0);
      if (fresh) at->second = row(side.states[i], side.source->names[op], side.source->names[w.name]);
      auto& r = rows[at->second];
      r.calls.*count += side.counted[i] ? 1 : 0;
      r.busy.*time += side.busy[i];
      r.time.*time += side.alone[i];
    }
  }

  std::vector<diff_row> rows{};

 private:
  std::size_t row(diff_state state, std::string_view op, std::string_view name) {
    const auto [at, fresh] = known_.try_emplace(row_key{state, op, name}, rows.size());
    if (fresh) rows.push_back({.state = state, .op = std::string(op), .name = std::string(name)});
    return at->second;
  }
  bool with_ops_;
  std::map<row_key, std::size_t> known_{};  // texts of the two traces
};

// Parts of a whole, each divided so that the parts still add up to the divided whole.
class divider {
 public:
  explicit divider(std::int64_t divisor) : divisor_(divisor) {}
  [[nodiscard]] nanoseconds next(nanoseconds part) {
    const auto before = sum_ / divisor_;
    sum_ += part;
    return sum_ / divisor_ - before;
  }

 private:
  std::int64_t divisor_;
  nanoseconds sum_ = 0;
};

// Divides times by state, idle last, so that rows add up to states and states to the total.
void divide(trace_diff& d, nanoseconds diff_time::*side, std::int64_t steps) {
  std::ranges::stable_sort(d.rows, {}, &diff_row::state);
  divider time(steps), busy(steps);
  for (auto& row : d.rows) {
    row.time.*side = time.next(row.time.*side);
    row.busy.*side = busy.next(row.busy.*side);
    d.states.at(static_cast<std::size_t>(row.state)).*side += row.time.*side;
  }
  auto& idle = d.states.at(static_cast<std::size_t>(diff_state::idle)).*side;
  idle = time.next(idle);
  d.total.*side /= steps;
}

diff_cause cause_of_row(const diff_row& row) {
  if (row.calls.before == 0 && row.calls.after > 0) return diff_cause::added;
  if (row.calls.after == 0 && row.calls.before > 0) return diff_cause::removed;
  if (row.calls_ns == 0 && row.speed_ns == 0) return diff_cause::unchanged;
  if (std::abs(row.calls_ns) > std::abs(row.speed_ns))
    return row.calls_ns > 0 ? diff_cause::more_calls : diff_cause::fewer_calls;
  return row.speed_ns > 0 ? diff_cause::slower : diff_cause::faster;
}

// Returns the time of the new number of calls at the old time per call.
nanoseconds at_old_speed(const diff_row& row, std::int64_t steps_before, std::int64_t steps_after) {
  if (row.calls.before == 0) return row.calls.after > 0 ? row.time.after_ns : row.time.before_ns;
  __extension__ using wide = __int128;
  const auto calls = static_cast<wide>(row.calls.after) * steps_before;
  const auto base = static_cast<wide>(row.calls.before) * steps_after;
  return static_cast<nanoseconds>(row.time.before_ns * calls / base);
}

void explain(trace_diff& d, std::int64_t steps_before, std::int64_t steps_after) {
  d.remainder_ns = d.total.delta_ns() - d.state(diff_state::idle).delta_ns();
  for (auto& row : d.rows) {
    row.calls_ns = at_old_speed(row, steps_before, steps_after) - row.time.before_ns;
    row.speed_ns = row.time.delta_ns() - row.calls_ns;
    row.cause = cause_of_row(row);
    d.remainder_ns -= row.time.delta_ns();
  }
  std::ranges::stable_sort(d.rows, std::greater{},
                           [](const diff_row& row) { return std::abs(row.time.delta_ns()); });
}

bool tells_ops(const side_times& side) {
  return std::ranges::any_of(side.works, [](const device_work& w) { return w.op != none; });
}

}  // namespace

std::string_view name(diff_state s) {
  constexpr std::array<std::string_view, diff_state_count> names{"compute", "exposed_communication",
                                                                 "exposed_copies", "idle"};
  return names.at(static_cast<std::size_t>(s));
}

std::string_view name(diff_cause c) {
  constexpr std::array<std::string_view, 7> names{"added",  "removed", "more_calls", "fewer_calls",
                                                  "slower", "faster",  "unchanged"};
  return names.at(static_cast<std::size_t>(c));
}

trace_diff diff_of(const diff_side& before, const diff_side& after) {
  const auto old = times_of(before), fresh = times_of(after);
  diff_row_table table(tells_ops(old) && tells_ops(fresh));
  table.take(old, &diff_count::before, &diff_time::before_ns);
  table.take(fresh, &diff_count::after, &diff_time::after_ns);
  trace_diff d{.per_step = old.steps > 0 && fresh.steps > 0,
               .steps = {old.steps, fresh.steps},
               .total = {old.windows.length_ns(), fresh.windows.length_ns()},
               .rows = std::move(table.rows)};
  d.states.at(static_cast<std::size_t>(diff_state::idle)) = {old.idle_ns, fresh.idle_ns};
  const auto steps_before = d.per_step ? old.steps : 1, steps_after = d.per_step ? fresh.steps : 1;
  divide(d, &diff_time::before_ns, steps_before);
  divide(d, &diff_time::after_ns, steps_after);
  explain(d, steps_before, steps_after);
  return d;
}

}  // namespace ridge::trace
