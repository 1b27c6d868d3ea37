// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/host/mounts.hpp>
#include <ridge/host/pci.hpp>
#include <ridge/host/process_limits.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/activity.hpp>
#include <ridge/probe/gpu_condition.hpp>

namespace ridge::probe {

// How this program was built.
struct build_facts {
  bool optimized = true;       // fully: with -O2 or more
  std::string optimization{};  // the flag that holds, "-O1"; empty: not known
  std::string sanitizer{};     // empty: none
  // Objects of loaded experiments that were compiled without optimization or with a sanitizer, and how:
  // "ch01.scale without optimization (ch01_mine/scale/cpu.cpp)".
  std::vector<std::string> slow_objects{};
  std::size_t experiments = 0;  // number of loaded experiments; 0: none was looked at
  std::vector<int> gpu_code{};  // compute capabilities it has machine code for: 90
};

// Everything that an audit looks at, so that a folder of made-up files and some values can stand for a
// machine. Where a member is absent, what needs it is not checked or is reported as unknown.
struct system_view {
  std::filesystem::path root = "/";
  std::map<std::string, std::string, std::less<>> variables{};
  std::filesystem::path working_folder{};
  host::topology machine{};
  host::process_limits limits{};
  std::vector<host::mount> mounts{};
  std::vector<host::pci_device> devices{};
  std::string container{};  // kind; empty: none
  build_facts build{};
  std::optional<activity> recent{};
  std::optional<gpu_conditions> gpus{};

  // Return the trimmed text or the number in a file below the root: "sys/devices/system/cpu/smt/active". They
  // return nothing where it cannot be read.
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
  [[nodiscard]] std::optional<long long> number(std::string_view path) const;
  // Returns the names in a folder below the root, sorted; empty where there is no such folder.
  [[nodiscard]] std::vector<std::string> names_in(std::string_view folder) const;
  // Returns the value of an environment variable; nothing when it is empty or not set.
  [[nodiscard]] std::optional<std::string> variable(std::string_view name) const;
};

// Reads what can be read below `root` in some milliseconds; the other members keep their defaults.
[[nodiscard]] system_view view_of(const std::filesystem::path& root);
// Does the same for a machine that has already been read.
[[nodiscard]] system_view view_of(const std::filesystem::path& root, host::topology machine);

// Returns the environment variables of this process.
[[nodiscard]] std::map<std::string, std::string, std::less<>> process_variables();

}  // namespace ridge::probe
