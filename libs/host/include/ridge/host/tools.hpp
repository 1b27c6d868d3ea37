// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::host {

// A tool to look for.
struct tool_query {
  std::string name{};                   // as people call it: "clang"
  std::vector<std::string> programs{};  // in the order of preference: {"clang", "clang-16"}; empty: the name
};

// A tool that was looked for.
struct tool {
  std::string name{};
  std::filesystem::path path{};  // empty: not found
  std::string version{};         // "12.2.0"; empty: it did not tell in time
};

// Returns the folders of $PATH that are absolute.
[[nodiscard]] std::vector<std::filesystem::path> program_folders();

// Looks up each tool in the folders and asks it for `--version`, all at once. A program that has not ended
// after `limit_s` seconds is killed with everything it started; this returns at most a tenth of a second
// later.
[[nodiscard]] std::vector<tool> find_tools(std::span<const tool_query> wanted,
                                           std::span<const std::filesystem::path> folders, double limit_s);

// Returns the most detailed version number in what a program prints about itself: "gcc (Debian 12.2.0-14)
// 12.2.0" gives "12.2.0"; empty when there is none.
[[nodiscard]] std::string version_in(std::string_view text);

}  // namespace ridge::host
