// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/probe/system_view.hpp>

namespace ridge::probe {

using cpus_by_value = std::map<std::string, std::vector<int>>;

// Returns what sys/devices/system/cpu/cpuN/`file` holds for the CPUs of the process; CPUs without it are left
// out.
[[nodiscard]] cpus_by_value read_per_cpu(const system_view& system, std::string_view file);

// Returns "powersave", or "performance (CPUs 0-3), powersave (CPUs 4-7)".
[[nodiscard]] std::string spelled(const cpus_by_value& values);

}  // namespace ridge::probe
