// SPDX-License-Identifier: Apache-2.0
// What holds for any trace; the truth is asked for every nanosecond.
#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include <ridge/trace/idle.hpp>

#include "fixtures/scene.hpp"
#include "timeline/activity_names.hpp"

namespace ridge::trace {
namespace {

nanoseconds sum_of_causes(const idle_report& r) {
  nanoseconds sum = 0;
  for (const auto& c : r.causes) sum += c.ns;
  return sum;
}

nanoseconds sum_of_parts(const idle_report& r) {
  nanoseconds sum = 0;
  for (const auto& p : r.parts) sum += p.ns;
  return sum;
}

constexpr nanoseconds micro_below = 6;

trace random_idle_trace(std::mt19937& draw) {
  const auto below = [&](unsigned n) { return static_cast<nanoseconds>(draw() % n); };
  fixtures::scene s;
  for (auto n = 1 + draw() % 10; n > 0; --n) {
    const fixtures::launched by{below(300), draw() % 4 == 0 ? 0 : 1 + below(20)};
    s.kernel("k", below(300), below(30), static_cast<std::int32_t>(draw() % 2), by);
  }
  for (auto n = draw() % 12; n > 0; --n) {
    const auto start = below(300), length = 1 + below(60);
    switch (draw() % 5) {
      case 0:
        s.op("aten::add", start, length);
        break;
      case 1:
        s.api("cudaMalloc", start, length);
        break;
      case 2:
        s.api("cudaStreamSynchronize", start, length);
        break;
      case 3:
        s.python("f.py(1): g", start, length);
        break;
      default:
        s.annotation("enumerate(DataLoader)", start, length);
        break;
    }
  }
  return s.build();
}

// The cause at one time, from every event of the trace.
idle_cause told_at(const trace& t, nanoseconds now) {
  auto first = idle_cause::unknown;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.start_ns[e] > now || t.events.end_ns(e) <= now) continue;
    const auto cause = cause_told_by(t.events.kind[e], t.name_of(e));
    if (cause) first = std::min(first, *cause);
  }
  return first;
}

bool busy_at(const trace& t, nanoseconds now) {
  return std::ranges::any_of(t.works,
                             [&](const device_work& w) { return w.start_ns <= now && now < w.end_ns; });
}

idle_cause true_cause(const trace& t, nanoseconds now) {
  nanoseconds a = -1;
  work_id next = none;
  for (work_id w = 0; w < t.works.size(); ++w) {
    if (t.works[w].end_ns <= now) a = std::max(a, t.works[w].end_ns);
    if (t.works[w].start_ns > now && (next == none || t.works[w].start_ns < t.works[next].start_ns)) next = w;
  }
  // Work of no length ends a gap and begins the next.
  const auto b = t.works[next].start_ns;
  if (b - a < micro_below) return idle_cause::micro;
  const auto launch = t.works[next].launch;
  if (launch == none) return idle_cause::no_launch;
  const auto ls = t.events.start_ns[launch], le = t.events.end_ns(launch);
  if (ls <= now && now < le) return idle_cause::launch_api;
  if (ls < a) return idle_cause::pipeline;
  return now < ls ? told_at(t, now) : idle_cause::launch_latency;
}

TEST(idle_properties, agrees_with_asking_every_nanosecond) {
  std::mt19937 draw(5);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const auto t = random_idle_trace(draw);
    const auto r = idle_of(t, 0, {}, {.micro_below_ns = micro_below});
    auto at = r.pieces.begin();
    for (auto now = r.window.start_ns; now < r.window.end_ns; ++now) {
      while (at != r.pieces.end() && at->range.end_ns <= now) ++at;
      const auto idle = at != r.pieces.end() && at->range.start_ns <= now;
      ASSERT_EQ(idle, !busy_at(t, now)) << now;
      if (idle) {
        ASSERT_EQ(name(at->cause), name(true_cause(t, now))) << now;
      }
    }
  }
}

TEST(idle_properties, adds_up_in_every_window) {
  std::mt19937 draw(6);
  for (int round = 0; round < 500; ++round) {
    const auto t = random_idle_trace(draw);
    const auto start = static_cast<nanoseconds>(draw() % 400),
               length = static_cast<nanoseconds>(draw() % 200);
    const auto r = idle_of(t, 0, time_range{start, start + length}, {.micro_below_ns = micro_below});
    nanoseconds idle = 0, gaps = 0;
    for (auto now = start; now < start + length; ++now) idle += busy_at(t, now) ? 0 : 1;
    for (const auto& g : r.gaps) {
      gaps += g.range.length_ns();
      nanoseconds at = g.range.start_ns;
      for (auto p = g.first_piece; p < g.first_piece + g.pieces; ++p) {
        ASSERT_EQ(r.pieces[p].range.start_ns, at);
        at = r.pieces[p].range.end_ns;
      }
      ASSERT_EQ(at, g.range.end_ns);
    }
    ASSERT_EQ(r.idle_ns, idle);
    ASSERT_EQ(gaps, idle);
    ASSERT_EQ(sum_of_causes(r), idle);
    ASSERT_EQ(sum_of_parts(r), idle);
    const time_range part{start + length / 4, start + length / 2};
    const auto within = idle_within(r, part, {.micro_below_ns = micro_below});
    const auto direct = idle_of(t, 0, part, {.micro_below_ns = micro_below});
    for (std::size_t c = 0; c < within.causes.size(); ++c)
      ASSERT_EQ(within.causes[c].ns, direct.causes[c].ns);
  }
}

}  // namespace
}  // namespace ridge::trace
