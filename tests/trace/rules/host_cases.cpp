// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

// A healthy trace with a counter that takes these values, 100 us apart.
std::vector<trace> counting(std::string_view series, const std::vector<double>& values) {
  scene s;
  busy(s);
  const auto id = s.builder().series(s.name(series), 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    s.builder().add(counter_value{
        .time_ns = 1'000'000 + static_cast<nanoseconds>(i) * 100'000, .value = values[i], .series = id});
  return one(s);
}

std::vector<trace> of_lengths(nanoseconds odd, nanoseconds even) {
  scene s;
  std::vector<made_step> all;
  for (int i = 0; i < 24; ++i) all.push_back({.host = 5'000, .length = (i % 2 ? odd : even) + i * 100});
  return one(steps(s, all));
}

// The host is in operators all the time and brings about one kernel of `length` each 100 us.
std::vector<trace> one_busy_thread(nanoseconds length) {
  scene s;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = i * 100'000;
    s.op("aten::add", at, 99'000);
    s.kernel("elementwise_kernel", at + 98'000, length, 7, {.call_ns = at + 90'000, .call_length_ns = 5'000});
  }
  return one(s);
}

std::vector<trace> interpreted(bool by_python) {
  scene s;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = i * 100'000;
    s.python("train.py(7): loop", at, 70'000);
    if (!by_python) s.op("aten::index", at, 70'000);
    s.kernel("elementwise_kernel", at + 82'000, 18'000, 7, {.call_ns = at + 72'000, .call_length_ns = 5'000});
  }
  return one(s);
}

std::vector<trace> now_and_before(nanoseconds now, nanoseconds before) {
  scene a, b;
  std::vector<trace> traces;
  traces.push_back(busy(a, 60, now).build());
  traces.push_back(busy(b, 60, before).build());
  return traces;
}

std::vector<double> clock_dropping(int low) {
  std::vector<double> values(40, 1980);
  for (int i = 0; i < low; ++i) values[static_cast<std::size_t>(i)] = 1500;
  return values;
}

}  // namespace

std::vector<rule_case> host_cases() {
  return {
      {.rule = "P1",
       .fires = [] { return counting("SM clock", clock_dropping(20)); },
       .quiet = [] { return counting("SM clock", clock_dropping(0)); }},
      {.rule = "P2",
       .fires = [] { return of_lengths(1'000'000, 2'000'000); },
       .quiet = [] { return of_lengths(1'000'000, 1'000'000); }},
      {.rule = "P3",
       .fires =
           [] {
             return counting("PCIe replay counter", {0, 3});
           },
       .quiet =
           [] {
             return counting("PCIe replay counter", {3, 3});
           }},
      {.rule = "H1",
       .fires = [] { return one_busy_thread(40'000); },
       .quiet = [] { return one_busy_thread(99'000); }},
      {.rule = "H2",
       .fires =
           [] {
             return counting("tma.backend_bound.memory_bound", {.4, .5});
           },
       .quiet =
           [] {
             return counting("tma.backend_bound.memory_bound", {.1, .1});
           }},
      {.rule = "H3",
       .fires =
           [] {
             return counting("runnable wait", {.3, .2});
           },
       .quiet =
           [] {
             return counting("runnable wait", {.01, .02});
           }},
      {.rule = "H4", .fires = [] { return interpreted(true); }, .quiet = [] { return interpreted(false); }},
      {.rule = "H5",
       .fires = [] { return counting("numa remote accesses", {.5}); },
       .quiet = [] { return counting("numa remote accesses", {.0}); }},
      {.rule = "D1",
       .fires = [] { return now_and_before(120'000, 100'000); },
       .quiet = [] { return now_and_before(100'000, 100'000); },
       .compared = true},
  };
}

}  // namespace ridge::trace::fixtures
