// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/measure/clock.hpp>
#include <ridge/model/roofline.hpp>

// Kernels of exactly known intensity, which prove a roofline chart: each reads a stream and does exactly k
// multiply-adds on every element, so that its place is known before it is measured.
namespace ridge::probe {

struct sweep_options {
  std::vector<int> threads{};  // numbers of threads; empty: one, and all physical cores
  double time_s = 0.5;         // time of one sweep: one working set at one number of threads
};

// What one round measured of one kernel, together with both limits at the same moment; rates are in B/s and
// FLOP/s.
struct sweep_sample {
  double rate = 0;       // FLOP/s; B/s when the kernel does no multiply-add
  double bandwidth = 0;  // of the read-only kernel in the same round
  double peak = 0;       // of multiply-adds on registers in the same round
};

// Returns the place of a kernel from its rounds (at least one): the median share of min(peak, bandwidth ×
// intensity), each round by its own limits, with its 95 % interval where there are at least six rounds. The
// kernel reads `element_bytes` for each element.
[[nodiscard]] model::sweep_step step_of(int fma_per_element, double element_bytes,
                                        std::span<const sweep_sample> rounds);

// Fills in what follows from the steps: ridge, knee marks, the worst step away from the knee and the rounding
// at it. `bandwidth` and `peak` must be set.
void finish(model::intensity_sweep& sweep);

// Sweeps on one device.
class intensity_sweeper {
 public:
  virtual ~intensity_sweeper() = default;
  // Returns one sweep for each working set (that of each cache and of memory) and number of threads. Throws
  // unavailable where there is no such device and failure where a kernel computed a wrong value.
  [[nodiscard]] virtual std::vector<model::intensity_sweep> sweep(const measure::clock& clock,
                                                                  const sweep_options& options) = 0;
};

// How far the share of a step may differ from 1 away from the knee.
inline constexpr double sweep_tolerance = 0.05;

}  // namespace ridge::probe
