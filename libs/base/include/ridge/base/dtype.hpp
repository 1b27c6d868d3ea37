// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ridge {

struct bf16;
struct fp16;
struct e4m3;
struct e5m2;

// The element types an array can hold.
enum class dtype : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, e4m3, e5m2, fp16, bf16, fp32, fp64 };

// Returns the type's name as results print it: "fp32", "u8".
[[nodiscard]] std::string_view name(dtype type);
// Returns the bytes of one element.
[[nodiscard]] std::size_t size_of(dtype type);

template <class T>
struct dtype_trait;
template <>
struct dtype_trait<std::uint8_t> {
  static constexpr dtype value = dtype::u8;
};
template <>
struct dtype_trait<std::byte> {
  static constexpr dtype value = dtype::u8;
};
template <>
struct dtype_trait<std::int8_t> {
  static constexpr dtype value = dtype::i8;
};
template <>
struct dtype_trait<std::uint16_t> {
  static constexpr dtype value = dtype::u16;
};
template <>
struct dtype_trait<std::int16_t> {
  static constexpr dtype value = dtype::i16;
};
template <>
struct dtype_trait<std::uint32_t> {
  static constexpr dtype value = dtype::u32;
};
template <>
struct dtype_trait<std::int32_t> {
  static constexpr dtype value = dtype::i32;
};
template <>
struct dtype_trait<std::uint64_t> {
  static constexpr dtype value = dtype::u64;
};
template <>
struct dtype_trait<std::int64_t> {
  static constexpr dtype value = dtype::i64;
};
template <>
struct dtype_trait<e4m3> {
  static constexpr dtype value = dtype::e4m3;
};
template <>
struct dtype_trait<e5m2> {
  static constexpr dtype value = dtype::e5m2;
};
template <>
struct dtype_trait<fp16> {
  static constexpr dtype value = dtype::fp16;
};
template <>
struct dtype_trait<bf16> {
  static constexpr dtype value = dtype::bf16;
};
template <>
struct dtype_trait<float> {
  static constexpr dtype value = dtype::fp32;
};
template <>
struct dtype_trait<double> {
  static constexpr dtype value = dtype::fp64;
};

template <class T>
inline constexpr dtype dtype_of = dtype_trait<T>::value;

}  // namespace ridge
