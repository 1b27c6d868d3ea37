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

std::string day_of(const model::run& run) { return run.started.substr(0, 10); }

// "Measured on MACHINE (...)"
std::string where(const model::run& run) {
  const auto& e = run.environment;
  return fmt::format("Measured on {} ({}, {}; {})", markdown_escaped(e.machine), markdown_escaped(e.cpu),
                     e.cores == 1 ? "1 core" : fmt::format("{} cores", e.cores),
                     markdown_escaped(e.compiler));
}

}  // namespace

std::string provenance(const model::run& run) {
  return fmt::format("{} on {} by `{}`.\n", where(run), day_of(run), command_of(run));
}

std::string provenance(std::span<const model::run> runs) {
  if (runs.size() == 1) return provenance(runs.front());
  const auto first = day_of(runs.back()), last = day_of(runs.front());
  return fmt::format("{} {} by {} runs of `ridge run`; the README of each experiment names its own.\n",
                     where(runs.front()),
                     first == last ? "on " + first : fmt::format("from {} to {}", first, last), runs.size());
}

}  // namespace ridge::report
