// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

namespace ridge::host {

inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// A limit of one resource.
struct process_limit {
  std::uint64_t soft = no_limit;  // in force
  std::uint64_t hard = no_limit;  // the value to which the process may raise it
  bool operator==(const process_limit&) const = default;
};

// The limits of this process that getrlimit(2) tells; a limit is absent where it cannot be read.
struct process_limits {
  std::optional<process_limit> locked_bytes{};         // memlock: pinned and registered memory
  std::optional<process_limit> open_files{};           // nofile
  std::optional<process_limit> processes{};            // nproc: of the user
  std::optional<process_limit> stack_bytes{};          // stack
  std::optional<process_limit> address_space_bytes{};  // as
  std::optional<process_limit> realtime_priority{};    // rtprio
  std::optional<process_limit> core_bytes{};           // core: 0 writes no core file
};

// Reads the text of /proc/self/limits (proc_pid_limits(5)).
[[nodiscard]] process_limits parse_process_limits(std::string_view text);

// Returns the limits of this process, read from files below `root`.
[[nodiscard]] process_limits read_process_limits(const std::filesystem::path& root = "/");

}  // namespace ridge::host
