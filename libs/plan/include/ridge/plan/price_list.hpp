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

// What an hour of one GPU costs somewhere, in US dollars.
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
  std::vector<std::string> unknown{};  // accelerators that the catalogue does not have, once each
  std::size_t without_price = 0;       // rows of known GPUs that name none

  // The lowest of a GPU, on demand or spot; or null.
  [[nodiscard]] const gpu_price* lowest(std::string_view gpu, bool spot = false) const;
  [[nodiscard]] std::size_t count_of(std::string_view gpu) const;
};

// Those in the catalogue that are in US dollars.
[[nodiscard]] price_list prices_in(const hardware::catalogue& of);

// A table with a header line: AcceleratorName and Price, optionally AcceleratorCount, InstanceType,
// SpotPrice, Region, AvailabilityZone, GpuInfo, Date (SkyPilot's vms.csv, schema v5). Prices are of the whole
// instance. There "A100" is the one of 40 GB, unless GpuInfo tells another size. `date` is of rows without
// one.
[[nodiscard]] result<price_list> parse_prices(std::string_view csv, std::string_view name,
                                              const hardware::catalogue& of, std::string_view date);
[[nodiscard]] result<price_list> read_prices(const std::filesystem::path& file, const hardware::catalogue& of,
                                             std::string_view date);

inline constexpr int fresh_days = 90;  // older prices are doubtful

// Days from a date to another, both "2026-11-21"; empty where one is no date.
[[nodiscard]] std::optional<int> days_between(std::string_view from, std::string_view to);

}  // namespace ridge::plan
