// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/names.hpp>

#include <array>
#include <cstddef>

namespace ridge::model {
namespace {

template <class Enum>
struct words;
template <>
struct words<role> {
  static constexpr std::array<std::string_view, 3> list{"baseline", "optimized", "comparator"};
};
template <>
struct words<backend> {
  static constexpr std::array<std::string_view, 2> list{"cpu", "cuda"};
};
template <>
struct words<goal> {
  static constexpr std::array<std::string_view, 7> list{"speed",   "memory",   "throughput",   "latency",
                                                        "goodput", "accuracy", "informational"};
};
template <>
struct words<better> {
  static constexpr std::array<std::string_view, 2> list{"lower", "higher"};
};
template <>
struct words<clock_kind> {
  static constexpr std::array<std::string_view, 3> list{"wall", "device", "simulated"};
};
template <>
struct words<bound> {
  static constexpr std::array<std::string_view, 4> list{"unknown", "memory", "compute", "latency"};
};
template <>
struct words<verdict> {
  static constexpr std::array<std::string_view, 7> list{
      "BETTER", "WORSE", "EQUIVALENT", "DIFFERENT_BUT_SMALL", "INCONCLUSIVE", "INVALID", "UNVERIFIED"};
};
template <>
struct words<failure_kind> {
  static constexpr std::array<std::string_view, 7> list{"none",    "unknown",   "wrong_output", "threw",
                                                        "crashed", "timed_out", "out_of_memory"};
};
template <>
struct words<outcome> {
  static constexpr std::array<std::string_view, 4> list{"pass", "warn", "fail", "skipped"};
};
template <>
struct words<roof_kind> {
  static constexpr std::array<std::string_view, 2> list{"bandwidth", "compute"};
};
template <>
struct words<roof_origin> {
  static constexpr std::array<std::string_view, 2> list{"measured", "specified"};
};
template <>
struct words<severity> {
  static constexpr std::array<std::string_view, 5> list{"ok", "info", "warning", "error", "unknown"};
};

template <class Enum>
std::string_view word_of(Enum x) {
  return words<Enum>::list[static_cast<std::size_t>(x)];
}

}  // namespace

std::string_view name(role x) { return word_of(x); }
std::string_view name(backend x) { return word_of(x); }
std::string_view name(goal x) { return word_of(x); }
std::string_view name(better x) { return word_of(x); }
std::string_view name(clock_kind x) { return word_of(x); }
std::string_view name(bound x) { return word_of(x); }
std::string_view name(verdict x) { return word_of(x); }
std::string_view name(failure_kind x) { return word_of(x); }
std::string_view name(outcome x) { return word_of(x); }
std::string_view name(roof_kind x) { return word_of(x); }
std::string_view name(roof_origin x) { return word_of(x); }
std::string_view name(severity x) { return word_of(x); }

template <class Enum>
std::optional<Enum> named(std::string_view word) {
  const auto& list = words<Enum>::list;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

template std::optional<role> named(std::string_view);
template std::optional<backend> named(std::string_view);
template std::optional<goal> named(std::string_view);
template std::optional<better> named(std::string_view);
template std::optional<clock_kind> named(std::string_view);
template std::optional<bound> named(std::string_view);
template std::optional<verdict> named(std::string_view);
template std::optional<failure_kind> named(std::string_view);
template std::optional<outcome> named(std::string_view);
template std::optional<roof_kind> named(std::string_view);
template std::optional<roof_origin> named(std::string_view);
template std::optional<severity> named(std::string_view);

}  // namespace ridge::model
