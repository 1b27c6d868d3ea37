// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu_bench.hpp"
#include "timing/burst_rate.hpp"
#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {

// The device and the spans that kernels write, which the probes of one subject share.
struct instruction_bench {
  gpu_bench& gpu;
  span_log log{};

  explicit instruction_bench(gpu_bench& bench) : gpu(bench) {}
  // A call that fills the GPU, writes its results to the shared array and records its spans.
  [[nodiscard]] kernel_call call(int rounds, bool zeros = false) {
    return {.results = gpu.target(),
            .spans = log.spans(),
            .processors = gpu.processors(),
            .rounds = rounds,
            .zeros = zeros};
  }
  // The plan with the clock taken from the spans.
  [[nodiscard]] burst_plan timed(burst_plan plan = {}) {
    plan.clock = &log;
    return plan;
  }
};
using shared_bench = std::shared_ptr<instruction_bench>;

}  // namespace ridge::backends::probe_cuda
