// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Sixteen additions a round, each waiting for the one before: one cycle each on every x86-64 and AArch64
// core. The summand is a register, because cores from Golden Cove on fold additions of constants when they
// rename. Returns the sum.
std::uint64_t dependent_adds(std::int64_t rounds);
inline constexpr int adds_per_round = 16;
// The same with eight multiply-adds of 512 bits a round, which need half of the cycles at most. A CPU without
// avx512f must not run it.
void dependent_adds_beside_vectors(std::int64_t rounds);

// What the cores do while the clock is read: some lower it for vectors of 512 bits, and raise it again, with
// a pause, within microseconds of their end.
enum class beside : std::uint8_t { nothing, wide_vectors };

// The clock of the cores, counted in dependent additions: neither a counter nor a file is asked, so that it
// works in any virtual machine.
class core_clock final {
 public:
  explicit core_clock(sampler& sampler, beside neighbour = beside::nothing)
      : beside_(neighbour), hz_(static_cast<std::size_t>(sampler.threads())) {}
  // Some twenty microseconds on every thread at once; keeps the mean over the threads where nobody came in
  // between.
  timing step(sampler& sampler);
  [[nodiscard]] double last_hz() const { return last_; }  // of the last step, also a disturbed one
  // The upper quartile of the undisturbed readings so far, because pauses only make a clock look slower;
  // where there is none, the highest of the others; 0 before the first step.
  [[nodiscard]] double hz() const;

 private:
  beside beside_;
  std::vector<double> hz_, readings_{};
  double last_ = 0, highest_ = 0;
};

}  // namespace ridge::backends::probe_host
