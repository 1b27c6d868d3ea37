// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ridge::host {

// What the firmware and the distribution call this machine; empty where they do not tell (most virtual
// machines).
struct machine_identity {
  std::string product{};           // "Supermicro SYS-821GE-TNHR"; no serial number
  std::string operating_system{};  // "Debian GNU/Linux 12 (bookworm)"; of the container, in one
};

// Returns what tells this machine from others, read from files below `root`.
[[nodiscard]] machine_identity read_machine_identity(const std::filesystem::path& root = "/");

}  // namespace ridge::host
