// SPDX-License-Identifier: Apache-2.0
#include "provenance.hpp"

#include <vector>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>

#include "markdown_text.hpp"

namespace ridge::report {
namespace {

// Returns the command without the folder of the program and without the file it wrote: "`ridge run ch01`".
std::string command_of(const model::run& run) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < run.command.size(); ++i) {
    if (run.command[i] == "--save") {
      ++i;
    } else if (run.command[i] != "--no-store" && !run.command[i].starts_with("--save=")) {
      words.push_back(i == 0 ? "ridge" : run.command[i]);
    }
  }
  return join(words, " ");
}

}  // namespace

std::string provenance(const model::run& run) {
  const auto& e = run.environment;
  return fmt::format("Measured on {} ({}, {}; {}) on {} by `{}`.\n", markdown_escaped(e.machine),
                     markdown_escaped(e.cpu), e.cores == 1 ? "1 core" : fmt::format("{} cores", e.cores),
                     markdown_escaped(e.compiler), run.started.substr(0, 10), command_of(run));
}

}  // namespace ridge::report
