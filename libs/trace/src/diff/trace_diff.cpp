// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/trace_diff.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <tuple>

#include "diff/diff_parts.hpp"

namespace ridge::trace {
namespace {

void add(diff_time& sum, const diff_time& part) {
  sum.before_ns += part.before_ns;
  sum.after_ns += part.after_ns;
}

// Returns one row for each state, operator and name: parts of all devices and modules together.
std::vector<diff_row> rows_of(const std::vector<diff_part>& parts) {
  std::vector<diff_row> rows;
  std::map<std::tuple<diff_state, std::string_view, std::string_view>, std::size_t> known;
  for (const auto& p : parts) {
    const auto [at, fresh] = known.try_emplace({p.state, p.op, p.name}, rows.size());
    if (fresh) rows.push_back({.state = p.state, .op = std::string(p.op), .name = std::string(p.name)});
    auto& r = rows[at->second];
    r.calls = {r.calls.before + p.calls.before, r.calls.after + p.calls.after};
    add(r.busy, p.busy);
    add(r.time, p.time);
  }
  return rows;
}

nanoseconds length_of(const std::vector<side_times>& sides) {
  nanoseconds sum = 0;
  for (const auto& side : sides) sum += side.windows.length_ns();
  return sum;
}

void sum_states(trace_diff& d, const std::vector<diff_part>& parts) {
  for (const auto& p : parts) {
    auto& device = d.devices[p.device];
    add(d.states.at(static_cast<std::size_t>(p.state)), p.time);
    add(device.states.at(static_cast<std::size_t>(p.state)), p.time);
    add(device.total, p.time);
  }
}

diff_cause cause_of_row(const diff_row& row) {
  const auto delta = row.time.delta_ns();
  if (row.state == diff_state::idle)
    return delta == 0 ? diff_cause::unchanged : delta > 0 ? diff_cause::more_idle : diff_cause::less_idle;
  if (!row.new_name.empty()) return diff_cause::renamed;
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
  d.remainder_ns = d.total.delta_ns();
  for (auto& row : d.rows) {
    row.calls_ns = at_old_speed(row, steps_before, steps_after) - row.time.before_ns;
    row.speed_ns = row.time.delta_ns() - row.calls_ns;
    row.cause = cause_of_row(row);
    d.remainder_ns -= row.time.delta_ns();
  }
  std::ranges::stable_sort(d.rows, std::greater{},
                           [](const diff_row& row) { return std::abs(row.time.delta_ns()); });
}

bool tells_ops(const std::vector<side_times>& sides) {
  return std::ranges::any_of(sides, [](const side_times& side) {
    return std::ranges::any_of(side.works, [&side](const device_work& w) {
      return side.op_of(static_cast<work_id>(&w - side.source->works.data())) != none;
    });
  });
}

bool tells_modules(const diff_side& side) { return side.modules != nullptr && !side.modules->nodes.empty(); }

std::vector<diff_device> devices_of_sides(const std::vector<side_times>& old,
                                          const std::vector<side_times>& fresh) {
  std::vector<diff_device> devices(std::max(old.size(), fresh.size()));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i < old.size()) devices[i].before = old[i].device;
    if (i < fresh.size()) devices[i].after = fresh[i].device;
  }
  return devices;
}

}  // namespace

std::string_view name(diff_state s) {
  constexpr std::array<std::string_view, diff_state_count> names{"compute", "exposed_communication",
                                                                 "exposed_copies", "idle"};
  return names.at(static_cast<std::size_t>(s));
}

std::string_view name(diff_cause c) {
  constexpr std::array<std::string_view, 10> names{"added",     "removed",  "more_calls", "fewer_calls",
                                                   "slower",    "faster",   "unchanged",  "renamed",
                                                   "more_idle", "less_idle"};
  return names.at(static_cast<std::size_t>(c));
}

trace_diff diff_of(const diff_side& before, const diff_side& after) {
  const auto old = times_of_devices(before), fresh = times_of_devices(after);
  diff_part_table table(tells_ops(old) && tells_ops(fresh), tells_modules(before) && tells_modules(after));
  for (std::uint32_t i = 0; i < old.size(); ++i)
    table.take(old[i], i, &diff_count::before, &diff_time::before_ns);
  for (std::uint32_t i = 0; i < fresh.size(); ++i)
    table.take(fresh[i], i, &diff_count::after, &diff_time::after_ns);
  trace_diff d{.steps = {old.front().steps, fresh.front().steps}, .devices = devices_of_sides(old, fresh)};
  d.per_step = d.steps.before > 0 && d.steps.after > 0;
  const auto steps_before = d.per_step ? d.steps.before : 1, steps_after = d.per_step ? d.steps.after : 1;
  d.total = {length_of(old) / steps_before, length_of(fresh) / steps_after};
  auto parts = std::move(table).parts();
  divide_parts(parts, &diff_time::before_ns, steps_before);
  divide_parts(parts, &diff_time::after_ns, steps_after);
  sum_states(d, parts);
  d.tree = tree_of(parts);
  d.rows = rows_of(parts);
  pair_renamed(d.rows, steps_before, steps_after);
  explain(d, steps_before, steps_after);
  return d;
}

}  // namespace ridge::trace
