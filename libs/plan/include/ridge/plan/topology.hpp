// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/interconnect.hpp>

namespace ridge::plan {

// The links of a cluster as a user states them, as JSON:
//   {"tiers": [{"name": "NVLink", "size": 8, "gigabytes_per_s": 450, "latency_us": 2.6, "efficiency": 0.83},
//              {"name": "rails", "size": 2048, "gigabits_per_s": 400, "latency_us": 5},
//              {"name": "spine", "gigabits_per_s": 400, "latency_us": 9, "oversubscription": 3}]}
// A tier gives either gigabytes or gigabits a second, of one GPU and direction, decimal. Without a size the
// last tier holds everything. Sizes rise, each a multiple of the one before. The error names the field by its
// JSON pointer, its value and what it may be.
[[nodiscard]] result<interconnect> parse_topology(std::string_view text, std::string_view name);
// At most 1 MiB are read.
[[nodiscard]] result<interconnect> read_topology(const std::filesystem::path& file);

// A cluster everyone knows: its name and what stands behind it.
struct topology_preset {
  std::string_view name{};
  std::string_view what{};
};
[[nodiscard]] std::span<const topology_preset> topology_presets();

// "dgx", "nvl72", "fat-tree" (or "fat-tree:4", oversubscribed four times), "three-tier". Scale-up links are
// the GPU's own. The error lists the names.
[[nodiscard]] result<interconnect> topology_named(std::string_view name, const accelerator& gpu);

// Bytes a second of a port that is sold in gigabits a second: 400 -> 50e9.
[[nodiscard]] double bytes_per_s_of_gigabits(double gigabits_per_s);

}  // namespace ridge::plan
