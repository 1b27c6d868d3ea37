// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/axis_override.hpp>

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::harness {
namespace {

error wrong_axis(std::string_view text, std::string_view why) {
  return {fmt::format("axis \"{}\": {}", text, why),
          "write NAME=8,16,32 or NAME=2^20..26:2 or NAME=word,word"};
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> real_number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "2^20..26:2": every second exponent; "2^20": one power.
result<std::vector<model::axis_value>> powers(std::string_view spec, std::string_view text) {
  const auto body = spec.substr(2);
  const auto dots = body.find("..");
  const auto from = whole_number(body.substr(0, dots));
  std::optional<std::int64_t> to = from, step = 1;
  if (dots != std::string_view::npos) {
    auto rest = body.substr(dots + 2);
    if (rest.starts_with("2^")) rest.remove_prefix(2);
    const auto colon = rest.find(':');
    to = whole_number(rest.substr(0, colon));
    if (colon != std::string_view::npos) step = whole_number(rest.substr(colon + 1));
  }
  if (!from || !to || !step || *from < 0 || *to > 62 || *from > *to || *step < 1) {
    return wrong_axis(text, "exponents must be whole, rising and at most 62");
  }
  std::vector<model::axis_value> values;
  for (auto e = *from; e <= *to; e += *step) values.emplace_back(std::int64_t{1} << e);
  return values;
}

}  // namespace

result<axis_override> parse_axis_override(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return wrong_axis(text, "no name before an equals sign");
  axis_override made{.axis = std::string(trim(text.substr(0, equals)))};
  for (auto part : split(text.substr(equals + 1), ',')) {
    part = trim(part);
    if (part.empty()) return wrong_axis(text, "a value is missing");
    if (part.starts_with("2^")) {
      auto list = powers(part, text);
      if (!list) return list.why();
      made.values.insert(made.values.end(), list->begin(), list->end());
    } else if (const auto number = whole_number(part)) {
      made.values.emplace_back(*number);
    } else if (const auto fraction = real_number(part)) {
      made.values.emplace_back(*fraction);
    } else {
      made.values.emplace_back(std::string(part));
    }
  }
  return made;
}

}  // namespace ridge::harness
