// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// What the pages of GPUs show. `today` ("2026-11-22") decides which prices are stale.
struct gpu_offer_view {
  const hardware::catalogue* of = nullptr;
  const plan::price_list* prices = nullptr;
  std::string_view today{};
};

// GPUs with a price, dearest first, with what an hour buys.
[[nodiscard]] report::document priced_gpus_page(const gpu_offer_view& v);
// All of the catalogue: dense and sparse peaks apart, links, power, what a dollar an hour buys.
[[nodiscard]] report::document all_gpus_page(const gpu_offer_view& v);
// Every figure of one, with source and date.
[[nodiscard]] report::document gpu_page(const gpu_offer_view& v, const hardware::gpu& g);

}  // namespace ridge::plan_report
