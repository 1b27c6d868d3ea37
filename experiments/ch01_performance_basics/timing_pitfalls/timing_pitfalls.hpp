// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments::ch01_timing_pitfalls {

// Bodies observe both, in seconds: one step of work timed the wrong way, and the same step timed as it should
// be, in the same call.
inline constexpr observable naive{"naive time"}, right{"right time"};

struct pitfall;

// The step computes `result` from `data`. A careless benchmark feeds it `misleading` instead; that is empty
// where the mistake is another one.
struct workload {
  const pitfall* shown = nullptr;
  input<float> data{};
  input<float> misleading{};
  output<float> result{};
};

// One way of timing wrongly, with a step of work that shows it. The step that fills `result` runs last.
struct pitfall {
  std::string name{};
  void (*run)(workload&, call&) = nullptr;  // on the CPU; null where the mistake has no form there
  void (*expected)(workload&) = nullptr;
  bool misleads = false;  // the mistake is the input
  distribution misleading_from{constant{}};
  bool one_result = false;  // otherwise one result per element
  double flop_per_element = 0;
  int steps = 2;  // steps of work in a call
};

// Returns all pitfalls, those of the CPU and those of the GPU.
[[nodiscard]] const std::array<pitfall, 7>& pitfalls();

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_timing_pitfalls
