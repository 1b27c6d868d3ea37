// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/text.hpp>

#include <algorithm>
#include <cwchar>
#include <functional>
#include <utility>

namespace ridge {
namespace {

struct decoded {
  char32_t code;
  std::size_t bytes;
};

decoded decode(std::string_view s) {
  const auto lead = static_cast<unsigned char>(s[0]);
  const std::size_t wanted = lead < 0x80         ? 1
                             : (lead >> 5) == 6  ? 2
                             : (lead >> 4) == 14 ? 3
                             : (lead >> 3) == 30 ? 4
                                                 : 1;
  if (wanted == 1 || s.size() < wanted) return {lead, 1};
  char32_t code = lead & (0xffu >> (wanted + 1));
  for (std::size_t i = 1; i < wanted; ++i) {
    const auto next = static_cast<unsigned char>(s[i]);
    if ((next >> 6) != 2) return {lead, 1};
    code = (code << 6) | (next & 0x3f);
  }
  return {code, wanted};
}

std::size_t columns_of(char32_t c) {
  const bool combining = (c >= 0x300 && c <= 0x36f) || (c >= 0x20d0 && c <= 0x20ff) || c == 0x200d ||
                         (c >= 0xfe00 && c <= 0xfe0f);
  if (combining) return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
                    (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
                    (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                    (c >= 0x1f300 && c <= 0x1faff);
  return wide ? 2 : 1;
}

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost one
// each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t same = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + same});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::optional<std::string> nearest_name(std::string_view wanted, std::span<const std::string> names) {
  auto near = nearest_names(wanted, names, 1);
  return near.empty() ? std::nullopt : std::optional(std::move(near.front()));
}

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> names,
                                       std::size_t most) {
  std::vector<std::pair<std::size_t, const std::string*>> near;
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  for (const auto& name : names) {
    auto distance = edit_distance(wanted, name);
    if (!wanted.empty() && name.starts_with(wanted)) distance = std::min<std::size_t>(distance, 1);
    if (distance <= limit) near.emplace_back(distance, &name);
  }
  std::ranges::stable_sort(near, std::ranges::less{}, [](const auto& entry) { return entry.first; });
  std::vector<std::string> found;
  for (const auto& [distance, name] : near) {
    if (found.size() < most && distance <= near.front().first + 1) found.push_back(*name);
  }
  return found;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) all += separator;
    all += parts[i];
  }
  return all;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (auto& letter : lower) letter = lower_case(letter);
  return lower;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower_case(a) == lower_case(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end() || part.empty();
}

std::size_t display_width(std::string_view utf8) {
  std::size_t columns = 0;
  while (!utf8.empty()) {
    const auto [code, bytes] = decode(utf8);
    columns += columns_of(code);
    utf8.remove_prefix(bytes);
  }
  return columns;
}

std::string pad_right(std::string_view utf8, std::size_t columns) {
  const auto width = display_width(utf8);
  return std::string(utf8) + std::string(width < columns ? columns - width : 0, ' ');
}

std::string pad_left(std::string_view utf8, std::size_t columns) {
  const auto width = display_width(utf8);
  return std::string(width < columns ? columns - width : 0, ' ') + std::string(utf8);
}

std::string wrap(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  for (auto word : split(text, ' ')) {
    if (word.empty()) continue;
    const auto width = display_width(word);
    if (used > 0 && used + 1 + width > columns) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
  }
  return out;
}

}  // namespace ridge
