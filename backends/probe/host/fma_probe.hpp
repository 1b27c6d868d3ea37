// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>

#include "fma_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Multiply-adds in fp32, two FLOP each: a row per instruction set ("cpu.fma.fp32.avx2") and the best of them
// again as "cpu.fma.fp32".
[[nodiscard]] std::vector<model::ceiling> probe_fma(sampler& on);

// A kernel on every thread of a sampler, some 0.4 ms at a time: shorter than a time slice, so that a busy
// machine leaves some samples whole.
class fma_loop final {
 public:
  fma_loop(sampler& on, const fma_kernel& kernel);
  timing step(sampler& on);
  [[nodiscard]] double flop() const;  // of one step, all threads
  // Throws failure when an accumulator does not hold the recurrence's value: work was left out.
  void check() const;

 private:
  timing turn(sampler& on, std::int64_t rounds);
  const fma_kernel* kernel_;
  std::vector<fma_state> states_;
  std::int64_t rounds_ = 4096, done_ = 0;
};

// The kernels this CPU runs, narrowest first.
[[nodiscard]] std::vector<const fma_kernel*> runnable_fma_kernels();

// A state with unlike mantissas that converges slowly, and what any element must be after the kernel (within
// 1e-3).
[[nodiscard]] fma_state fresh_state();
inline constexpr float fma_factor = 1.0f - 0x1p-12f;
inline constexpr float fma_addend = 0x1p-11f;
[[nodiscard]] double expected_after(double start, std::int64_t rounds);

}  // namespace ridge::backends::probe_host
