// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_streams.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>

#include "hta/hta_distribution.hpp"
#include "hta/hta_kernel_type.hpp"

namespace ridge::trace {
namespace {

double gap_microseconds(nanoseconds t) { return static_cast<double>(t) / 1000.0; }

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

constexpr std::array<std::string_view, 4> calls_with_statistics{"cudaLaunchKernel", "cudaLaunchKernelExC",
                                                                "cudaMemcpyAsync", "cudaMemsetAsync"};
constexpr std::array<std::string_view, 11> calls_that_queue{
    "cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel",  "cuLaunchKernelEx",
    "cudaMemcpyAsync",  "cudaMemsetAsync",     "hipLaunchKernel", "hipExtModuleLaunchKernel",
    "hipMemcpyAsync",   "hipMemcpyWithStream", "hipMemsetAsync"};

using by_correlation = std::unordered_map<std::uint32_t, std::vector<const hta_row*>>;

by_correlation device_rows(const hta_rows& rows) {
  by_correlation out;
  for (const auto& r : rows.device) {
    if (r.correlation != 0) out[r.correlation].push_back(&r);
  }
  return out;
}

// The gaps of one stream by cause.
using gaps = std::array<std::vector<double>, 3>;

hta_idle_cause idle_cause_of(const hta_rows& rows, const hta_row& r, nanoseconds end_before,
                             const hta_options& options) {
  const auto calls = rows.calls_of(r.correlation);
  const auto* call = calls.empty() ? nullptr : &calls.back();
  if (call == nullptr && r.correlation != 0 && rows.first_event) call = &*rows.first_event;
  if (call != nullptr && call->start_ns > end_before) return hta_idle_cause::host_wait;
  const bool short_gap = r.start_ns - end_before < options.short_gap_ns;
  return short_gap ? hta_idle_cause::kernel_wait : hta_idle_cause::other;
}

void add_stream(std::int32_t stream, const gaps& found, std::vector<hta_idle_time>& rows) {
  std::array<nanoseconds, 3> sums{};
  nanoseconds total = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    for (const auto us : found[c]) sums[c] += static_cast<nanoseconds>(us * 1000 + (us < 0 ? -0.5 : 0.5));
    total += sums[c];
  }
  for (std::size_t c = 0; c < found.size(); ++c) {
    const auto cause = static_cast<hta_idle_cause>(c);
    if (found[c].empty() && cause != hta_idle_cause::other) continue;  // a stream's first work is "other"
    hta_idle_time row{.stream = stream, .cause = cause, .sum_ns = sums[c], .gaps_us = describe(found[c])};
    if (total != 0) row.share = static_cast<double>(sums[c]) / static_cast<double>(total);
    rows.push_back(row);
  }
}

// A change of a queue's length: a call adds a work, the work's start removes it.
struct queue_change {
  nanoseconds at_ns = 0;
  int change = 0;
};

void add_pairs(const hta_rows& rows, const hta_call& call, const by_correlation& works,
               std::map<std::int32_t, std::vector<queue_change>>& changes) {
  const auto at = works.find(call.correlation);
  if (at == works.end()) return;
  const bool last_of_equals = &call == &rows.calls_of(call.correlation).back();
  for (const auto* work : at->second) {
    changes[work->stream].push_back({call.start_ns, 1});
    if (last_of_equals) changes[work->stream].push_back({work->start_ns, -1});
  }
}

std::vector<double> running_lengths(std::vector<queue_change> changes, bool calls_first) {
  std::ranges::stable_sort(changes, [&](const queue_change& a, const queue_change& b) {
    return a.at_ns != b.at_ns ? a.at_ns < b.at_ns : calls_first ? a.change > b.change : a.change < b.change;
  });
  std::vector<double> lengths;
  double now = 0;
  for (const auto& c : changes) lengths.push_back(now += c.change);
  return lengths;
}

hta_queue_length queue_length_of(std::int32_t stream, const std::vector<queue_change>& changes) {
  const auto longest = describe(running_lengths(changes, true));
  return {stream, longest, longest.mean - describe(running_lengths(changes, false)).mean};
}

struct rate_change {
  nanoseconds at_ns = 0;
  double change = 0;
};

hta_copy_bandwidth copies_of(const std::string& kind, std::vector<rate_change> changes) {
  std::ranges::stable_sort(changes, [](const rate_change& a, const rate_change& b) {
    return a.at_ns != b.at_ns ? a.at_ns < b.at_ns : a.change < b.change;
  });
  hta_copy_bandwidth out{.name = kind};
  std::vector<double> rates;
  double now = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    now += changes[i].change;
    if (now > 1e-9) rates.push_back(now);  // HTA leaves zeros out; floating-point sums leave tiny remainders
    out.ties += i > 0 && changes[i].at_ns == changes[i - 1].at_ns && changes[i - 1].change < 0 &&
                changes[i].change > 0;
  }
  out.gb_per_s = describe(std::move(rates));
  return out;
}

}  // namespace

