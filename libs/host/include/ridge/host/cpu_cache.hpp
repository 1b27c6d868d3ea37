// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace ridge::host {

enum class cache_kind { data, instruction, unified };

// One cache; two cores with an L2 each have two of them.
struct cpu_cache {
  int level = 0;
  cache_kind kind = cache_kind::unified;
  std::size_t bytes = 0;  // as reported; a hypervisor may show the last level of the whole host
  std::size_t line_bytes = 0;
  int ways = 0;  // 0: not told
  std::vector<int> cpus{};
};

// Returns the caches of these CPUs by sysfs below `root`, each once, ascending by level; empty when sysfs
// does not tell.
[[nodiscard]] std::vector<cpu_cache> read_caches(const std::filesystem::path& root,
                                                 std::span<const int> cpus);

// Returns the caches by sysconf, private per CPU except the last level, for systems whose sysfs does not
// tell.
[[nodiscard]] std::vector<cpu_cache> caches_by_sysconf(std::span<const int> cpus);

}  // namespace ridge::host
