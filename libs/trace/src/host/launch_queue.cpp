// SPDX-License-Identifier: Apache-2.0
#include "host/launch_queue.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace ridge::trace {
namespace {

// Calls `visit(length, start_ns, end_ns)` for each length of a queue in the order of time.
template <typename Visit>
void walk(std::vector<nanoseconds> starts, std::vector<nanoseconds> out, const Visit& visit) {
  for (auto* times : {&starts, &out}) {
    if (!std::ranges::is_sorted(*times)) std::ranges::sort(*times);
  }
  std::int64_t length = 0;
  nanoseconds now = starts.empty() ? 0 : starts.front();
  for (std::size_t i = 0, o = 0; o < out.size();) {
    const auto leaves = i == starts.size() || out[o] <= starts[i];
    const auto next = leaves ? out[o] : starts[i];
    if (next > now) visit(length, now, next);
    now = next;
    length += leaves ? -1 : 1;
    ++(leaves ? o : i);
  }
}

stream_queue queue_of_stream(std::span<const queue_entry> entries, std::int64_t limit) {
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
  walk(std::move(in), std::move(out), [&](std::int64_t length, nanoseconds start_ns, nanoseconds end_ns) {
    if (length > q.longest) {
      q.longest = length;
      q.longest_at_ns = start_ns;
    }
    if (length >= limit) q.at_limit_ns += end_ns - start_ns;
  });
  return q;
}

}  // namespace

std::vector<work_id> by_call(const trace& t, std::span<const work_id> works) {
  std::vector<std::pair<event_id, work_id>> order;
  order.reserve(works.size());
  for (const auto w : works) {
    if (t.works[w].launch != none) order.emplace_back(t.works[w].launch, w);
  }
  std::ranges::sort(order);
  std::vector<work_id> found;
  found.reserve(order.size());
  for (const auto& [call, work] : order) found.push_back(work);
  return found;
}

std::vector<queue_entry> queue_entries(const trace& t, std::span<const work_id> by_call) {
  std::vector<queue_entry> all;
  for (const auto id : by_call) {
    const auto& w = t.works[id];
    auto mine = all.rbegin();
    while (mine != all.rend() && mine->call == w.launch &&
           (mine->stream != w.stream || mine->device != w.device))
      ++mine;
    if (mine == all.rend() || mine->call != w.launch) {
      all.push_back({w.device, w.stream, w.launch, t.events.start_ns[w.launch], w.start_ns, w.end_ns, 1});
      continue;
    }
    mine->started_ns = std::min(mine->started_ns, w.start_ns);
    mine->ended_ns = std::max(mine->ended_ns, w.end_ns);
    ++mine->works;
  }
  return all;
}

std::vector<stream_queue> queues_of(std::span<const queue_entry> entries, std::int64_t limit) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<queue_entry>> streams;
  for (const auto& e : entries) streams[{e.device, e.stream}].push_back(e);
  std::vector<stream_queue> all;
  for (const auto& [stream, of] : streams) all.push_back(queue_of_stream(of, limit));
  return all;
}

std::int64_t longest_in_flight(std::span<const queue_entry> entries) {
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
