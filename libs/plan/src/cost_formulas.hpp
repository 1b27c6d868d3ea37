// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

inline constexpr double seconds_an_hour = 3600;
inline constexpr double joules_a_kwh = 3.6e6;
inline constexpr double mtok = 1e6;

[[nodiscard]] bool is_rented(tenure t);
// Whether electricity is a cost of its own.
[[nodiscard]] bool pays_power(const cost_question& q);

// What a request takes of the GPUs' time when they do nothing else; speculation shortens decoding.
struct request_seconds {
  double input = 0, cached = 0, output = 0;
  [[nodiscard]] double all() const { return input + cached + output; }
};
[[nodiscard]] request_seconds seconds_of(const cost_question& q);  // rates and lengths are given

// Output tokens a second under full load. A throughput given beside rates is one with speculation.
[[nodiscard]] double full_rate(const cost_question& q);
// Good output tokens in an average paid second.
[[nodiscard]] double good_rate(const cost_question& q);

// US dollars in an average paid hour.
[[nodiscard]] double rent_per_hour(const cost_question& q);
[[nodiscard]] double capital_per_hour(const cost_question& q);
[[nodiscard]] double colocation_per_hour(const cost_question& q);
[[nodiscard]] double staff_per_hour(const cost_question& q);
[[nodiscard]] double electricity_per_hour(const cost_question& q);
[[nodiscard]] double all_per_hour(const cost_question& q);  // what is paid for

[[nodiscard]] double mean_meter_w(const cost_question& q);  // in an average paid hour

// Of an hour's dollars, per million good output tokens.
[[nodiscard]] double per_mtok(double usd_per_hour, double good_rate);

}  // namespace ridge::plan
