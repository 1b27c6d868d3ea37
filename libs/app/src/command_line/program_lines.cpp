// SPDX-License-Identifier: Apache-2.0
#include "command_line/program_lines.hpp"

#include <algorithm>

namespace ridge::app {

std::vector<std::vector<std::string>> cut_program_lines(std::vector<std::string>& typed) {
  std::vector<std::vector<std::string>> programs;
  const auto first = std::ranges::find(typed, "--");
  const auto takes_programs = [](const std::string& word) { return word == "bench" || word == "profile"; };
  if (std::find_if(typed.begin(), first, takes_programs) == first) return programs;
  for (auto word = first; word != typed.end(); ++word) {
    if (*word == "--") {
      programs.emplace_back();
    } else {
      programs.back().push_back(*word);
    }
  }
  typed.erase(first, typed.end());
  std::erase_if(programs, [](const auto& words) { return words.empty(); });
  return programs;
}

}  // namespace ridge::app
