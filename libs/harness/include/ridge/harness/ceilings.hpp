// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/interval.hpp>
#include <ridge/harness/arithmetic.hpp>
#include <ridge/model/ceiling.hpp>
#include <ridge/model/measurement.hpp>
#include <ridge/model/names.hpp>

namespace ridge::harness {

// A reading of a ceiling: the measured value, its interval, and what disturbed it.
struct ceiling_reading {
  double rate = 0;          // FLOP/s or B/s; 0: not known
  interval ci{};            // 95 % interval of the rate
  std::string disturbed{};  // what disturbed the reading; empty: nothing
};

// The reading that `row` holds, as it is stored for this machine.
[[nodiscard]] ceiling_reading stored_reading(const model::ceiling& row);

// What limits one call, and by how much.
struct ceiling_limit {
  const model::ceiling* ceiling = nullptr;  // null: no ceiling applies
  double amount = 0;                        // FLOP or bytes per call, in the ceiling's unit
  model::bound bound{model::bound::unknown};

  // Share of the ceiling that a call of so many seconds reaches, where the ceiling stands at `rate`.
  [[nodiscard]] double share(double seconds, double rate) const;
  // "cpu.triad, 2 threads", "cuda.copy"; empty where none applies.
  [[nodiscard]] std::string label() const;
};

// The limiting ceiling is the one whose least time for the work is longest: bytes over the bandwidth
// (cpu.triad, cuda.copy) where the call's arrays exceed the caches it was measured beyond, operations over
// the peak of what is multiplied for them. That is the peak of multiply-adds ("cpu.fma.fp32",
// "cuda.fma.fp32"), and on a GPU that of its matrix units for all types but fp32 and fp64 ("cuda.mma.tf32");
// there is none where that type has not been measured.
[[nodiscard]] ceiling_limit limit_of(const model::peak& peak, model::backend backend, double flop,
                                     double bytes, int threads, double array_bytes, emulation multiplied);
// The same for a measurement, finished or not: it holds the backend, the threads and the work of a call.
[[nodiscard]] ceiling_limit limit_of(const model::peak& peak, const model::measurement& m, double array_bytes,
                                     emulation multiplied);

// A call that reaches less than 2 % of its ceiling is bound by latency instead.
inline constexpr double latency_below = 0.02;

}  // namespace ridge::harness
