// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// The derivation of an answer about cost, figure by figure.
[[nodiscard]] derivation throughput_figures(const cost_question& q, double full_rate, double good_rate);
[[nodiscard]] figure line_figure(const cost_question& q, const cost_line& line, double good_rate);
[[nodiscard]] figure total_figure(const cost_answer& a);
[[nodiscard]] figure energy_figure(const cost_question& q, const cost_answer& a);
[[nodiscard]] figure carbon_figure(const cost_question& q, const cost_answer& a);
[[nodiscard]] derivation split_figures(const cost_question& q, const cost_answer& a);
[[nodiscard]] figure batch_figure(const cost_question& q, const cost_answer& a);
[[nodiscard]] figure break_even_figure(double api_usd_per_mtok, double utilization);
[[nodiscard]] figure own_or_rent_figure(const cost_question& q, double month);

}  // namespace ridge::plan
