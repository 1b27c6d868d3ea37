// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "hta/hta_host_rows.hpp"
#include "hta/hta_kernel_type.hpp"

namespace ridge::trace {
namespace {

double microseconds(nanoseconds t) { return static_cast<double>(static_cast<long double>(t) / 1000.0L); }

nanoseconds from_microseconds(double us) {
  return static_cast<nanoseconds>(std::llround(static_cast<long double>(us) * 1000.0L));
}

bool is_host(category c) { return !is_device_work(c); }

// HTA compares names of ProfilerStep wherever they stand, the device's mirror of them included.
struct last_step {
  nanoseconds start_ns = std::numeric_limits<nanoseconds>::min();
  nanoseconds end_ns = std::numeric_limits<nanoseconds>::min();
  std::set<name_id> names{};
};

bool names_a_step(std::string_view name) {
  constexpr std::string_view head = "ProfilerStep#";
  return name.starts_with(head) && name.size() > head.size() && name[head.size()] >= '0' &&
         name[head.size()] <= '9';
}

last_step last_step_of(const trace& t, const hta_options& options) {
  last_step last;
  std::vector<char> known(t.names.size(), 0);  // 0: not asked, 1: a step, 2: none
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (!is_host(t.events.kind[e]) || t.events.kind[e] == category::python) continue;
    auto& is_step = known[t.events.name[e]];
    if (is_step == 0) is_step = names_a_step(t.name_of(e)) ? 1 : 2;
    if (is_step == 2) continue;
    const auto at = hta_times(t.events.start_ns[e], t.events.duration_ns[e], options);
    last.names.insert(t.events.name[e]);
    last.start_ns = std::max(last.start_ns, at.start_ns);
    last.end_ns = std::max(last.end_ns, at.end_ns);
  }
  return last;
}

std::vector<hta_call> calls_of_trace(const trace& t, const hta_options& options) {
  std::vector<hta_call> calls;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (!is_host(t.events.kind[e]) || t.events.correlation[e] == 0) continue;
    const auto at = hta_times(t.events.start_ns[e], t.events.duration_ns[e], options);
    calls.push_back({at.start_ns, at.end_ns, t.events.name[e], t.events.correlation[e], e});
  }
  std::ranges::sort(calls, {}, [](const hta_call& c) { return std::pair(c.correlation, c.start_ns); });
  return calls;
}

hta_row hta_row_of(const trace& t, work_id id, const hta_options& options) {
  const auto& w = t.works[id];
  const auto at = hta_times(w.start_ns, w.duration_ns(), options);
  return {.start_ns = at.start_ns,
          .end_ns = at.end_ns,
          .name = w.name,
          .stream = w.stream,
          .correlation = w.correlation,
          .gb_per_s = std::isnan(w.gb_per_s) ? 0 : w.gb_per_s,
          .type = hta_type_of(t.names[w.name]),
          .work = id};
}

// Operators and synchronizations that name a stream count as device work for HTA.
std::int32_t stream_named_by(const trace& t, event_id e) {
  const auto detail = t.events.detail[e];
  if (detail == none) return -1;
  if (t.events.kind[e] == category::op) return t.ops[detail].stream;
  if (t.events.kind[e] == category::synchronization) return t.syncs[detail].stream;
  return -1;
}

void add_host_rows(const trace& t, const hta_options& options, nanoseconds until_ns,
                   std::vector<hta_row>& rows) {
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != category::op && t.events.kind[e] != category::synchronization) continue;
    const auto stream = stream_named_by(t, e);
    if (stream == -1) continue;
    const auto at = hta_times(t.events.start_ns[e], t.events.duration_ns[e], options);
    if (at.start_ns >= until_ns) continue;
    rows.push_back({.start_ns = at.start_ns,
                    .end_ns = at.end_ns,
                    .name = t.events.name[e],
                    .stream = stream,
                    .type = hta_type_of(t.name_of(e)),
                    .is_work = false});
  }
}

// Joins works with the calls that are kept: one row per pair.
void add_joined_works(const trace& t, const hta_options& options, std::span<const hta_call> all,
                      hta_rows& rows) {
  const auto launched = [&](std::uint32_t id) {
    return id != 0 && std::ranges::binary_search(all, id, {}, &hta_call::correlation);
  };
  for (work_id id = 0; id < t.works.size(); ++id) {
    const auto correlation = t.works[id].correlation;
    const auto joined = rows.calls_of(correlation).size();
    for (std::size_t i = 0; i < joined; ++i) rows.device.push_back(hta_row_of(t, id, options));
    if (joined == 0)
      rows.fates[id] = launched(correlation) ? hta_fate::of_last_step : hta_fate::without_launch;
  }
}

std::optional<hta_call> first_event_of(const trace& t, const hta_options& options) {
  if (t.events.size() == 0) return std::nullopt;
  const auto first = std::ranges::min_element(t.events.offset);
  if (*first == std::ranges::max(t.events.offset)) return std::nullopt;  // offsets are not recorded
  const auto e = static_cast<event_id>(first - t.events.offset.begin());
  const auto at = hta_times(t.events.start_ns[e], t.events.duration_ns[e], options);
  return hta_call{at.start_ns, at.end_ns, t.events.name[e], 0, e};
}

}  // namespace

time_range hta_times(nanoseconds start_ns, nanoseconds duration_ns, const hta_options& options) {
  const double start = microseconds(start_ns);
  if (!options.round_to_us) return {from_microseconds(start), from_microseconds(start) + duration_ns};
  const double end = start + microseconds(duration_ns);
  return {static_cast<nanoseconds>(std::ceil(start)) * 1000,
          static_cast<nanoseconds>(std::floor(end)) * 1000};
}

std::span<const hta_call> hta_rows::calls_of(std::uint32_t correlation) const {
  if (correlation == 0) return {};
  return std::ranges::equal_range(calls, correlation, {}, &hta_call::correlation);
}

hta_rows hta_rows_of(const trace& t, const hta_options& options) {
  const auto last = last_step_of(t, options);
  const auto all = calls_of_trace(t, options);
  hta_rows out{.calls = all, .fates = std::vector(t.works.size(), hta_fate::kept)};
  auto& until = out.until_ns;
  if (last.names.size() > 1) {
    // By a mistake of HTA the ends of steps are times of the recording's clock, and what they are compared
    // with are times since the first start: where that clock began long before, nothing is left out.
    until = options.include_last_step ? last.end_ns + hta_first_start(t, options) + 1 : last.start_ns;
    std::erase_if(out.calls, [&](const hta_call& c) { return c.start_ns >= until; });
    add_joined_works(t, options, all, out);
  } else {
    out.first_event = first_event_of(t, options);
    for (work_id id = 0; id < t.works.size(); ++id) out.device.push_back(hta_row_of(t, id, options));
  }
  add_host_rows(t, options, until, out.device);
  std::ranges::stable_sort(out.device, {}, &hta_row::start_ns);
  return out;
}

}  // namespace ridge::trace
