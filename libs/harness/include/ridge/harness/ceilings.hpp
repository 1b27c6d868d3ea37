// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/interval.hpp>
#include <ridge/harness/arithmetic.hpp>
#include <ridge/model/ceiling.hpp>
#include <ridge/model/measurement.hpp>
#include <ridge/model/names.hpp>

namespace ridge::harness {

// A ceiling as it stood: a measured value, how well it is known, and whether it can be trusted.
struct ceiling_reading {
  double rate = 0;          // FLOP/s or B/s; 0: not known
  interval ci{};            // of the rate, 95 %
  std::string disturbed{};  // what disturbed it while it was read, in words; empty: nothing
};

// The ceiling as it is stored for this machine.
[[nodiscard]] ceiling_reading stored_reading(const model::ceiling& row);

// What limits one call, and by how much.
struct ceiling_limit {
  const model::ceiling* by = nullptr;  // null: no ceiling applies
  double amount = 0;                   // FLOP or bytes of one call, in the ceiling's unit
  model::bound bound{model::bound::unknown};

  // Share of the ceiling that a call of so many seconds reaches, where the ceiling stands at `rate`.
  [[nodiscard]] double share(double seconds, double rate) const;
  // "cpu.triad, 2 threads", "cuda.copy"; empty where none applies.
  [[nodiscard]] std::string label() const;
};

// The limiting ceiling is the one whose least time for the work is longest: bytes over the bandwidth
// (cpu.triad, cuda.copy) where the call's arrays exceed the caches it was measured beyond, operations over
// the peak of the type they are done in: of multiply-adds ("cpu.fma.fp32", "cuda.fma.fp32"), on a GPU of its
// matrix units for all types but fp32 and fp64 ("cuda.mma.tf32"); none where that type has not been measured.
[[nodiscard]] ceiling_limit limit_of(const model::peak& peak, model::backend backend, double flop,
                                     double bytes, int threads, double array_bytes, arithmetic type);
// The same for what was measured, or is going to be: its backend, threads and work of a call.
[[nodiscard]] ceiling_limit limit_of(const model::peak& peak, const model::measurement& m, double array_bytes,
                                     arithmetic type);

// A call that reaches less than 2 % of its ceiling is bound by latency instead.
inline constexpr double latency_below = 0.02;

}  // namespace ridge::harness