std::vector<hta_idle_time> hta_idle(const hta_rows& rows, const hta_options& options) {
  std::map<std::int32_t, std::pair<gaps, const hta_row*>> streams;
  for (const auto& r : rows.device) {
    if (!r.is_work) continue;
    auto& [found, before] = streams[r.stream];
    if (before != nullptr) {
      const auto cause = idle_cause_of(rows, r, before->end_ns, options);
      found[static_cast<std::size_t>(cause)].push_back(gap_microseconds(r.start_ns - before->end_ns));
    }
    before = &r;
  }
  std::vector<hta_idle_time> out;
  for (const auto& [stream, of_stream] : streams) add_stream(stream, of_stream.first, out);
  return out;
}

std::vector<hta_launch> hta_launches(const trace& t, const hta_rows& rows) {
  const auto works = device_rows(rows);
  std::vector<std::pair<nanoseconds, hta_launch>> found;
  for (const auto& call : rows.calls) {
    const auto at = works.find(call.correlation);
    if (at == works.end() || !is_one_of(t.names[call.name], calls_with_statistics)) continue;
    for (const auto* work : at->second)
      found.push_back({call.start_ns,
                       {.correlation = call.correlation,
                        .cpu_ns = call.end_ns - call.start_ns,
                        .gpu_ns = work->length_ns(),
                        .delay_ns = std::max<nanoseconds>(0, work->start_ns - call.end_ns)}});
  }
  std::ranges::stable_sort(found, {}, &std::pair<nanoseconds, hta_launch>::first);
  std::vector<hta_launch> out;
  for (const auto& f : found) out.push_back(f.second);
  return out;
}

std::vector<hta_queue_length> hta_queues(const trace& t, const hta_rows& rows) {
  const auto works = device_rows(rows);
  std::map<std::int32_t, std::vector<queue_change>> streams;
  for (const auto& call : rows.calls) {
    if (is_one_of(t.names[call.name], calls_that_queue)) add_pairs(rows, call, works, streams);
  }
  std::vector<hta_queue_length> out;
  for (const auto& [stream, changes] : streams) out.push_back(queue_length_of(stream, changes));
  return out;
}

std::vector<hta_copy_bandwidth> hta_copies(const trace& t, const hta_rows& rows) {
  std::map<std::string, std::vector<rate_change>> kinds;
  for (const auto& r : rows.device) {
    if (r.type != hta_kernel_type::memory) continue;
    auto& changes = kinds[std::string(hta_copy_name(t.names[r.name]))];
    const double rate = static_cast<double>(r.gb_per_s);
    changes.push_back({r.start_ns, rate});
    changes.push_back({r.length_ns() == 0 ? r.end_ns + 1000 : r.end_ns, -rate});
  }
  std::vector<hta_copy_bandwidth> out;
  for (auto& [kind, changes] : kinds) {
    out.push_back(copies_of(kind, std::move(changes)));
    if (out.back().gb_per_s.count == 0) out.pop_back();
  }
  return out;
}

}  // namespace ridge::trace
