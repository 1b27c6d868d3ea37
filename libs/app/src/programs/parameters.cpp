// SPDX-License-Identifier: Apache-2.0
#include "programs/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace ridge::app {
namespace {

constexpr double most_values = 100'000;

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const auto* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

error no_number(const std::string& name, const std::string& text) {
  return {fmt::format("--parameter-scan {}: \"{}\" is not a number", name, text),
          "write --parameter-scan NAME MIN MAX: --parameter-scan threads 1 8"};
}

// Decimals that a number needs as it was typed: 3 of "1.125", 4 of "1.5e-3".
int decimals_of(const std::string& text) {
  const auto mantissa = text.substr(0, text.find_first_of("eE"));
  const auto point = mantissa.find('.');
  const int written = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  const auto power = text.substr(std::min(text.size(), mantissa.size() + 1));
  const auto exponent = number_of<int>(power.starts_with('+') ? power.substr(1) : power).value_or(0);
  return std::max(0, written - exponent);
}

// Returns the value with so many decimals, so that 0.1 + 2 * 0.1 prints as 0.3; the value itself where
// doubles of its size have no digits beyond them.
double rounded(double value, int decimals) {
  constexpr double exact = 1e15;
  const double unit = std::pow(10, decimals);
  return std::isfinite(unit) && std::fabs(value * unit) < exact ? std::round(value * unit) / unit : value;
}

std::optional<error> no_name(const char* option, const std::string& name) {
  if (!name.empty()) return std::nullopt;
  return error{fmt::format("{} has no name", option),
               fmt::format("write {0} NAME, and {{NAME}} in a command", option)};
}

std::string plain(const model::axis_value& value) {
  return std::visit([](const auto& it) { return fmt::format("{}", it); }, value);
}

}  // namespace

result<parameter> scanned(const std::string& name, const std::string& least, const std::string& most,
                          const std::string& step) {
  if (const auto none = no_name("--parameter-scan", name)) return *none;
  parameter made{.name = name};
  for (const auto* text : {&least, &most, &step}) {
    const auto number = number_of<double>(*text);
    if (!number || !std::isfinite(*number)) return no_number(name, *text);
  }
  const double lo = *number_of<double>(least), hi = *number_of<double>(most), by = *number_of<double>(step);
  if (by <= 0)
    return error{fmt::format("--parameter-step-size {} is not above 0", step),
                 "write --parameter-step-size 2"};
  if (hi < lo)
    return error{fmt::format("--parameter-scan {}: {} is above {}", name, least, most),
                 "name the least value first"};
  const double count = std::floor((hi - lo) / by * (1 + 1e-12) + 1e-9) + 1;
  if (count > most_values)
    return error{fmt::format("--parameter-scan {} has {:.0f} values", name, count), "take a larger step"};
  const auto whole = number_of<std::int64_t>(least), whole_step = number_of<std::int64_t>(step);
  const int decimals = std::max(decimals_of(least), decimals_of(step));
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
    if (whole && whole_step) {
      made.values.emplace_back(*whole + i * *whole_step);
    } else {
      made.values.emplace_back(rounded(lo + static_cast<double>(i) * by, decimals));
    }
  }
  return made;
}

result<parameter> listed(const std::string& name, const std::string& values) {
  if (const auto none = no_name("--parameter-list", name)) return *none;
  parameter made{.name = name};
  std::string value;
  const auto finish = [&] {
    if (const auto number = number_of<std::int64_t>(value)) {
      made.values.emplace_back(*number);
    } else {
      made.values.emplace_back(value);
    }
    value.clear();
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == '\\' && i + 1 < values.size() && values[i + 1] == ',') {
      value += values[++i];
    } else if (values[i] == ',') {
      finish();
    } else {
      value += values[i];
    }
  }
  finish();
  return made;
}

std::vector<model::problem_point> points_of(const std::vector<parameter>& parameters) {
  std::vector<model::problem_point> points{{}};
  for (const auto& one : parameters) {
    std::vector<model::problem_point> further;
    for (const auto& point : points) {
      for (const auto& value : one.values) {
        further.push_back(point);
        further.back().emplace_back(one.name, value);
      }
    }
    points = std::move(further);
  }
  return points;
}

std::string with_values(std::string text, const model::problem_point& point) {
  for (const auto& [name, value] : point) {
    const auto place = '{' + name + '}', written = plain(value);
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place, at + written.size()))
      text.replace(at, place.size(), written);
  }
  return text;
}

}  // namespace ridge::app
