// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/plan_report/gpus_page.hpp>

namespace ridge::plan_report {

// The value of a figure as a table cell, whole numbers as integers; empty when the catalogue has none.
[[nodiscard]] report::value plain_or_empty(const std::optional<hardware::figure>& f);

// Peaks of matrix units in FLOP/s and rates of links in B/s; empty when the catalogue has none.
[[nodiscard]] std::optional<double> dense_peak(const hardware::gpu& g, std::string_view dtype);
[[nodiscard]] std::optional<double> sparse_peak(const hardware::gpu& g, std::string_view dtype);
[[nodiscard]] std::optional<double> scale_up_rate(const hardware::gpu& g);
[[nodiscard]] std::optional<double> host_rate(const hardware::gpu& g);

// Names of important figures that the catalogue lacks: "power", "matrix peaks".
[[nodiscard]] std::vector<std::string> unknowns_of(const hardware::gpu& g);

// Dollars per hour for each dense bf16 TFLOP/s (fp16 without bf16), each TB/s, and each GB.
struct price_ratios {
  std::optional<double> usd_per_tflops{}, usd_per_tb_per_s{}, usd_per_gb{};
};
[[nodiscard]] price_ratios ratios_of(const hardware::gpu& g, const plan::gpu_price* price);

// Adds notes about prices that are older than plan::fresh_days or have no date.
void add_price_notes(report::document& page, const gpu_offer_view& v);

}  // namespace ridge::plan_report
