// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

// The window is 0 to 7 ms.
std::vector<trace> with_overhead(nanoseconds length) {
  scene s;
  busy(s).event(category::overhead, "CUPTI activity buffer flush", 2'000'000, length, 2);
  return one(s);
}

std::vector<trace> graphs_without_kernels() {
  scene s;
  busy(s);
  for (int i = 0; i < 20; ++i) s.api("cudaGraphLaunch", 1'000'000 + i * 100'000, 20'000);
  return one(s);
}

std::vector<trace> graphs_with_kernels() {
  scene s;
  for (int i = 0; i < 60; ++i)
    s.kernel("gemm_kernel", 1'000'000 + i * 100'000, 100'000, 7,
             {.call_ns = i * 10'000, .call_length_ns = 9'000, .call = "cudaGraphLaunch"});
  return one(s);
}

std::vector<trace> with_a_kernel_at(nanoseconds start) {
  scene s;
  busy(s).kernel("stray", start, 1'000, 9);
  return one(s);
}

// The last `early` of 60 kernels begin 50 us before their calls.
std::vector<trace> begun_before_launch(int early) {
  scene s;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds start = 1'000'000 + i * 100'000;
    s.kernel("gemm_kernel", start, 90'000, 7,
             {.call_ns = i < 60 - early ? start - 50'000 : start + 50'000, .call_length_ns = 4'000});
  }
  return one(s);
}

std::vector<trace> covering(nanoseconds length) {
  scene s;
  busy(s).kernel("covers", 1'000'001, length, 7);
  return one(s);
}

std::vector<trace> few() {
  scene s;
  return one(busy(s, 10));
}

std::vector<trace> cut_off() {
  scene s;
  busy(s).builder().facts().quality.add(flaw::truncated, 4711, "in the middle of an event");
  return one(s);
}

std::vector<trace> stepping(nanoseconds first) {
  scene s;
  std::vector<made_step> all(8, {.host = 10'000, .length = 1'000'000});
  all.front().length = first;
  return one(steps(s, all));
}

}  // namespace

std::vector<rule_case> trust_cases() {
  return {
      {.rule = "T1",
       .fires = [] { return with_overhead(2'000'000); },
       .quiet = [] { return with_overhead(100'000); }},
      {.rule = "T2", .fires = graphs_without_kernels, .quiet = graphs_with_kernels},
      {.rule = "T3",
       .fires = [] { return with_a_kernel_at(9'000'000'000); },
       .quiet = [] { return with_a_kernel_at(5'000'000); }},
      {.rule = "T4",
       .fires = [] { return begun_before_launch(6); },
       .quiet = [] { return begun_before_launch(0); }},
      {.rule = "T5", .fires = [] { return covering(900'000); }, .quiet = [] { return covering(99'000); }},
      {.rule = "T6", .fires = few, .quiet = healthy},
      {.rule = "T7", .fires = cut_off, .quiet = healthy},
      {.rule = "T10",
       .fires = [] { return stepping(3'000'000); },
       .quiet = [] { return stepping(1'000'000); }},
  };
}

}  // namespace ridge::trace::fixtures
