// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/analysis.hpp>

namespace ridge::results {
namespace {

struct scale {
  std::string_view unit{};
  double factor = 1;
};
constexpr std::array scales = std::to_array<scale>({
    {"B", 1},
    {"KiB", 1024},
    {"MiB", 1048576},
    {"GiB", 1073741824},
    {"TiB", 1099511627776.0},
    {"kB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"s", 1},
    {"ms", 1e-3},
    {"us", 1e-6},
    {"µs", 1e-6},
    {"ns", 1e-9},
    {"min", 60},
    {"h", 3600},
    {"W", 1},
    {"kW", 1e3},
    {"J", 1},
    {"mJ", 1e-3},
    {"/s", 1},
    {"k/s", 1e3},
    {"M/s", 1e6},
    {"$/h", 1},
    {"%", 1e-2},
});

// The kinds of units that may stand for one another: those of bytes, of seconds, ...
std::string_view kind_of(std::string_view unit) {
  if (unit.ends_with('B')) return "bytes";
  if (unit.ends_with("/s")) return "rate";
  if (unit.ends_with('W')) return "power";
  if (unit.ends_with('J')) return "energy";
  if (unit == "$/h" || unit == "%") return unit;
  return "time";
}

const scale* scale_of(std::string_view unit) {
  const auto* const found = std::ranges::find(scales, unit, &scale::unit);
  return found == scales.end() ? nullptr : found;
}

result<double> quantity_of(const parameter& p, std::string_view text) {
  double number = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  const auto* const given = scale_of(unit.empty() ? p.unit : unit);
  if (why != std::errc{} || given == nullptr || kind_of(given->unit) != kind_of(p.unit))
    return error{fmt::format("{} cannot be '{}'", p.key, text),
                 fmt::format("write a number in {0}, or with its unit: 24{0}", p.unit)};
  const double value = number * given->factor;
  if (!std::isfinite(value) || !(value > 0) || value > 1e18)
    return error{fmt::format("{} must be above 0 and less than 10^18, not '{}'", p.key, text),
                 fmt::format("write 24{}", p.unit)};
  return value;
}

result<double> count_of(const parameter& p, std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (why != std::errc{} || end != text.data() + text.size() || number == 0)
    return error{fmt::format("{} must be a whole number above 0, not '{}'", p.key, text),
                 fmt::format("write {} 10", p.key)};
  return static_cast<double>(number);
}

result<void> check_choice(const parameter& p, const std::string& text) {
  if (std::ranges::find(p.choices, text) != p.choices.end()) return {};
  const std::vector<std::string> words(p.choices.begin(), p.choices.end());
  return error{fmt::format("{} cannot be '{}'", p.key, text), fmt::format("one of {}", join(words, ", "))};
}

error unknown_key(std::span<const parameter> known, const std::string& key) {
  std::vector<std::string> keys;
  for (const auto& p : known) keys.emplace_back(p.key);
  const auto meant = nearest_name(key, keys);
  return {fmt::format("there is no parameter '{}'", key),
          meant ? fmt::format("did you mean {}?", *meant) : fmt::format("there are {}", join(keys, ", "))};
}

constexpr std::size_t longest_value = 500;  // bytes: more than any experiment's problem takes

}  // namespace

result<arguments> arguments::parse(std::span<const parameter> known,
                                   const std::map<std::string, std::string>& given) {
  for (const auto& [key, value] : given) {
    if (std::ranges::find(known, std::string_view(key), &parameter::key) == known.end())
      return unknown_key(known, key);
    if (value.size() > longest_value)
      return error{fmt::format("the value of {} has {} bytes", key, value.size()),
                   fmt::format("give at most {}", longest_value)};
  }
  arguments parsed;
  for (const auto& p : known) {
    const auto found = given.find(std::string(p.key));
    const std::string text =
        found != given.end() && !found->second.empty() ? found->second : std::string(p.preset);
    if (text.empty()) continue;
    if (p.kind == parameter_kind::choice) {
      if (auto checked = check_choice(p, text); !checked) return checked.why();
    }
    if (p.kind == parameter_kind::quantity || p.kind == parameter_kind::count) {
      const auto number = p.kind == parameter_kind::count ? count_of(p, text) : quantity_of(p, text);
      if (!number) return number.why();
      parsed.numbers_.emplace(p.key, *number);
    }
    parsed.texts_.emplace(p.key, text);
  }
  return parsed;
}

std::string arguments::text(std::string_view key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? std::string{} : found->second;
}

std::optional<std::size_t> arguments::count(std::string_view key) const {
  const auto found = numbers_.find(key);
  return found == numbers_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found->second));
}

std::optional<double> arguments::quantity(std::string_view key) const {
  const auto found = numbers_.find(key);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

bool arguments::flag(std::string_view key) const {
  const auto given = text(key);
  return !given.empty() && given != "false" && given != "0";
}

}  // namespace ridge::results
