// SPDX-License-Identifier: Apache-2.0
#include "full_run.hpp"

#include <cmath>

namespace ridge::model::tests {
namespace {

const metric goodput{
    .name = "goodput", .unit = "1", .better = better::higher, .clock = clock_kind::simulated};

check one_check() {
  return {.id = "drift",
          .result = outcome::warn,
          .value = 0.004,
          .limit = 0.002,
          .unit = "1",
          .evidence = "halves\ndiffer"};
}

measurement one_measurement() {
  return {.variant = "contiguous \"fast\"",
          .role = role::comparator,
          .backend = backend::cuda,
          .idea = "neighbours; 日本 µ",
          .pedagogy = true,
          .threads = 2,
          .iterations = 7,
          .skipped = "why",
          .refused = "element 7",
          .failure = failure_kind::crashed,
          .signal = "SIGSEGV",
          .stage = "timing",
          .metrics = {{goodput, 0.1, {0.05, 0.30000000000000004}}},
          .quantiles = {{"ttft p99", "ms", 0.99, 12.5, {12, std::nan("")}, 3}},
          .phases = {{"load", 0.25, {0.2, 0.3}}},
          .memory = {1e6, 2e6, 3e6, 0.5},
          .energy_j = 0.125,
          .flop = 1e12,
          .bytes_moved = 5,
          .items = 6,
          .flop_per_s = 1e300,
          .bytes_per_s = 5e-324,
          .of_ceiling = 0.82,
          .ceiling = "cpu.triad 2",
          .ceiling_rate = 21.5e9,
          .ceiling_ci = interval{21e9, 22e9},
          .ceiling_first = 18e9,
          .ceiling_again = 21.5e9,
          .ceiling_disturbed = "3 of 4 readings",
          .ceiling_beside = true,
          .bound = bound::latency,
          .max_abs_error = 1e-7,
          .max_rel_error = 1e-6,
          .rms_error = 2e-8,
          .stage_s = 0.5,
          .setup_s = 0.25,
          .counters = {{"cycles", 1e9}, {"instructions", 2e9}},
          .kernels = {{"copy<4>", 1000, 0.00125, 0.75}},
          .compiled = compilation{"GCC 12.2.0", "-O2", "-O3 -O2", "thread", "ch01_a/copy/cpu.cpp"},
          .samples = {{goodput, {1.5, std::nan(""), 3}, {0, 4294967295u, 2}, {0, 1, 255}, {1, 0, 1}}}};
}

comparison one_comparison() {
  return {.reference = "strided",
          .candidate = "contiguous \"fast\"",
          .metric = goodput,
          .ratio = 1.783,
          .ci = {1.779, 1.788},
          .level = 0.975,
          .verdict = verdict::different_but_small,
          .headline = false,
          .judged = false,
          .assurance = 3,
          .pairs = 412,
          .aa = {0.998, 1.002},
          .hodges_lehmann = 1.78,
          .autocorrelation = -0.1,
          .block_length = 2,
          .looks = 4,
          .alpha_spent = 0.03,
          .ratio_unmarked = 1.784,
          .libraries = {{"openblas", "OpenBLAS 0.3.21", 2, {{"OMP_NUM_THREADS", "4"}}}},
          .fork_ratios = {1.7, 1.8},
          .checks = {one_check()}};
}

}  // namespace

run full_run() {
  family f{.experiment = "ch01.access",
           .title = "Contiguous and strided",
           .question = "What does a stride cost?",
           .goal = goal::goodput,
           .backend = backend::cuda,
           .problem = {{"n", std::int64_t{1} << 40},
                       {"beta", 2.0},
                       {"dtype", std::string("fp32")},
                       {"a/b~", std::int64_t{-3}}},
           .flop = 1,
           .bytes_read = 2,
           .bytes_written = 3,
           .items = 4,
           .measurements = {one_measurement()},
           .comparisons = {one_comparison()},
           .checks = {one_check()},
           .seed = 18446744073709551615u,
           .rounds = 103,
           .wall_s = 0.9,
           .duty = 0.6,
           .disturbance = disturbance{3, 0.25, 17, 2},
           .forks = 5,
           .skipped = "no"};
  return {
      .id = "01JCXM3V5T0000000000000000",
      .started = "2025-11-20T10:00:00Z",
      .command = {"ridge", "run", "ch01"},
      .profile = "deep",
      .seed = 42,
      .wall_s = 12.5,
      .min_effect = 0.02,
      .level = 0.99,
      .environment = {"intel-xeon-x2",
                      "box",
                      "Xeon",
                      "Linux 6.1",
                      "GCC 12.2.0",
                      "-O3",
                      "0.1.0",
                      2,
                      8e9,
                      {{"governor", "performance"}, {"thp", "madvise"}},
                      {{"memory.thp", severity::error, "never"}}},
      .peak = {"2025-11-20T09:00:00Z",
               {{"cpu.triad", "memory", "B/s", 2e10, {1.9e10, 2.1e10}, "avx512", 2, 3e8, "one channel"}}},
      .families = {f},
      .left_out = {{"ch02.later", backend::cuda, {{"n", std::int64_t{8}}}, "the budget of 5 s was used up"}}};
}

}  // namespace ridge::model::tests
