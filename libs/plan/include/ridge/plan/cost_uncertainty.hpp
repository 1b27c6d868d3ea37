// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// Change of the total when one input moves across its band and all others stay.
struct sensitivity_row {
  std::string input{};  // "tokens_per_s", "utilization", "usd_per_kwh", ...
  std::string label{}, unit{};
  double value = 0, low = 0, high = 0;                 // value and band of the input
  double low_usd_per_mtok = 0, high_usd_per_mtok = 0;  // total at either end of the band
  [[nodiscard]] double swing_usd_per_mtok() const;     // difference of the two totals, never negative
};

// One row for every input that matters to this question, widest swing first. cost_per_token() must accept
// `q`.
[[nodiscard]] std::vector<sensitivity_row> sensitivity(const cost_question& q);

// Names of the inputs that cost_question::bands may list.
[[nodiscard]] std::vector<std::string> names_of_cost_inputs();

// Quantiles of the total over random inputs.
struct cost_bands {
  std::int64_t draws = 0;
  double p5_usd_per_mtok = 0, p50_usd_per_mtok = 0, p95_usd_per_mtok = 0;
};

// Draws every input from a triangular distribution over its band with its value as the mode. A draw depends
// only on the seed and its index, so any number of threads gives the same bits. `draws` is at least 1.
[[nodiscard]] cost_bands draw_cost_bands(const cost_question& q, std::int64_t draws, std::uint64_t seed,
                                         int threads = 1);

}  // namespace ridge::plan
