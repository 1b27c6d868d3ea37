// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {

std::vector<trace> one(scene& target) {
  std::vector<trace> traces;
  traces.push_back(target.build());
  return traces;
}

scene& busy(scene& target, int kernels, nanoseconds length, nanoseconds gap, std::int32_t stream) {
  for (int i = 0; i < kernels; ++i)
    target.kernel("gemm_kernel", 1'000'000 + i * (length + gap), length, stream,
                  {.call_ns = i * 5'000, .call_length_ns = 4'000});
  return target;
}

std::vector<trace> healthy() {
  scene s;
  return one(busy(s));
}

scene& steps(scene& target, const std::vector<made_step>& made,
             const std::function<void(scene&, std::size_t, nanoseconds)>& fill) {
  nanoseconds at = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto start = at;
    if (fill) fill(target, i, start);
    const auto call = start + made[i].host;
    target.kernel("gemm_kernel", call + 6'000, made[i].length, 7, {.call_ns = call, .call_length_ns = 5'000});
    at = call + 6'000 + made[i].length;
    target.annotation("ProfilerStep#" + std::to_string(i + 1), start, at - start);
  }
  return target;
}

known_device ridge_one() {
  known_device d;
  d.peaks.name = "Ridge One";
  d.peaks.source = "made up";
  d.peaks.bytes_per_s = 1e12;
  d.peaks.vector_flop_per_s[static_cast<std::size_t>(number_type::fp32)] = 1e14;
  d.peaks.matrix_flop_per_s[static_cast<std::size_t>(number_type::bf16)] = 1e15;
  d.peaks.matrix_flop_per_s[static_cast<std::size_t>(number_type::fp16)] = 1e15;
  d.peaks.sms = 100;
  d.reported = {"Ridge One"};
  d.link_bytes_per_s = 50e9;
  d.bus_bytes_per_s = 100e9;
  return d;
}

device_facts ridge_one_facts() { return {.id = 0, .name = "Ridge One", .sms = 100}; }

diagnose_options knowing_ridge_one() {
  diagnose_options options;
  options.devices = {ridge_one()};
  return options;
}

std::vector<rule_case> all_cases() {
  std::vector<rule_case> all;
  for (auto group : {trust_cases(), idle_cases(), copy_cases(), communication_cases(), operator_cases(),
                     kernel_cases(), counter_cases(), host_cases(), program_cases()})
    std::move(group.begin(), group.end(), std::back_inserter(all));
  return all;
}

}  // namespace ridge::trace::fixtures
