// SPDX-License-Identifier: Apache-2.0
#include "communication/communication_table.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace ridge::trace {
namespace {

// Sums of what only some instances of a row record.
struct sums {
  operation_row row{};
  double moved = 0, moved_on_bus = 0;  // bytes of instances with a transfer and a size
  nanoseconds moving_ns = 0;
  double moved_in_all = 0;  // bytes of parts with a size
  nanoseconds all_ns = 0;
};

nanoseconds summed(const collective_instance& i) {
  nanoseconds sum = 0;
  for (const auto& part : i.parts) sum += part.duration_ns();
  return sum;
}

void add_time_to(std::optional<nanoseconds>& sum, const std::optional<nanoseconds>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

void add_rates_to(sums& total, const collective_instance& i, const instance_times& t) {
  if (!i.bytes) return;
  const auto bytes = static_cast<double>(*i.bytes);
  total.moved_in_all += bytes * static_cast<double>(i.parts.size());
  total.all_ns += summed(i);
  if (!t.transfer_ns) return;
  const auto ranks = std::max(i.group_size, static_cast<std::uint32_t>(i.parts.size()));
  total.moved += bytes;
  total.moved_on_bus += bytes * busbw_factor(i.kind, ranks);
  total.moving_ns += *t.transfer_ns;
}

void add_instance(sums& total, const collective_instance& i, const instance_times& t) {
  auto& row = total.row;
  row.instances++;
  row.parts += i.parts.size();
  row.ranks = std::max({row.ranks, i.group_size, static_cast<std::uint32_t>(i.parts.size())});
  row.bytes += i.bytes.value_or(0);
  row.with_bytes += i.bytes ? 1U : 0U;
  row.total_ns += summed(i);
  for (const auto& part : t.parts) row.exposed_ns += part.exposed_ns;
  add_time_to(row.wait_ns, t.total_wait_ns);
  add_time_to(row.transfer_ns, t.transfer_ns);
  add_rates_to(total, i, t);
}

operation_row finished(const sums& total) {
  auto row = total.row;
  if (total.moving_ns > 0) {
    row.algorithm_rate = total.moved * 1e9 / static_cast<double>(total.moving_ns);
    row.bus_rate = total.moved_on_bus * 1e9 / static_cast<double>(total.moving_ns);
  }
  if (total.all_ns > 0) row.rate_with_waiting = total.moved_in_all * 1e9 / static_cast<double>(total.all_ns);
  return row;
}

}  // namespace

std::vector<operation_row> operations_of(std::span<const collective_instance> instances,
                                         std::span<const instance_times> times) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, sums> found;
  for (std::size_t n = 0; n < instances.size(); ++n) {
    const auto& i = instances[n];
    const operation_row empty{.operation = i.operation,
                              .library = i.library,
                              .group = i.group,
                              .dtype = i.dtype,
                              .kind = i.kind,
                              .heuristic = i.heuristic};
    const auto key = std::tuple(i.operation, i.library, i.group, i.dtype);
    add_instance(found.try_emplace(key, sums{.row = empty}).first->second, i, times[n]);
  }
  std::vector<operation_row> rows;
  for (const auto& [key, of] : found) rows.push_back(finished(of));
  std::ranges::stable_sort(rows, std::ranges::greater{}, &operation_row::total_ns);
  return rows;
}

std::vector<size_class> sizes_of(std::span<const collective_instance> instances) {
  constexpr std::int64_t kib = 1024, mib = 1024 * kib;
  std::vector<size_class> classes{
      {0, 64 * kib}, {64 * kib, mib}, {mib, 16 * mib}, {16 * mib, std::numeric_limits<std::int64_t>::max()}};
  for (const auto& i : instances) {
    if (!i.bytes) continue;
    const auto at = std::ranges::find_if(classes, [&](const auto& c) { return *i.bytes < c.to_bytes; });
    at->instances++;
    at->total_ns += summed(i);
  }
  return classes;
}

}  // namespace ridge::trace
