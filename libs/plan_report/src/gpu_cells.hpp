// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/plan_report/gpus_page.hpp>

namespace ridge::plan_report {

// The figure's value in a table, whole numbers as such; empty where the catalogue has none.
[[nodiscard]] report::value plain_or_empty(const std::optional<hardware::figure>& f);

// Peaks of matrix units; empty where the catalogue has none.
[[nodiscard]] std::optional<double> dense_peak(const hardware::gpu& g, std::string_view dtype);
[[nodiscard]] std::optional<double> sparse_peak(const hardware::gpu& g, std::string_view dtype);
[[nodiscard]] std::optional<double> scale_up_rate(const hardware::gpu& g);
[[nodiscard]] std::optional<double> host_rate(const hardware::gpu& g);

// "power", "matrix peaks": vital figures that no source in reach gives.
[[nodiscard]] std::vector<std::string> unknowns_of(const hardware::gpu& g);

// What an hour's price buys: dollars an hour for each dense bf16 TFLOP/s (fp16 where there is no bf16), each
// TB/s, each GB.
struct price_ratios {
  std::optional<double> usd_per_tflops{}, usd_per_tb_per_s{}, usd_per_gb{};
};
[[nodiscard]] price_ratios ratios_of(const hardware::gpu& g, const plan::gpu_price* price);

// Notes on prices older than plan::fresh_days, and of prices without a date.
void add_price_notes(report::document& to, const gpu_offer_view& v);

}  // namespace ridge::plan_report
