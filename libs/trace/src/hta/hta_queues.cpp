// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <ridge/trace/hta_series.hpp>

#include "hta/hta_correlations.hpp"
#include "hta/hta_distribution.hpp"
#include "hta/hta_host_rows.hpp"
#include "hta/hta_streams.hpp"

namespace ridge::trace {
namespace {

constexpr std::array<std::string_view, 12> calls_that_queue{
    "cudaLaunchKernel",    "cudaLaunchKernelExC", "cuLaunchKernel",  "cuLaunchKernelEx",
    "cudaMemcpyAsync",     "cudaMemsetAsync",     "hipLaunchKernel", "hipExtModuleLaunchKernel",
    "hipMemcpyWithStream", "hipMemcpyAsync",      "hipMemsetAsync",  mtia_launch};

// A change of a queue's length: a call adds a work, the work's start removes it.
struct queue_change {
  nanoseconds at_ns = 0;
  int change = 0;
  work_id work = none;
};
using changes_by_stream = std::map<std::int32_t, std::vector<queue_change>>;

bool adds_to_queue(std::string_view call) {
  return std::ranges::find(calls_that_queue, call) != calls_that_queue.end();
}

void add_pairs(const hta_rows& rows, const hta_call& call, const hta_works_by_correlation& works,
               changes_by_stream& changes) {
  const auto at = works.find(call.correlation);
  if (at == works.end()) return;
  const bool last_of_equals = &call == &rows.calls_of(call.correlation).back();
  for (const auto* work : at->second) {
    changes[work->stream].push_back({call.start_ns, 1, work->work});
    if (last_of_equals) changes[work->stream].push_back({work->start_ns, -1, work->work});
  }
}

changes_by_stream queue_changes(const trace& t, const hta_rows& rows) {
  const auto works = device_rows(rows);
  changes_by_stream streams;
  for (const auto& call : rows.calls) {
    if (adds_to_queue(t.names[call.name])) add_pairs(rows, call, works, streams);
  }
  return streams;
}

void sort_changes(std::vector<queue_change>& changes, bool calls_first) {
  std::ranges::stable_sort(changes, [&](const queue_change& a, const queue_change& b) {
    return a.at_ns != b.at_ns ? a.at_ns < b.at_ns : calls_first ? a.change > b.change : a.change < b.change;
  });
}

std::vector<double> running_lengths(std::vector<queue_change> changes, bool calls_first) {
  sort_changes(changes, calls_first);
  std::vector<double> lengths;
  double now = 0;
  for (const auto& c : changes) lengths.push_back(now += c.change);
  return lengths;
}

hta_queue_length queue_length_of(std::int32_t stream, const std::vector<queue_change>& changes) {
  const auto longest = describe(running_lengths(changes, true));
  return {stream, longest, longest.mean - describe(running_lengths(changes, false)).mean};
}

}  // namespace

std::vector<hta_queue_length> hta_queues(const trace& t, const hta_rows& rows) {
  std::vector<hta_queue_length> out;
  for (const auto& [stream, changes] : queue_changes(t, rows))
    out.push_back(queue_length_of(stream, changes));
  return out;
}

std::vector<hta_queue_point> hta_queue_series(const trace& t, const hta_options& options) {
  std::vector<hta_queue_point> out;
  auto streams = queue_changes(t, hta_rows_of(t, options));
  for (auto& [stream, changes] : streams) {
    sort_changes(changes, true);
    std::int64_t length = 0;
    for (const auto& c : changes) {
      const auto place = hta_place_of(t, c.work);
      out.push_back({c.at_ns, place.process, place.thread, stream, length += c.change});
    }
  }
  return out;
}

std::vector<hta_full_queue> hta_full_queues(const trace& t, std::int64_t limit, const hta_options& options) {
  const auto series = hta_queue_series(t, options);
  const auto span = hta_span_of(t, options);
  const auto all = static_cast<double>(span.last_kept_ns - span.first_kept_ns);
  std::vector<hta_full_queue> out;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].length < limit) continue;
    if (out.empty() || out.back().stream != series[i].stream) out.push_back({.stream = series[i].stream});
    const bool last = i + 1 == series.size() || series[i + 1].stream != series[i].stream;
    if (!last) out.back().full_ns += series[i + 1].at_ns - series[i].at_ns;
  }
  for (auto& row : out) row.share = all > 0 ? static_cast<double>(row.full_ns) / all : 0;
  return out;
}

}  // namespace ridge::trace
