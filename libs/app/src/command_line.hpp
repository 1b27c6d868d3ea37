// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "context.hpp"

namespace ridge::app {

// The parser of all commands. The context must outlive it.
[[nodiscard]] std::unique_ptr<CLI::App> make_command_line(context& in);

// An option that takes one of a few words; another word is refused with the nearest one.
CLI::Option& add_choice(CLI::App& to, const std::string& name, std::string& value,
                        std::vector<std::string> words, const std::string& help);

// Parses and runs; returns the exit code.
[[nodiscard]] int parse_and_run(CLI::App& parser, context& in);

}  // namespace ridge::app
