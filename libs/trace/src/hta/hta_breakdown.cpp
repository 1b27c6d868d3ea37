// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_breakdown.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "hta/hta_kernel_type.hpp"

namespace ridge::trace {
namespace {

constexpr std::array shown_types{hta_kernel_type::computation, hta_kernel_type::communication,
                                 hta_kernel_type::memory};

// Starts and ends of merged ranges; `status` is what HTA adds to the running sum.
struct change {
  nanoseconds at_ns = 0;
  int status = 0;
};

void add_changes(std::span<const time_range> ranges, int value, std::vector<change>& changes) {
  for (const auto r : ranges) {
    changes.push_back({r.start_ns, value});
    changes.push_back({r.end_ns, -value});
  }
}

std::string types_named(int running) {
  std::string text;
  for (std::size_t i = 0; i < shown_types.size(); ++i) {
    if ((running >> i & 1) != 0)
      text += (text.empty() ? "" : " overlapping ") + std::string(name(shown_types[i]));
  }
  return text;
}

}  // namespace

nanoseconds hta_length(std::span<const time_range> ranges) {
  nanoseconds sum = 0;
  for (const auto r : ranges) sum += r.end_ns - r.start_ns;
  return sum;
}

std::vector<time_range> hta_merged(std::vector<time_range> ranges) {
  std::ranges::stable_sort(ranges, {}, &time_range::start_ns);
  std::vector<time_range> out;
  for (const auto r : ranges) {
    if (out.empty() || r.start_ns > out.back().end_ns)
      out.push_back(r);
    else
      out.back().end_ns = std::max(out.back().end_ns, r.end_ns);
  }
  return out;
}

std::vector<time_range> hta_merged(const hta_rows& rows, std::optional<hta_kernel_type> only) {
  std::vector<time_range> ranges;
  for (const auto& r : rows.device) {
    if (!only || r.type == *only) ranges.push_back({r.start_ns, r.end_ns});
  }
  return hta_merged(std::move(ranges));
}

hta_temporal_breakdown hta_temporal(const hta_rows& rows) {
  const auto all = hta_merged(rows);
  if (all.empty()) return {};
  hta_temporal_breakdown out;
  out.kernel_ns = all.back().end_ns - all.front().start_ns;
  out.idle_ns = out.kernel_ns - hta_length(all);
  out.compute_ns = hta_length(hta_merged(rows, hta_kernel_type::computation));
  out.non_compute_ns = out.kernel_ns - out.compute_ns - out.idle_ns;
  return out;
}

std::optional<double> hta_overlap_percent(const hta_rows& rows) {
  const auto communication = hta_merged(rows, hta_kernel_type::communication);
  if (hta_length(communication) == 0) return std::nullopt;
  std::vector<change> changes;
  add_changes(communication, 1, changes);
  add_changes(hta_merged(rows, hta_kernel_type::computation), 2, changes);
  std::ranges::stable_sort(changes, {}, &change::at_ns);
  nanoseconds both = 0;
  int running = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    running += changes[i].status;
    if (running == 3) both += changes[i + 1].at_ns - changes[i].at_ns;
  }
  return 100.0 * static_cast<double>(both) / static_cast<double>(hta_length(communication));
}

std::vector<hta_type_time> hta_types(const hta_rows& rows, const hta_options& options) {
  std::vector<change> changes;
  for (std::size_t i = 0; i < shown_types.size() - (options.memory_kernels ? 0 : 1); ++i)
    add_changes(hta_merged(rows, shown_types[i]), 1 << i, changes);
  std::ranges::stable_sort(changes, {}, &change::at_ns);
  std::map<int, nanoseconds> sums;
  int running = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    running += changes[i].status;
    // HTA drops the fraction of a microsecond of every stretch, and this is its one figure that does.
    if (running > 0) sums[running] += (changes[i + 1].at_ns - changes[i].at_ns) / 1000 * 1000;
  }
  std::vector<hta_type_time> out;
  for (const auto& [state, sum] : sums) {
    if (sum != 0) out.push_back({types_named(state), sum});
  }
  std::ranges::stable_sort(out, std::greater<>{}, &hta_type_time::sum_ns);
  return out;
}

std::vector<hta_type_time> hta_types_of(std::span<const hta_figures> ranks) {
  std::map<std::string, nanoseconds> sums;
  for (const auto& rank : ranks) {
    for (const auto& t : rank.types) sums[t.types] += t.sum_ns;
  }
  std::vector<hta_type_time> out;
  for (const auto& [types, sum] : sums) out.push_back({types, sum});
  std::ranges::stable_sort(out, std::greater<>{}, &hta_type_time::sum_ns);
  return out;
}

}  // namespace ridge::trace
