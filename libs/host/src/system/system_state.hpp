// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include <ridge/host/topology.hpp>

namespace ridge::host {

// Reads the entry of the first processor in the text of /proc/cpuinfo.
[[nodiscard]] cpu_identity parse_cpuinfo(std::string_view text);

[[nodiscard]] system_state read_system_state(const std::filesystem::path& root);

}  // namespace ridge::host
