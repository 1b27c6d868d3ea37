// SPDX-License-Identifier: Apache-2.0
#include "drawing.hpp"

#include <cstring>

#include <hwy/targets.h>

#include <ridge/base/with_dtype.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/line.hpp>
#include <ridge/device/shuffle.hpp>

namespace ridge::device {
namespace {

template <class T>
T whole(std::uint64_t value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return static_cast<T>(static_cast<float>(value));
}

// What a distribution's elements have in common.
line line_for(const drawing& drawn) {
  if (const auto* d = std::get_if<normal>(&drawn.d)) return line_of(*d, drawn.type);
  if (const auto* d = std::get_if<uniform>(&drawn.d)) return line_of(*d, drawn.type);
  return {};
}

template <class T>
struct by_definition {
  std::uint64_t key, index;
  const line& common;
  const shuffle& place;

  T operator()(const normal&) const { return lined(normal_at(key, index)); }
  T operator()(const uniform&) const {
    return lined(static_cast<std::int32_t>(word_at(key, index) >> (32 - uniform_bits(dtype_of<T>))));
  }
  T operator()(const integers& d) const { return whole<T>(integer_at(key, index, d.below)); }
  T operator()(const constant& d) const {
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(d.value);
    else
      return static_cast<T>(static_cast<float>(d.value));
  }
  T operator()(const permutation&) const { return whole<T>(place(index)); }
  T operator()(const random_bits&) const { return whole<T>(bits_at(key, index, sizeof(T))); }
  T operator()(const filled_by&) const { return T(0); }

 private:
  [[nodiscard]] T lined(std::int32_t n) const {
    if constexpr (std::is_integral_v<T>)
      return T(0);
    else
      return element_on<T>(common, n);
  }
};

}  // namespace

std::string label(const drawing& drawn) { return std::string(name(drawn.type)) + " " + text(drawn.d); }

std::vector<std::byte> definition_of(const drawing& drawn, std::uint64_t first, std::size_t count,
                                     std::uint64_t whole_count) {
  std::vector<std::byte> all(count * size_of(drawn.type));
  const line on = line_for(drawn);
  const shuffle place(drawn.key, whole_count);
  with_dtype(drawn.type, [&]<class T>() {
    for (std::size_t i = 0; i < count; ++i) {
      const T x = std::visit(by_definition<T>{drawn.key, first + i, on, place}, drawn.d);
      std::memcpy(all.data() + i * sizeof(T), &x, sizeof(T));
    }
  });
  return all;
}

std::vector<std::byte> filled(const drawing& drawn, std::uint64_t first, std::size_t count,
                              std::uint64_t whole_count) {
  std::vector<std::byte> all(count * size_of(drawn.type));
  fill(all, drawn.type, drawn.d, drawn.key, first, whole_count);
  return all;
}

std::vector<std::int64_t> instruction_sets() {
  std::vector<std::int64_t> all;
  constexpr std::int64_t same_code = HWY_SSSE3 | HWY_AVX3_DL | HWY_EMU128;
  for (auto left = hwy::SupportedTargets() & ~same_code; left != 0; left &= left - 1)
    all.push_back(left & -left);
  return all;
}

}  // namespace ridge::device
