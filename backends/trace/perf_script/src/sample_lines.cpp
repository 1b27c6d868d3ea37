// SPDX-License-Identifier: Apache-2.0
#include "sample_lines.hpp"

#include <charconv>
#include <limits>

#include <ridge/base/text.hpp>

namespace ridge::backends::trace_perf_script {
namespace {

constexpr auto nowhere = std::string_view::npos;

template <class T>
std::optional<T> whole(std::string_view text, int base = 10) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Parses "5512.123456" in seconds, with up to nine decimals.
std::optional<std::int64_t> time_of(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == nowhere || text.size() - dot - 1 > 9 || text.size() == dot + 1) return std::nullopt;
  const auto seconds = whole<std::int64_t>(text.substr(0, dot));
  auto fraction = whole<std::int64_t>(text.substr(dot + 1));
  if (!seconds || !fraction || *seconds < 0 || *fraction < 0) return std::nullopt;
  if (*seconds > std::numeric_limits<std::int64_t>::max() / 1'000'000'000 - 1) return std::nullopt;
  for (auto digits = text.size() - dot - 1; digits < 9; ++digits) *fraction *= 10;
  return *seconds * 1'000'000'000 + *fraction;
}

std::string_view cut_last_word(std::string_view& text) {
  text = trim(text);
  const auto space = text.find_last_of(" \t");
  const auto word = text.substr(space == nowhere ? 0 : space + 1);
  text = space == nowhere ? std::string_view() : trim(text.substr(0, space));
  return word;
}

std::string_view cut_first_word(std::string_view& text) {
  text = trim(text);
  const auto space = text.find_first_of(" \t");
  const auto word = text.substr(0, space);
  text = space == nowhere ? std::string_view() : trim(text.substr(space));
  return word;
}

// Parses the text before the time: command, numbers, perhaps the processor in brackets.
bool read_who(std::string_view text, sample_head& head) {
  auto word = cut_last_word(text);
  if (word.starts_with('[') && word.ends_with(']')) word = cut_last_word(text);
  const auto slash = word.find('/');
  const auto first = whole<std::int64_t>(word.substr(0, slash));
  const auto second = slash == nowhere ? first : whole<std::int64_t>(word.substr(slash + 1));
  if (!first || !second || text.empty()) return false;
  head.command = text;
  head.process = *first;
  head.thread = *second;
  return true;
}

// Parses the text behind the time: perhaps a period, then the event, which ends with a colon.
bool read_what(std::string_view text, sample_head& head) {
  auto word = cut_first_word(text);
  if (const auto period = whole<std::uint64_t>(word)) {
    head.period = *period;
    word = cut_first_word(text);
  }
  if (word.size() < 2 || !word.ends_with(':')) return false;
  head.event = word.substr(0, word.size() - 1);
  head.rest = text;
  return true;
}

}  // namespace

std::optional<sample_head> read_sample_head(std::string_view line) {
  if (line.empty() || line.front() == '#' || line.front() == '\t') return std::nullopt;
  sample_head made;
  for (auto colon = line.find(": "); colon != nowhere; colon = line.find(": ", colon + 1)) {
    const auto space = line.find_last_of(" \t", colon);
    if (space == nowhere) continue;
    const auto time = time_of(line.substr(space + 1, colon - space - 1));
    if (!time || !read_who(line.substr(0, space), made)) continue;
    made.time_ns = *time;
    if (read_what(line.substr(colon + 1), made)) return made;
  }
  return std::nullopt;
}

std::optional<frame_line> read_frame(std::string_view line) {
  constexpr std::string_view gone = " (deleted))";
  auto text = trim(line);
  if (text.ends_with(gone))
    text.remove_suffix(gone.size());
  else if (text.ends_with(')'))
    text.remove_suffix(1);
  else
    return std::nullopt;
  if (!whole<std::uint64_t>(cut_first_word(text), 16)) return std::nullopt;
  const auto open = text.rfind(" (");
  if (open == nowhere) return std::nullopt;
  frame_line made{.function = trim(text.substr(0, open)), .file = text.substr(open + 2)};
  const auto offset = made.function.rfind("+0x");
  if (offset != nowhere && made.function.find_first_not_of("0123456789abcdef", offset + 3) == nowhere)
    made.function = made.function.substr(0, offset);
  if (made.function == "[unknown]") made.function = {};
  return made;
}

}  // namespace ridge::backends::trace_perf_script
