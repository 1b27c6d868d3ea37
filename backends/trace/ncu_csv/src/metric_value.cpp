// SPDX-License-Identifier: Apache-2.0
#include "metric_value.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace ridge::backends::trace_ncu_csv {

std::optional<double> metric_value(std::string_view text) {
  std::string plain;
  for (const char c : text.substr(0, text.find_first_of("(;"))) {
    if (c != ',' && c != ' ') plain += c;
  }
  if (plain.starts_with('+')) plain.erase(0, 1);
  double value = 0;
  const auto* const end = plain.data() + plain.size();
  const auto [at, bad] = std::from_chars(plain.data(), end, value);
  if (bad != std::errc{} || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::array<std::uint32_t, 3>> dimensions(std::string_view text) {
  std::array<std::uint32_t, 3> dims{1, 1, 1};
  std::size_t found = 0;
  const auto* const end = text.data() + text.size();
  for (const auto* c = text.data(); c < end && found < 3;) {
    std::uint32_t value = 0;
    const auto [at, bad] = std::from_chars(c, end, value);
    if (bad == std::errc{}) dims.at(found++) = value;
    c = bad == std::errc{} ? at : c + 1;
  }
  return found > 0 ? std::optional(dims) : std::nullopt;
}

}  // namespace ridge::backends::trace_ncu_csv
