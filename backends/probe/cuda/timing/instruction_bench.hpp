// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu_bench.hpp"
#include "timing/burst_rate.hpp"
#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {

// What the probes of one subject share: the GPU's bench and the spans that kernels write.
struct instruction_bench {
  gpu_bench& on;
  span_log log{};

  explicit instruction_bench(gpu_bench& bench) : on(bench) {}
  [[nodiscard]] kernel_call call(int rounds, bool zeros = false) {
    return {
        .to = on.to(), .spans = log.spans(), .processors = on.processors(), .rounds = rounds, .zeros = zeros};
  }
  // By the spans.
  [[nodiscard]] burst_plan timed(burst_plan plan = {}) {
    plan.clock = &log;
    return plan;
  }
};
using shared_bench = std::shared_ptr<instruction_bench>;

}  // namespace ridge::backends::probe_cuda
