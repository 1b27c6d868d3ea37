// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/amounts.hpp>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge::app {
namespace {

struct amount {
  double value = 0;
  std::string_view unit{};
};

std::optional<amount> parse_amount(std::string_view text) {
  amount made;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), made.value);
  if (code != std::errc{} || !std::isfinite(made.value)) return std::nullopt;
  made.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return made;
}

}  // namespace

std::optional<double> parse_seconds(std::string_view text) {
  const auto given = parse_amount(text);
  if (!given || given->value <= 0) return std::nullopt;
  const auto unit = given->unit;
  if (unit.empty() || unit == "s") return given->value;
  if (unit == "ms") return given->value * 1e-3;
  if (unit == "m" || unit == "min") return given->value * 60;
  if (unit == "h") return given->value * 3600;
  return std::nullopt;
}

std::optional<double> parse_share(std::string_view text) {
  const auto given = parse_amount(text);
  if (!given || (!given->unit.empty() && given->unit != "%")) return std::nullopt;
  const double share = given->unit == "%" ? given->value / 100 : given->value;
  return share > 0 && share < 1 ? std::optional(share) : std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  const auto given = parse_amount(text);
  if (!given || given->value <= 0) return std::nullopt;
  auto unit = given->unit;
  constexpr std::string_view multiples = "KMGT";
  double scale = 1;
  if (const auto at = unit.empty() ? std::string_view::npos : multiples.find(unit.front());
      at != std::string_view::npos) {
    scale = std::pow(1024.0, static_cast<double>(at + 1));
    unit.remove_prefix(1);
  }
  if (!unit.empty() && unit != "B" && unit != "iB" && unit != "i") return std::nullopt;
  const double bytes = given->value * scale;
  return bytes >= 1 && bytes < 1e18 ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

std::string is_duration(const std::string& text) {
  return parse_seconds(text) ? ""
                             : fmt::format("\"{}\" is not a valid duration; write 60s, 500ms or 2min", text);
}

std::string is_share(const std::string& text) {
  return parse_share(text) ? "" : fmt::format("\"{}\" is not a valid percentage; write 1% or 0.01", text);
}

std::string is_size(const std::string& text) {
  return parse_bytes(text) ? "" : fmt::format("\"{}\" is not a valid size; write 512MiB or 8GiB", text);
}

std::pair<std::string, std::string> told_apart(double value, double limit) {
  constexpr int most_digits = 17;
  for (int digits = 3;; ++digits) {
    auto one = fmt::format("{:.{}g}", value, digits), other = fmt::format("{:.{}g}", limit, digits);
    if (one != other || value == limit || digits == most_digits) return {one, other};
  }
}

void save_text(const std::string& path, std::string_view text) {
  if (path == "-") {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!written || std::fflush(stdout) != 0) throw io_failure("write", "standard output", errno);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw io_failure("write", path, errno);
}

}  // namespace ridge::app
