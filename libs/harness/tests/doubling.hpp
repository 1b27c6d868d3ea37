// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/plan.hpp>

namespace ridge::harness {

// y = 2 x: what families of tests compute.
struct doubling_workload {
  input<float> x{};
  output<float> y{};
};

inline void twice(doubling_workload& w, call&) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}

// Each element in so many passes.
template <int Passes>
void in_passes(doubling_workload& w, call& c) {
  for (int pass = 0; pass < Passes; ++pass) {
    twice(w, c);
    asm volatile("" ::: "memory");
  }
}

// Experiment "test.doubling" of `elements` elements, compared by their bits, with these variants on the CPU.
inline experiment_of<doubling_workload> doubling_as_stated(ladder_of<doubling_workload> variants,
                                                           std::int64_t elements) {
  return {
      .id = "test.doubling",
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {elements}, {0, 1, 3, 17})},
      .make =
          [](const problem& p, memory& m) {
            return doubling_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work =
          [](const problem& p) {
            return work{
                .flop = p.real("n"), .bytes_read = 4.0 * p.real("n"), .bytes_written = 4.0 * p.real("n")};
          },
      .oracle =
          [](doubling_workload& w) {
            std::ranges::transform(w.x, w.y.begin(), [](float v) { return float(2 * double(v)); });
          },
      .within = exact(),
      .cpu = variants,
  };
}

inline experiment doubling(ladder_of<doubling_workload> variants, std::int64_t elements) {
  return doubling_as_stated(variants, elements);
}

// Options of a session of `seconds` per arm with a short warm-up, without what comes before it: tests look at
// what the session finds. Code that was compiled without optimization, as tests are, is judged.
inline run_options short_session(double seconds) {
  run_options options{.profile = {.name = "test", .budget_per_arm_s = seconds},
                      .lone_pass = false,
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.02;
  return options;
}

}  // namespace ridge::harness
