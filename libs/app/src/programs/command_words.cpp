// SPDX-License-Identifier: Apache-2.0
#include "programs/command_words.hpp"

#include <fmt/format.h>

namespace ridge::app {
namespace {

error needs_shell(std::string_view line, char letter) {
  return {fmt::format("\"{}\" holds a {}, which only a shell understands", line, letter),
          "add --shell sh, or quote it"};
}

}  // namespace

result<std::vector<std::string>> command_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (quote == 0 && (letter == ' ' || letter == '\t' || letter == '\n')) {
      in_word = false;
      continue;
    }
    if (quote == 0 && std::string_view("|&;<>()`$").find(letter) != std::string_view::npos)
      return needs_shell(line, letter);
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote != 0 && letter == quote) {
      quote = 0;
    } else if (quote == 0 && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else if (letter == '\\' && quote != '\'' && i + 1 < line.size()) {
      const bool kept = quote == '"' && line[i + 1] != '"' && line[i + 1] != '\\';
      if (kept) words.back() += letter;
      words.back() += line[++i];
    } else {
      words.back() += letter;
    }
  }
  if (quote != 0) return error{fmt::format("a quote is open in \"{}\"", line), "close it"};
  if (words.empty()) return error{"a command is empty", "name a program"};
  return words;
}

}  // namespace ridge::app
