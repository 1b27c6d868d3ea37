// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

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
  error
};

// One number out of one call; the first of an experiment's metrics decides its verdicts.
struct metric {
  model::metric what{};
  ridge::reading reading{ridge::reading::time};
  std::size_t id = 0;  // of the phase or of the observed values
  double q = 0;        // of a quantile
};

[[nodiscard]] metric time_per_call();
[[nodiscard]] metric cycles_per_call();  // of a GPU's multiprocessors, at the clock seen beside the sample
[[nodiscard]] metric throughput(std::string unit = "items/s");  // work.items over the call's time
[[nodiscard]] metric goodput(std::size_t phase);  // share of the call's time marked as this phase
[[nodiscard]] metric quantile(std::string name, std::size_t observed,
                              double q);  // of the values observed in a call
[[nodiscard]] metric peak_memory();       // of one call in a forked child
[[nodiscard]] metric relative_error();    // largest, against the oracle

[[nodiscard]] model::goal goal_of(const metric& first);

}  // namespace ridge
