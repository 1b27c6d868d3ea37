// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// What the total does when one input moves across its band and all others stay.
struct sensitivity_row {
  std::string input{};  // "tokens_per_s", "utilization", "usd_per_kwh", ...
  std::string label{}, unit{};
  double value = 0, low = 0, high = 0;                 // of the input
  double low_usd_per_mtok = 0, high_usd_per_mtok = 0;  // totals at its ends
  [[nodiscard]] double swing_usd_per_mtok() const;     // always positive
};

// Every input that matters to this question, widest swing first. q: one that cost_per_token() answers.
[[nodiscard]] std::vector<sensitivity_row> sensitivity(const cost_question& q);

// The names of inputs that bands may be given for.
[[nodiscard]] std::vector<std::string> names_of_cost_inputs();

struct cost_bands {
  std::int64_t draws = 0;
  double p5_usd_per_mtok = 0, p50_usd_per_mtok = 0, p95_usd_per_mtok = 0;
};

// Every input drawn from a triangle over its band, its value the mode. Draws depend on the seed and their
// number alone: any count of threads gives the same bits. draws: at least 1.
[[nodiscard]] cost_bands draw_cost_bands(const cost_question& q, std::int64_t draws, std::uint64_t seed,
                                         int threads = 1);

}  // namespace ridge::plan
