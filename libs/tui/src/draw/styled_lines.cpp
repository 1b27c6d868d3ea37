// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include <ridge/base/text.hpp>
#include <ridge/base/utf8.hpp>
#include <ridge/tui/grid.hpp>

namespace ridge::tui {
namespace {

constexpr std::array tones{report::tone::strong, report::tone::dim, report::tone::good, report::tone::bad,
                           report::tone::doubtful};

// What report::paint writes before and behind a text of this tone.
std::string code_before(report::tone tone) {
  const auto painted = report::paint("x", tone, true);
  return painted.substr(0, painted.find('x'));
}

struct code {
  std::string text{};
  report::tone tone{};
};

const std::vector<code>& codes() {
  static const auto all = [] {
    std::vector<code> made;
    for (const auto tone : tones) made.push_back({code_before(tone), tone});
    const auto painted = report::paint("x", report::tone::strong, true);
    made.push_back({painted.substr(painted.find('x') + 1), report::tone::plain});
    return made;
  }();
  return all;
}

styled_line styled_line_of(std::string_view text) {
  styled_line line;
  report::tone tone = report::tone::plain;
  std::string part;
  const auto end_part = [&] {
    if (!part.empty()) line.push_back({part, {.tone = tone}});
    part.clear();
  };
  while (!text.empty()) {
    const auto found = std::ranges::find_if(codes(), [&](const code& c) { return text.starts_with(c.text); });
    if (found == codes().end()) {
      part += text.front();
      text.remove_prefix(1);
      continue;
    }
    end_part();
    tone = found->tone;
    text.remove_prefix(found->text.size());
  }
  end_part();
  return line;
}

}  // namespace

std::vector<styled_line> styled_lines(std::string_view painted) {
  std::vector<styled_line> lines;
  if (painted.ends_with('\n')) painted.remove_suffix(1);
  if (painted.empty()) return lines;
  for (const auto line : split(painted, '\n')) lines.push_back(styled_line_of(line));
  return lines;
}

std::string fitted(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string cut;
  std::size_t width = 0;
  while (!text.empty()) {
    const auto length = std::max<std::size_t>(1, utf8_sequence_length(text));
    const auto more = display_width(text.substr(0, length));
    if (width + more + 1 > columns) break;
    cut += text.substr(0, length);
    width += more;
    text.remove_prefix(length);
  }
  return columns == 0 ? cut : cut + "…";
}

std::vector<std::string> all_fitted(const std::vector<std::string>& texts, std::size_t columns) {
  std::vector<std::string> all;
  for (const auto& text : texts) all.push_back(fitted(text, columns));
  return all;
}

}  // namespace ridge::tui
