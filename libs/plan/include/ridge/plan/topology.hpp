// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/interconnect.hpp>

namespace ridge::plan {

// Reads the links of a cluster from JSON:
//   {"tiers": [{"name": "NVLink", "size": 8, "gigabytes_per_s": 450, "latency_us": 2.6, "efficiency": 0.83},
//              {"name": "rails", "size": 2048, "gigabits_per_s": 400, "latency_us": 5},
//              {"name": "spine", "gigabits_per_s": 400, "latency_us": 9, "oversubscription": 3}]}
// A tier gives either decimal gigabytes or gigabits per second, for one GPU and direction. Sizes increase,
// each a multiple of the one before; the last tier may leave it out and then holds all GPUs. The error names
// the field by its JSON pointer, its value and the values allowed.
[[nodiscard]] result<interconnect> parse_topology(std::string_view text, std::string_view name);
// Reads such a file of at most 1 MiB; the same errors.
[[nodiscard]] result<interconnect> read_topology(const std::filesystem::path& file);

// A well-known cluster: its name and a description.
struct topology_preset {
  std::string_view name{};
  std::string_view description{};
};
// All clusters that topology_named() knows.
[[nodiscard]] std::span<const topology_preset> topology_presets();

// Links of a well-known cluster of this GPU: "dgx", "nvl72", "fat-tree" (or "fat-tree:4", oversubscribed four
// times), "three-tier". The scale-up links are those of the GPU. The error lists the names.
[[nodiscard]] result<interconnect> topology_named(std::string_view name, const accelerator& gpu);

// Bytes per second of a port of so many gigabits per second: 400 gives 50e9.
[[nodiscard]] double bytes_per_s_of_gigabits(double gigabits_per_s);

}  // namespace ridge::plan
