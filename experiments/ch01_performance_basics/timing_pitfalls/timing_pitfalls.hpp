// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments::ch01_timing_pitfalls {

// What bodies observe, in seconds: one step of work timed the wrong way, and the same step timed as it should
// be, in the same call.
inline constexpr observable naive{"naive time"}, right{"right time"};

struct pitfall;

// `result` is what the step makes of `data`. `misleading` is what a careless benchmark feeds the step with,
// where that is the mistake; else it is empty.
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
  bool misleads = false;  // by its input
  distribution misleading_from{constant{}};
  bool one_result = false;  // else one per element
  double flop_per_element = 0;
  int steps = 2;  // of work in a call
};

[[nodiscard]] pitfall cold_start();
[[nodiscard]] pitfall warm_cache();
[[nodiscard]] pitfall denormals();
[[nodiscard]] pitfall zero_inputs();
[[nodiscard]] pitfall dead_code();
[[nodiscard]] pitfall no_synchronize();
[[nodiscard]] pitfall zero_indices();

// The step of three of them: to[i] = 0.5 from[i].
void halve(std::span<const float> from, std::span<float> to);
void expect_halves(workload& w);

// The step of `zero_indices`: result[i] = data[slot_of(key, next key, n)], with the keys taken from `data`
// too. Zeros go to slot 0; neighbouring random numbers to any of the n slots.
[[nodiscard]] constexpr std::size_t slot_of(float key, float next, std::size_t n) {
  const std::uint32_t mixed = std::bit_cast<std::uint32_t>(key) * 0x9E3779B1U ^
                              std::rotl(std::bit_cast<std::uint32_t>(next) * 0x85EBCA77U, 13);
  return static_cast<std::size_t>(std::uint64_t{mixed} * n >> 32);
}

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_timing_pitfalls
