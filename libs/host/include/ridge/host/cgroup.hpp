// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace ridge::host {

// The tightest limits from this process's control group up to the root of what it can see.
struct cgroup_limits {
  int version = 0;                     // 0: no control groups
  std::filesystem::path cpu_folder{};  // where cpu.stat lies; empty: none
  std::optional<double> cpus{};        // quota ÷ period; none: unlimited
  std::optional<std::size_t> memory_bytes{};
};

// Reads the limits of control groups of version 1, version 2 and mixed trees, found by /proc/self/cgroup
// below `root`.
[[nodiscard]] cgroup_limits read_cgroup(const std::filesystem::path& root = "/");

// Returns how many processes of this process's control group the kernel has killed because memory had run
// out, that of the group or of the machine; those of the whole machine where the group tells no number (the
// root group does not, nor do systems without groups); nothing where neither is told.
[[nodiscard]] std::optional<std::uint64_t> out_of_memory_kills(const std::filesystem::path& root = "/");

}  // namespace ridge::host
