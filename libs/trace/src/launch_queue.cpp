// SPDX-License-Identifier: Apache-2.0
#include "launch_queue.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace ridge::trace {
namespace {

auto place(const queue_entry& q) { return std::tuple(q.device, q.stream, q.call); }

// How long each length of a queue lasted: calls `visit(length, from, to)` in the order of time.
template <typename Visit>
void walk(std::vector<nanoseconds> in, std::vector<nanoseconds> out, const Visit& visit) {
  std::ranges::sort(in);
  std::ranges::sort(out);
  std::int64_t length = 0;
  nanoseconds now = in.empty() ? 0 : in.front();
  for (std::size_t i = 0, o = 0; o < out.size();) {
    const auto leaves = i == in.size() || out[o] <= in[i];
    const auto next = leaves ? out[o] : in[i];
    if (next > now) visit(length, now, next);
    now = next;
    length += leaves ? -1 : 1;
    ++(leaves ? o : i);
  }
}

stream_queue queue_of(std::span<const queue_entry> entries, std::int64_t limit) {
  stream_queue q{.device = entries.front().device, .stream = entries.front().stream};
  std::vector<nanoseconds> in, out;
  for (const auto& e : entries) {
    q.works += e.works;
    if (e.started_ns <= e.called_ns) continue;
    in.push_back(e.called_ns);
    out.push_back(e.started_ns);
    q.waiting_item_ns += e.started_ns - e.called_ns;
  }
  if (in.empty()) return q;
  q.span_ns = std::ranges::max(out) - std::ranges::min(in);
  walk(std::move(in), std::move(out), [&](std::int64_t length, nanoseconds from, nanoseconds to) {
    if (length > q.longest) {
      q.longest = length;
      q.longest_at_ns = from;
    }
    if (length >= limit) q.at_limit_ns += to - from;
  });
  return q;
}

}  // namespace

std::vector<queue_entry> queue_entries(const trace& t, const std::vector<work_id>& works) {
  std::vector<queue_entry> all;
  for (const auto id : works) {
    const auto& w = t.works[id];
    if (w.launch == none) continue;
    all.push_back({w.device, w.stream, w.launch, t.events.start_ns[w.launch], w.start_ns, w.end_ns, 1});
  }
  std::ranges::sort(all, {}, place);
  std::vector<queue_entry> merged;
  for (const auto& e : all) {
    if (merged.empty() || place(merged.back()) != place(e)) {
      merged.push_back(e);
      continue;
    }
    auto& m = merged.back();
    m.started_ns = std::min(m.started_ns, e.started_ns);
    m.ended_ns = std::max(m.ended_ns, e.ended_ns);
    ++m.works;
  }
  return merged;
}

std::vector<stream_queue> queues_of(const std::vector<queue_entry>& entries, std::int64_t limit) {
  const auto stream = [](const queue_entry& q) { return std::pair(q.device, q.stream); };
  std::vector<stream_queue> all;
  for (auto at = entries.begin(); at != entries.end();) {
    const auto end = std::ranges::upper_bound(at, entries.end(), stream(*at), {}, stream);
    all.push_back(queue_of({at, end}, limit));
    at = end;
  }
  return all;
}

std::int64_t longest_in_flight(const std::vector<queue_entry>& entries) {
  std::vector<nanoseconds> in, out;
  for (const auto& e : entries) {
    in.push_back(std::min(e.called_ns, e.started_ns));
    out.push_back(std::max(e.ended_ns, in.back()));
  }
  std::int64_t longest = 0;
  walk(std::move(in), std::move(out),
       [&](std::int64_t length, auto, auto) { longest = std::max(longest, length); });
  return longest;
}

}  // namespace ridge::trace
