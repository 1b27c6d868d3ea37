// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/text_file.hpp>

#include <array>
#include <charconv>
#include <fstream>

#include <ridge/base/text.hpp>

namespace ridge::host {
namespace {

std::size_t factor_of(std::string_view suffix) {
  if (suffix.empty() || suffix == "B") return 1;
  switch (suffix.front()) {
    case 'k':
    case 'K':
      return std::size_t{1} << 10;
    case 'M':
      return std::size_t{1} << 20;
    case 'G':
      return std::size_t{1} << 30;
    default:
      return 0;
  }
}

}  // namespace

std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  // Uses read() instead of stream iterators, which throw where a file that can be opened refuses to be read
  // (the speed of a network interface that is down).
  std::string text;
  std::array<char, 4096> part{};
  while (file.read(part.data(), part.size()) || file.gcount() > 0)
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return std::nullopt;
  return std::string(trim(text));
}

std::optional<long long> to_number(std::string_view text) {
  text = trim(text);
  long long value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<long long> read_number(const std::filesystem::path& path) {
  const auto text = read_text(path);
  return text ? to_number(*text) : std::nullopt;
}

std::string_view value_after(std::string_view text, std::string_view key) {
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && trim(line.substr(0, colon)) == key)
      return trim(line.substr(colon + 1));
  }
  return {};
}

std::optional<std::size_t> to_bytes(std::string_view text) {
  text = trim(text);
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{}) return std::nullopt;
  const auto factor =
      factor_of(trim(std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end))));
  if (factor == 0) return std::nullopt;
  return value * factor;
}

std::string_view chosen_in_brackets(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return text.substr(open + 1, close - open - 1);
}

}  // namespace ridge::host
