// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <fixtures/scene.hpp>
#include <ridge/trace/diagnosis.hpp>

namespace ridge::trace::fixtures {

// Traces that a rule must report, and similar traces that it must not.
struct rule_case {
  std::string rule{};
  std::function<std::vector<trace>()> fires{}, quiet{};
  diagnose_options options{};
  bool compared = false;  // the last trace is the baseline of the first
};

[[nodiscard]] std::vector<rule_case> trust_cases();
[[nodiscard]] std::vector<rule_case> idle_cases();
[[nodiscard]] std::vector<rule_case> copy_cases();
[[nodiscard]] std::vector<rule_case> communication_cases();
[[nodiscard]] std::vector<rule_case> operator_cases();
[[nodiscard]] std::vector<rule_case> kernel_cases();
[[nodiscard]] std::vector<rule_case> counter_cases();
[[nodiscard]] std::vector<rule_case> host_cases();
[[nodiscard]] std::vector<rule_case> program_cases();
[[nodiscard]] std::vector<rule_case> all_cases();

[[nodiscard]] std::vector<trace> one(scene& target);

// Adds a device that is kept busy: `kernels` of `length`, launched 5 us apart from 0 on, running from 1 ms on
// with `gap` between them.
scene& busy(scene& target, int kernels = 60, nanoseconds length = 100'000, nanoseconds gap = 0,
            std::int32_t stream = 7);
// Returns a healthy trace: 60 kernels of 100 us without a gap.
[[nodiscard]] std::vector<trace> healthy();

// A step of a program whose host works for `host` and then launches a kernel of `length` that it does not
// wait for.
struct made_step {
  nanoseconds host = 0, length = 0;
};
// Adds the steps "ProfilerStep#1" ...; `fill(scene, step, start)` adds the host's part of each.
scene& steps(scene& target, const std::vector<made_step>& made,
             const std::function<void(scene&, std::size_t, nanoseconds)>& fill = {});

// Returns a device with known peaks: bf16 1000 TFLOP/s on matrix units, fp32 100 TFLOP/s, memory 1 TB/s, 100
// multiprocessors, named "Ridge One" in traces.
[[nodiscard]] known_device ridge_one();
[[nodiscard]] device_facts ridge_one_facts();
[[nodiscard]] diagnose_options knowing_ridge_one();  // with that device alone

}  // namespace ridge::trace::fixtures
