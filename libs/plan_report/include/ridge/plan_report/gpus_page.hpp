// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// The data of the pages about GPUs. `today` ("2026-11-22") decides which prices are stale. No pointer is
// null.
struct gpu_offer_view {
  const hardware::catalogue* catalogue = nullptr;
  const plan::price_list* prices = nullptr;
  std::string_view today{};
};

// GPUs with a price, most expensive first, with performance per dollar.
[[nodiscard]] report::document priced_gpus_page(const gpu_offer_view& v);
// All GPUs of the catalogue: dense and sparse peaks, links, power, and performance per dollar.
[[nodiscard]] report::document all_gpus_page(const gpu_offer_view& v);
// Every figure of one GPU, with source and date.
[[nodiscard]] report::document gpu_page(const gpu_offer_view& v, const hardware::gpu& g);

}  // namespace ridge::plan_report
