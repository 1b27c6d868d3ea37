// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_streams.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "hta/hta_correlations.hpp"
#include "hta/hta_distribution.hpp"

namespace ridge::trace {
namespace {

double gap_microseconds(nanoseconds t) { return static_cast<double>(t) / 1000.0; }

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

constexpr std::array<std::string_view, 2> kernel_calls{"cudaLaunchKernel", "cudaLaunchKernelExC"};
constexpr std::array<std::string_view, 2> memory_calls{"cudaMemcpyAsync", "cudaMemsetAsync"};

// The gaps of one stream by cause, the work before the next gap, and where the stream begins in the file.
using gaps = std::array<std::vector<double>, 3>;
struct stream_gaps {
  gaps by_cause{};
  const hta_row* before = nullptr;
  std::uint64_t first_offset = std::numeric_limits<std::uint64_t>::max();
};

hta_idle_cause idle_cause_of(const hta_rows& rows, const hta_row& r, nanoseconds end_before,
                             const hta_options& options) {
  const auto calls = rows.calls_of(r.correlation);
  const auto* call = calls.empty() ? nullptr : &calls.back();
  if (call == nullptr && r.correlation != 0 && rows.first_event) call = &*rows.first_event;
  if (call != nullptr && call->start_ns > end_before) return hta_idle_cause::host_wait;
  const bool short_gap = r.start_ns - end_before < options.short_gap_ns;
  return short_gap ? hta_idle_cause::kernel_wait : hta_idle_cause::other;
}

void add_stream(std::int32_t stream, const stream_gaps& of_stream, std::vector<hta_idle_time>& rows) {
  const auto& found = of_stream.by_cause;
  std::array<nanoseconds, 3> sums{};
  nanoseconds total = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    for (const auto us : found[c]) sums[c] += static_cast<nanoseconds>(us * 1000 + (us < 0 ? -0.5 : 0.5));
    total += sums[c];
  }
  for (std::size_t c = 0; c < found.size(); ++c) {
    const auto cause = static_cast<hta_idle_cause>(c);
    if (found[c].empty() && cause != hta_idle_cause::other) continue;  // a stream's first work is "other"
    hta_idle_time row{.stream = stream,
                      .cause = cause,
                      .sum_ns = sums[c],
                      .gaps_us = describe(found[c]),
                      .first_offset = of_stream.first_offset};
    if (total != 0) row.share = static_cast<double>(sums[c]) / static_cast<double>(total);
    rows.push_back(row);
  }
}

}  // namespace

std::vector<hta_idle_time> hta_idle(const trace& t, const hta_rows& rows, const hta_options& options) {
  std::map<std::int32_t, stream_gaps> streams;
  for (const auto& r : rows.device) {
    if (!r.is_work) continue;
    auto& [found, before, first_offset] = streams[r.stream];
    first_offset = std::min(first_offset, t.events.offset[t.works[r.work].event]);
    if (before != nullptr) {
      const auto cause = idle_cause_of(rows, r, before->end_ns, options);
      found[static_cast<std::size_t>(cause)].push_back(gap_microseconds(r.start_ns - before->end_ns));
    }
    before = &r;
  }
  std::vector<hta_idle_time> out;
  for (const auto& [stream, of_stream] : streams) add_stream(stream, of_stream, out);
  return out;
}

std::vector<hta_launch> hta_launches(const trace& t, const hta_rows& rows) {
  const auto works = device_rows(rows);
  using place = std::pair<std::uint64_t, nanoseconds>;  // in the file, else in time
  std::vector<std::pair<place, hta_launch>> found;
  for (const auto& call : rows.calls) {
    const auto name = t.names[call.name];
    const bool memory = is_one_of(name, memory_calls), mtia = name == mtia_launch;
    const auto at = works.find(call.correlation);
    if (at == works.end() || !(memory || mtia || is_one_of(name, kernel_calls))) continue;
    for (const auto* work : at->second)
      found.push_back({{t.events.offset[call.event], call.start_ns},
                       {.correlation = call.correlation,
                        .cpu_ns = call.end_ns - call.start_ns,
                        .gpu_ns = work->length_ns(),
                        .delay_ns = std::max<nanoseconds>(0, work->start_ns - call.end_ns),
                        .of_memory = memory,
                        .of_mtia = mtia}});
  }
  std::ranges::stable_sort(found, {}, &std::pair<place, hta_launch>::first);
  std::vector<hta_launch> out;
  for (const auto& f : found) out.push_back(f.second);
  return out;
}

}  // namespace ridge::trace
