// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/units.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>

namespace ridge {
namespace {

struct step {
  double factor;
  std::string_view prefix;
};
constexpr step decimal[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                            {1, ""},     {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};
constexpr step binary[] = {
    {1099511627776.0, "Ti"}, {1073741824.0, "Gi"}, {1048576.0, "Mi"}, {1024.0, "Ki"}, {1, ""}};

std::string significant(double value, int digits) {
  if (value == 0) return "0";
  const double rounded = std::stod(fmt::format("{:.{}e}", value, digits - 1));
  const int whole = static_cast<int>(std::floor(std::log10(std::fabs(rounded)))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(digits - whole, 0, 12));
}

// The step under which the value, once rounded to its digits, is at least one.
std::string scaled(double value, std::string_view unit, std::span<const step> steps, int digits) {
  const auto size = std::fabs(value);
  auto chosen = steps.back();
  for (const auto& s : steps) {
    if (size >= s.factor * (1 - 0.5 * std::pow(10.0, -digits))) {
      chosen = s;
      break;
    }
  }
  if (size == 0) chosen = {1, ""};
  return fmt::format("{} {}{}", significant(value / chosen.factor, digits), chosen.prefix, unit);
}

bool scales_decimally(std::string_view unit) {
  return unit.ends_with("/s") || unit == "J" || unit == "W" || unit == "FLOP" || unit == "Hz";
}

}  // namespace

std::string format_quantity(double value, std::string_view unit, int digits) {
  if (!std::isfinite(value)) return "-";
  if (unit == "1") return fmt::format("{} %", significant(value * 100, digits));
  if (unit == "B") return scaled(value, unit, binary, digits);
  if (unit == "s")
    return std::fabs(value) >= 1 ? fmt::format("{} s", significant(value, digits))
                                 : scaled(value, unit, decimal, digits);
  if (scales_decimally(unit)) return scaled(value, unit, decimal, digits);
  return unit.empty() ? significant(value, digits) : fmt::format("{} {}", significant(value, digits), unit);
}

std::string format_ratio(double ratio, double lo, double hi) {
  if (!std::isfinite(ratio)) return "-";
  const double half = std::max((hi - lo) / 2, 1e-9);
  const int decimals =
      ratio >= 100 ? 1 : std::clamp(static_cast<int>(std::ceil(-std::log10(half))) + 1, 2, 4);
  return fmt::format("{:.{}f}×", ratio, decimals);
}

std::string format_grouped(long long n) {
  auto digits = fmt::format("{}", n < 0 ? -n : n);
  for (auto at = static_cast<long long>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ' ');
  return n < 0 ? "-" + digits : digits;
}

std::string format_count(long long n) {
  if (n >= 1024 && (n & (n - 1)) == 0)
    return fmt::format("2^{}", static_cast<int>(std::log2(static_cast<double>(n))));
  return format_grouped(n);
}

}  // namespace ridge
