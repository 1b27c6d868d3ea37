// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/format.h>

#include "rocpd_process.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

// A counter has one row per instance (shader engine, channel ...); a kernel's value is their sum.
using counter_sums = std::map<std::pair<std::int64_t, std::int64_t>, double>;  // by event and counter

counter_sums sums_of(const rocpd_process& process) {
  counter_sums sums;
  auto rows = process.rows("pmc_event", {"event_id", "pmc_id", "value"});
  while (process.next(rows, "pmc_event")) sums[{rows.whole_or(0, 0), rows.whole_or(1, 0)}] += rows.real(2);
  return sums;
}

struct dispatched {
  std::int64_t id = 0, kernel = 0;
  placed_row place{};
};

std::map<std::int64_t, dispatched> dispatches_of(const rocpd_process& process) {
  std::map<std::int64_t, dispatched> all;
  auto rows = process.placed_rows("kernel_dispatch", {"dispatch_id", "kernel_id"});
  while (process.next(rows, "kernel_dispatch")) {
    const auto place = process.place(rows);
    all.insert_or_assign(place.event, dispatched{.id = rows.whole_or(rocpd_process::first_own, 0),
                                                 .kernel = rows.whole_or(rocpd_process::first_own + 1, 0),
                                                 .place = place});
  }
  return all;
}

std::map<std::int64_t, std::string> names_of(const rocpd_process& process, std::string_view table,
                                             std::string_view first, std::string_view second) {
  std::map<std::int64_t, std::string> names;
  auto rows = process.rows(table, {"id", first, second});
  while (process.next(rows, table))
    names.insert_or_assign(rows.whole_or(0, 0), rows.text(rows.text(1).empty() ? 2 : 1));
  return names;
}

std::uint32_t add_kernel(const rocpd_process& process, const dispatched& d,
                         const std::map<std::int64_t, std::string>& kernels) {
  const auto name = kernels.find(d.kernel);
  return process.reading.builder.add(trace::profiled_kernel{
      .id = d.id,
      .name = process.reading.builder.intern(name == kernels.end() ? "kernel" : name->second),
      .process = static_cast<std::int32_t>(process.process(d.place.process)),
      .stream = static_cast<std::int32_t>(d.place.queue.value_or(-1))});
}

}  // namespace

void read_counters(const rocpd_process& process) {
  const auto sums = sums_of(process);
  if (sums.empty()) return;
  const auto dispatches = dispatches_of(process);
  const auto kernels = names_of(process, "info_kernel_symbol", "display_name", "kernel_name");
  const auto counters = names_of(process, "info_pmc", "symbol", "name");
  std::map<std::int64_t, std::uint32_t> profiled;  // by event
  for (const auto& [key, value] : sums) {
    const auto [event, counter] = key;
    const auto of = dispatches.find(event);
    if (of == dispatches.end()) continue;
    auto at = profiled.find(event);
    if (at == profiled.end()) at = profiled.emplace(event, add_kernel(process, of->second, kernels)).first;
    const auto name = counters.find(counter);
    process.reading.builder.add(trace::kernel_metric{
        .value = value,
        .kernel = at->second,
        .metric = process.reading.builder.intern(name == counters.end() ? fmt::format("counter {}", counter)
                                                                        : name->second)});
  }
}

}  // namespace ridge::backends::trace_rocpd
