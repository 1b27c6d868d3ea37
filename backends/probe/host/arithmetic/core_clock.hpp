// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Executes sixteen additions per round, each of which waits for the previous one: one cycle each on every
// x86-64 and AArch64 core. The summand is a register, because cores from Golden Cove on fold additions of
// constants when they rename registers. Returns the sum.
std::uint64_t dependent_adds(std::int64_t rounds);
inline constexpr int adds_per_round = 16;
// Does the same beside eight multiply-adds of 512 bits per round, which need at most half of the cycles. A
// CPU without avx512f must not run it.
void dependent_adds_beside_vectors(std::int64_t rounds);

// What the cores execute while the clock is read: some lower it for vectors of 512 bits, and raise it again,
// after a pause, within microseconds of their end.
enum class beside : std::uint8_t { nothing, wide_vectors };

// The clock of the cores, counted in dependent additions: it needs neither a counter nor a file, so it works
// in any virtual machine.
class core_clock final {
 public:
  explicit core_clock(sampler& sampler, beside neighbour = beside::nothing)
      : beside_(neighbour), hz_(static_cast<std::size_t>(sampler.threads())) {}
  // Runs for about twenty microseconds on every thread at once; keeps the mean over the threads where nothing
  // interrupted.
  timing step(sampler& sampler);
  [[nodiscard]] double last_hz() const { return last_; }  // clock of the last step, even of a disturbed one
  // Returns the upper quartile of the undisturbed readings so far, because pauses only make a clock look
  // slower; where there is none, the highest of the others; 0 before the first step.
  [[nodiscard]] double hz() const;

 private:
  beside beside_;
  std::vector<double> hz_, readings_{};
  double last_ = 0, highest_ = 0;
};

}  // namespace ridge::backends::probe_host
