// SPDX-License-Identifier: Apache-2.0
#include "trial/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <ridge/base/with_dtype.hpp>

#include "exchange/layout.hpp"

namespace ridge::judge {
namespace {

template <class T>
double as_double(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

bool close_enough(double a, double b, tolerance within) {
  if (std::isnan(b)) return std::isnan(a);
  if (std::isinf(b) || std::isinf(a)) return a == b;
  return std::fabs(a - b) <= 2 * (within.abs + within.rel * std::fabs(b));
}

bool poisoned(std::span<const std::byte> element) {
  return std::ranges::all_of(element, [](std::byte b) { return b == std::byte{0xFF}; });
}

// The first element that differs, in bytes of one array.
template <class T>
std::optional<std::size_t> first_difference(std::span<const std::byte> a, std::span<const std::byte> b,
                                            tolerance within) {
  for (std::size_t i = 0; i + sizeof(T) <= a.size(); i += sizeof(T)) {
    if (std::memcmp(a.data() + i, b.data() + i, sizeof(T)) == 0) continue;
    if (within.exact() || !close_enough(as_double<T>(a.data() + i), as_double<T>(b.data() + i), within))
      return i / sizeof(T);
  }
  return std::nullopt;
}

std::string in_words(const array_place& place, std::size_t member, std::size_t element,
                     std::span<const std::byte> a, std::span<const std::byte> b) {
  const auto type = static_cast<dtype>(place.type);
  const auto bytes = size_of(type);
  const auto name = fmt::format("{}[{}] of call {}", text_of(place.name), element, member + 1);
  if (poisoned(a.subspan(element * bytes, bytes))) return name + " was never written";
  const auto value = [&](std::span<const std::byte> all) {
    return with_dtype(type, [&]<class T>() { return as_double<T>(all.data() + element * sizeof(T)); });
  };
  return fmt::format("{} is {:.9g}, and the baseline's is {:.9g}", name, value(a), value(b));
}

}  // namespace

std::string member_disagreement(const assignment& given, std::size_t member,
                                std::span<const std::byte> candidate, std::span<const std::byte> baseline,
                                tolerance within) {
  for (std::size_t i = 0; i < given.array_count; ++i) {
    const auto& place = given.arrays[i];
    if (!is_written(place) || place.bytes == 0) continue;
    const auto a = candidate.subspan(place.offset, place.bytes);
    const auto b = baseline.subspan(place.offset, place.bytes);
    if (std::memcmp(a.data(), b.data(), place.bytes) == 0) continue;
    const auto found = with_dtype(static_cast<dtype>(place.type),
                                  [&]<class T>() { return first_difference<T>(a, b, within); });
    if (found) return in_words(place, member, *found, a, b);
  }
  return {};
}

std::string disagreement(const assignment& given, std::size_t members, std::span<const std::byte> candidate,
                         std::span<const std::byte> baseline, tolerance within) {
  const auto stride = given.output_stride;
  for (std::size_t member = 0; member < members; ++member) {
    auto why = member_disagreement(given, member, candidate.subspan(member * stride, stride),
                                   baseline.subspan(member * stride, stride), within);
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace ridge::judge
