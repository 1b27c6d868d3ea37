// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

inline constexpr double seconds_an_hour = 3600;
inline constexpr double joules_a_kwh = 3.6e6;
inline constexpr double mtok = 1e6;

[[nodiscard]] bool is_rented(tenure t);
// Whether electricity is paid separately.
[[nodiscard]] bool pays_power(const cost_question& q);

// GPU seconds of one request when the GPUs do nothing else; speculation shortens decoding.
struct request_seconds {
  double input = 0, cached = 0, output = 0;
  [[nodiscard]] double all() const { return input + cached + output; }
};
[[nodiscard]] request_seconds seconds_of(const cost_question& q);  // needs rates and lengths

// Output tokens per second under full load. A throughput given beside rates already includes speculation.
[[nodiscard]] double full_rate(const cost_question& q);
// Output tokens within the objectives per second of paid time.
[[nodiscard]] double good_rate(const cost_question& q);

// US dollars per paid hour, on average.
[[nodiscard]] double rent_per_hour(const cost_question& q);
[[nodiscard]] double capital_per_hour(const cost_question& q);
[[nodiscard]] double colocation_per_hour(const cost_question& q);
[[nodiscard]] double staff_per_hour(const cost_question& q);
[[nodiscard]] double electricity_per_hour(const cost_question& q);
[[nodiscard]] double all_per_hour(const cost_question& q);  // sum of the parts that are added

[[nodiscard]] double mean_meter_w(const cost_question& q);  // average over the paid time

// Converts dollars per hour into dollars per million output tokens within the objectives.
[[nodiscard]] double per_mtok(double usd_per_hour, double good_rate);

}  // namespace ridge::plan
