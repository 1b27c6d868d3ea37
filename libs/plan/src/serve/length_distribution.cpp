// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "time_text.hpp"

namespace ridge::plan::serve {
namespace {

using shape = length_distribution::shape;

// The inverse distribution of the density x^-a between low and high + 1; lengths are its integer parts.
double power_law(double u, double low, double high, double a) {
  const double above = high + 1;
  if (std::abs(a - 1) < 1e-9) return low * std::pow(above / low, u);
  const double p = 1 - a, from = std::pow(low, p), to = std::pow(above, p);
  return std::pow(from + u * (to - from), 1 / p);
}

double lognormal(double z, double mean, double deviation) {
  const double variance = std::log1p(deviation * deviation / (mean * mean));
  return std::round(std::exp(std::log(mean) - variance / 2 + std::sqrt(variance) * z));
}

std::uint32_t whole_length(double x, double high) {
  constexpr double most = 1 << 30U;
  return static_cast<std::uint32_t>(std::clamp(x, 1.0, high > 1 ? high : most));
}

error no_distribution(std::string_view text) {
  return {fmt::format("\"{}\" is not a distribution of lengths", text),
          "write 512, uniform:LOW:HIGH, lognormal:MEAN:DEVIATION[:MOST] or zipf:LOW:HIGH:EXPONENT; a length "
          "is of 1 "
          "to 2^30 tokens"};
}

// The names of the numbers after each word, and how many of them are required.
struct known_shape {
  std::string_view name{};
  shape kind{shape::fixed};
  std::size_t least = 1, most = 1;
};
constexpr std::array known_shapes{
    known_shape{"fixed", shape::fixed, 1, 1}, known_shape{"uniform", shape::uniform, 2, 2},
    known_shape{"lognormal", shape::lognormal, 2, 3}, known_shape{"zipf", shape::zipf, 2, 3}};

std::optional<length_distribution> made(shape kind, const std::vector<double>& n) {
  length_distribution d{.kind = kind};
  constexpr double longest = 1 << 30U;
  if (std::ranges::any_of(n, [](double x) { return !(x >= 0 && x <= longest); })) return std::nullopt;
  if (kind == shape::fixed) {
    d.mean = n[0];
  } else if (kind == shape::lognormal) {
    d.mean = n[0], d.deviation = n[1];
    if (n.size() > 2) d.high = n[2];
  } else {
    d.low = n[0], d.high = n[1];
    if (n.size() > 2) d.exponent = n[2];
    if (d.low < 1 || d.high < d.low) return std::nullopt;
  }
  if (d.mean < 1) return std::nullopt;
  return d;
}

}  // namespace

std::uint32_t length_distribution::at(double u, double z) const {
  switch (kind) {
    case shape::fixed:
      return whole_length(mean, high);
    case shape::uniform:
      return whole_length(std::floor(low + u * (high - low + 1)), high);
    case shape::lognormal:
      return whole_length(lognormal(z, mean, deviation), high);
    case shape::zipf:
      return whole_length(std::floor(power_law(u, low, high, exponent)), high);
    case shape::trace:
      break;
  }
  if (recorded.empty()) return 1;
  const auto row = static_cast<std::size_t>(u * static_cast<double>(recorded.size()));
  return std::max(recorded[std::min(row, recorded.size() - 1)], 1U);
}

result<length_distribution> parse_lengths(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() == 1) {
    const auto tokens = parse_number(text);
    const auto d = tokens ? made(shape::fixed, {*tokens}) : std::nullopt;
    return d ? result<length_distribution>(*d) : no_distribution(text);
  }
  const auto known = std::ranges::find(known_shapes, parts.front(), &known_shape::name);
  if (known == known_shapes.end() || parts.size() - 1 < known->least || parts.size() - 1 > known->most)
    return no_distribution(text);
  std::vector<double> numbers;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto n = parse_number(parts[i]);
    if (!n) return no_distribution(text);
    numbers.push_back(*n);
  }
  const auto d = made(known->kind, numbers);
  if (!d) return no_distribution(text);
  return *d;
}

}  // namespace ridge::plan::serve
