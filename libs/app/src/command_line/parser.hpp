// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/base/error.hpp>

namespace ridge::app {

enum class line_kind : std::uint8_t { action, help, version, wrong };

// What a command line asks for: the innermost command that it names, and how that command is called ("ridge
// plan gpus").
struct parsed_line {
  line_kind kind = line_kind::action;
  const command* named = nullptr;
  std::string path{};
  std::optional<error> wrong{};  // why the line cannot be understood
};

// Parses the words after the name of the program and writes the values of the options that are given. Only
// this file knows the parser library (CLI11).
[[nodiscard]] parsed_line parse(const command& root, const std::vector<std::string>& words);

}  // namespace ridge::app
