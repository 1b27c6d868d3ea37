// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/tools.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/child_process.hpp>

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

fs::path find_program(const tool_query& wanted, std::span<const fs::path> folders) {
  const auto programs = wanted.programs.empty() ? std::vector{wanted.name} : wanted.programs;
  for (const auto& program : programs) {
    for (const auto& folder : folders) {
      auto path = folder / program;
      std::error_code absent;
      if (fs::is_regular_file(path, absent) && access(path.c_str(), X_OK) == 0) return path;
    }
  }
  return {};
}

// Returns the digits and dots that a word starts with, after a `v`; empty without a dot between digits.
std::string_view number_of(std::string_view word) {
  while (!word.empty() && (word.front() == 'v' || word.front() == 'V' || word.front() == '('))
    word.remove_prefix(1);
  auto number = word.substr(0, word.find_first_not_of("0123456789."));
  while (number.ends_with('.')) number.remove_suffix(1);
  const bool versioned = number.find('.') != std::string_view::npos && number.front() != '.';
  return versioned ? number : std::string_view{};
}

// Returns nothing when no process can be started: a missing version of a tool must not stop the program.
std::optional<child_process> ask_version(const fs::path& path) {
  try {
    return child_process({.command = {path.string(), "--version"}, .one_stream = true});
  } catch (const failure&) {
    return std::nullopt;
  }
}

}  // namespace

std::string version_in(std::string_view text) {
  std::string_view best;
  const auto dots = [](std::string_view number) { return std::ranges::count(number, '.'); };
  for (const auto line : split(text, '\n')) {
    for (const auto word : split(line, ' ')) {
      const auto number = number_of(word);
      if (!number.empty() && (best.empty() || dots(number) > dots(best))) best = number;
    }
  }
  return std::string(best);
}

std::vector<fs::path> program_folders() {
  const char* path = std::getenv("PATH");
  std::vector<fs::path> folders;
  for (const auto one : split(path == nullptr ? "" : path, ':')) {
    if (one.starts_with('/')) folders.emplace_back(one);
  }
  return folders;
}

std::vector<tool> find_tools(std::span<const tool_query> wanted, std::span<const fs::path> folders,
                             double limit_s) {
  using clock = std::chrono::steady_clock;
  const auto deadline = clock::now() + std::chrono::duration<double>(limit_s);
  std::vector<tool> tools;
  std::vector<std::optional<child_process>> asked;
  asked.reserve(wanted.size());
  for (const auto& one : wanted) {
    tools.push_back({.name = one.name, .path = find_program(one, folders)});
    const auto& path = tools.back().path;
    asked.push_back(path.empty() ? std::nullopt : ask_version(path));
  }
  const auto all_ended = [&] {
    return std::ranges::all_of(asked, [](auto& child) { return !child || child->ended(); });
  };
  while (!all_ended() && clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  for (std::size_t i = 0; i < tools.size(); ++i)
    tools[i].version = asked[i] && asked[i]->ended() ? version_in(asked[i]->wait().output) : "";
  return tools;
}

}  // namespace ridge::host
