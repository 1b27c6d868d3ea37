// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <ridge/harness/phase.hpp>
#include <ridge/model/measurement.hpp>
#include <ridge/model/names.hpp>

namespace ridge {

// How a metric is read out of one call.
enum class reading : unsigned char {
  time,
  cycles,
  items_per_second,
  flop_per_second,
  bytes_per_second,
  phase_share,
  quantile,
  peak_bytes,
  error,
  rms_error
};

// One number out of one call; the first of an experiment's metrics decides its verdicts.
struct metric {
  model::metric definition{};
  ridge::reading reading{ridge::reading::time};
  std::string handle{};  // name of the phase or observable that it is read from; empty for the others
  std::size_t id = 0;    // its place among those the experiment lists; found when the experiment is made
  double q = 0;          // which quantile, between 0 and 1
};

// Seconds of one call; every experiment records it.
[[nodiscard]] metric time_per_call();
// Cycles of a GPU's multiprocessors, at the clock seen beside the sample.
[[nodiscard]] metric cycles_per_call();
// Items of the work (work::items) per second of the call.
[[nodiscard]] metric throughput(std::string unit = "items/s");
// Share of the call's time that is marked as this phase.
[[nodiscard]] metric goodput(phase useful);
// Quantile q, between 0 and 1, of the values observed in a call; named as the observable where `name` is
// empty.
[[nodiscard]] metric quantile(observable value, double q, std::string name = {});
// Peak memory of one call in bytes, measured in a forked child.
[[nodiscard]] metric peak_memory();
// The largest relative error against the oracle, from verification.
[[nodiscard]] metric relative_error();
// The root mean square of the error against the oracle over that of the oracle's answers, from verification.
[[nodiscard]] metric relative_rms_error();

// The goal of an experiment whose first metric this is.
[[nodiscard]] model::goal goal_of(const metric& first);

}  // namespace ridge
