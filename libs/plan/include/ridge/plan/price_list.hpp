// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan {

// One offer: the price of one GPU for an hour, in US dollars.
struct gpu_price {
  std::string gpu{};  // its name in the catalogue
  double usd_per_hour = 0;
  bool spot = false;
  std::string terms{};     // "on demand, default of the table"
  std::string use{};       // "Production inference"
  std::string instance{};  // "p5.48xlarge"
  std::string region{};
  std::string source{};
  std::string date{};  // "2026-11-21"
};

struct price_list {
  std::vector<gpu_price> prices{};
  std::vector<std::string> unknown{};  // accelerators that the catalogue lacks, each listed once
  std::size_t without_price = 0;       // rows of known GPUs without a price

  // The lowest price of a GPU, on demand or spot; null when there is none. Points into the list.
  [[nodiscard]] const gpu_price* lowest(std::string_view gpu, bool spot = false) const;
  // Number of prices of a GPU.
  [[nodiscard]] std::size_t count_of(std::string_view gpu) const;
};

// The prices of the hardware catalogue that are in US dollars.
[[nodiscard]] price_list prices_in(const hardware::catalogue& catalogue);

// Reads prices from CSV text with a header line: AcceleratorName and Price, optionally AcceleratorCount,
// InstanceType, SpotPrice, Region, AvailabilityZone, GpuInfo, Date (SkyPilot's vms.csv, schema v5). Prices
// are of the whole instance. "A100" means the one with 40 GB unless GpuInfo tells another size. `date`
// applies to rows without one. The error names the column, or the line, that cannot be read.
[[nodiscard]] result<price_list> parse_prices(std::string_view csv, std::string_view name,
                                              const hardware::catalogue& catalogue, std::string_view date);
[[nodiscard]] result<price_list> read_prices(const std::filesystem::path& file,
                                             const hardware::catalogue& catalogue, std::string_view date);

inline constexpr int fresh_days = 90;  // prices older than this many days are reported as doubtful

// Days from one date to another, both written as "2026-11-21"; empty when either is not a date.
[[nodiscard]] std::optional<int> days_between(std::string_view first, std::string_view last);

}  // namespace ridge::plan
