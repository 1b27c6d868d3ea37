// SPDX-License-Identifier: Apache-2.0
#include "import/rank_in_path.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

std::optional<int> number_at(std::string_view text) {
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc{} && number >= 0 ? std::optional(number) : std::nullopt;
}

// The part of a document's path that tells documents of one input apart.
std::string below(const std::string& input, const input_member& m) {
  if (!m.member.empty()) return m.member;
  const auto file = std::filesystem::path(m.path);
  return m.path == input ? file.filename().string() : file.lexically_relative(input).string();
}

}  // namespace

std::optional<int> rank_behind_word(std::string_view path) {
  constexpr std::string_view word = "rank", between = "_-.=[";
  const auto plain = lower_case(path);
  for (auto at = plain.rfind(word); at != std::string::npos;
       at = at == 0 ? std::string::npos : plain.rfind(word, at - 1)) {
    if (at > 0 && plain[at - 1] >= 'a' && plain[at - 1] <= 'z') continue;  // "frank2.json"
    auto behind = std::string_view(plain).substr(at + word.size());
    if (!behind.empty() && between.find(behind.front()) != std::string_view::npos) behind.remove_prefix(1);
    if (const auto number = number_at(behind)) return number;
  }
  return std::nullopt;
}

result<rank_in_path> rank_in_path::made(const std::string& pattern, const std::string& input) {
  constexpr std::string_view place = "{rank}";
  rank_in_path rank;
  rank.input_ = input;
  if (pattern.empty()) return rank;
  const auto at = pattern.find(place);
  if (at == std::string::npos || pattern.find(place, at + 1) != std::string::npos)
    return error{fmt::format("--rank-pattern: \"{}\" does not say once where the rank stands", pattern),
                 "write {rank} for the number: 'host*/gpu{rank}_'"};
  rank.chosen_ = true;
  rank.before_ = "*" + pattern.substr(0, at);
  rank.behind_ = pattern.substr(at + place.size()) + "*";
  return rank;
}

std::optional<int> rank_in_path::of(const input_member& m) const {
  const auto path = below(input_, m);
  if (!chosen_) return rank_behind_word(path);
  const auto text = std::string_view(path);
  constexpr std::string_view digits = "0123456789";
  for (auto at = text.find_first_of(digits); at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_not_of(digits, at), text.size());
    if (glob_matches(before_, text.substr(0, at)) && glob_matches(behind_, text.substr(end)))
      return number_at(text.substr(at, end - at));
    at = text.find_first_of(digits, end);
  }
  return std::nullopt;
}

}  // namespace ridge::trace
