// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/communication_names.hpp>

#include <algorithm>
#include <bitset>
#include <cctype>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>

#include "communication_data.hpp"

namespace ridge::trace {
namespace {

constexpr std::string_view columns_remedy =
    "write PATTERN CONFIDENCE KIND LIBRARY, for example `my_reduce A all-reduce mine`, or `! PATTERN`";

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool at_edge(std::string_view text, std::size_t position) {
  const auto before = position > 0 && is_word(text[position - 1]);
  const auto after = position < text.size() && is_word(text[position]);
  return before != after;
}

// Whether text, in lower case, begins with the pattern from `position` on.
bool begins(std::string_view text, std::size_t position, std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') {
      for (auto from = position; from <= text.size(); ++from)
        if (begins(text, from, pattern.substr(i + 1))) return true;
      return false;
    }
    if (pattern[i] == '~') {
      if (!at_edge(text, position)) return false;
    } else if (position == text.size() || text[position++] != lower_case(pattern[i])) {
      return false;
    }
  }
  return true;
}

// The pairs of neighbouring letters in a lower-case text, hashed. Names are long and patterns many, and most
// patterns have a pair of letters that a name lacks.
class letter_pairs {
 public:
  explicit letter_pairs(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) found_.set(slot(text[i - 1], text[i]));
  }
  [[nodiscard]] bool may_hold(std::string_view pattern) const {
    for (std::size_t i = 1; i < pattern.size(); ++i) {
      const auto a = pattern[i - 1], b = pattern[i];
      if (a != '*' && a != '~' && b != '*' && b != '~' && !found_[slot(lower_case(a), lower_case(b))])
        return false;
    }
    return true;
  }

 private:
  static std::size_t slot(char a, char b) {
    return (static_cast<unsigned char>(a) * 37U + static_cast<unsigned char>(b)) % 4096U;
  }
  std::bitset<4096> found_{};
};

bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.find_first_not_of("~*") == std::string_view::npos) return false;
  for (std::size_t at = 0; at <= text.size(); ++at)
    if (begins(text, at, pattern)) return true;
  return false;
}

std::optional<collective_kind> kind_named(std::string_view text) {
  if (text == "-") return collective_kind::unknown;
  for (int k = 1; k < collective_kind_count; ++k)
    if (name(static_cast<collective_kind>(k)) == text) return static_cast<collective_kind>(k);
  return std::nullopt;
}

// Cuts the first word off the line.
std::string_view word_of(std::string_view& line) {
  line = trim(line);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const auto word = line.substr(0, end);
  line = trim(line.substr(end));
  return word;
}

std::string kind_names() {
  std::string all = "-";
  for (int k = 1; k < collective_kind_count; ++k)
    all += fmt::format(", {}", name(static_cast<collective_kind>(k)));
  return all;
}

bool says_something(std::string_view pattern) {
  return std::ranges::any_of(pattern, [](char c) { return c != '*' && c != '~'; });
}

result<communication_pattern> pattern_of_line(std::string_view line, std::string_view place) {
  communication_pattern row;
  row.part = word_of(line);
  if (row.part == "!") {
    row.excluded = true;
    row.part = word_of(line);
    if (!line.empty())
      return error{fmt::format("{}: text after the excluded pattern", place), "write one pattern per line"};
  }
  if (!says_something(row.part))
    return error{fmt::format("{}: a pattern that would match every name", place),
                 std::string(columns_remedy)};
  if (row.excluded) return row;
  const auto confidence = word_of(line);
  if (confidence != "A" && confidence != "C")
    return error{fmt::format("{}: confidence is '{}', not A or C", place, confidence),
                 std::string(columns_remedy)};
  row.confidence = confidence == "A" ? name_confidence::certain : name_confidence::heuristic;
  const auto kind = word_of(line);
  const auto known = kind_named(kind);
  if (!known)
    return error{fmt::format("{}: no kind of communication is called '{}'", place, kind),
                 fmt::format("use one of {}", kind_names())};
  row.operation = *known;
  row.library = line;
  if (row.library.empty())
    return error{fmt::format("{}: the library's name is missing", place), std::string(columns_remedy)};
  return row;
}

}  // namespace

result<std::vector<communication_pattern>> parse_communication_names(std::string_view text,
                                                                     std::string_view path) {
  std::vector<communication_pattern> rows;
  int number = 0;
  for (const auto whole : split(text, '\n')) {
    ++number;
    const auto line = trim(whole.substr(0, whole.find('#')));
    if (line.empty()) continue;
    auto row = pattern_of_line(line, fmt::format("{}:{}", path, number));
    if (!row) return row.why();
    rows.push_back(std::move(row).value());
  }
  return rows;
}

communication_names communication_names::built_in() {
  const auto file = communication_data().front();
  auto rows = parse_communication_names(file.text, file.name);
  expects(rows.ok(), "communication names: the built-in file is well formed");
  return {std::move(rows).value()};
}

result<communication_names> communication_names_with(const std::string& path) {
  const auto text = read_file(path);
  if (!text)
    return error{fmt::format("{}: cannot be read as communication names", path), "give a readable text file"};
  auto rows = parse_communication_names(*text, path);
  if (!rows) return rows.why();
  communication_names all{std::move(rows).value()};
  std::ranges::move(communication_names::built_in().patterns, std::back_inserter(all.patterns));
  return all;
}

const communication_pattern* communication_names::match(std::string_view kernel) const {
  const auto text = lower_case(kernel);
  const letter_pairs pairs(text);
  const auto at = std::ranges::find_if(
      patterns, [&](const auto& p) { return pairs.may_hold(p.part) && matches(text, p.part); });
  return at == patterns.end() || at->excluded ? nullptr : &*at;
}

}  // namespace ridge::trace
