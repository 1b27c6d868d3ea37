// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/number_type.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

struct description {
  std::string_view name;
  double bytes;
};
constexpr std::array<description, number_type_count> descriptions{{{"unknown", 0},
                                                                   {"fp64", 8},
                                                                   {"fp32", 4},
                                                                   {"tf32", 4},
                                                                   {"bf16", 2},
                                                                   {"fp16", 2},
                                                                   {"fp8", 1},
                                                                   {"fp4", 0.5},
                                                                   {"i64", 8},
                                                                   {"i32", 4},
                                                                   {"i16", 2},
                                                                   {"i8", 1},
                                                                   {"bool", 1},
                                                                   {"complex128", 16},
                                                                   {"complex64", 8}}};

using type_spelling = std::pair<std::string_view, number_type>;
constexpr std::array type_spellings{type_spelling{"float", number_type::fp32},
                                    type_spelling{"double", number_type::fp64},
                                    type_spelling{"bfloat16", number_type::bf16},
                                    type_spelling{"half", number_type::fp16},
                                    type_spelling{"float16", number_type::fp16},
                                    type_spelling{"float32", number_type::fp32},
                                    type_spelling{"float64", number_type::fp64},
                                    type_spelling{"bf16", number_type::bf16},
                                    type_spelling{"fp16", number_type::fp16},
                                    type_spelling{"fp32", number_type::fp32},
                                    type_spelling{"fp64", number_type::fp64},
                                    type_spelling{"tf32", number_type::tf32},
                                    type_spelling{"tfloat32", number_type::tf32},
                                    type_spelling{"e4m3", number_type::fp8},
                                    type_spelling{"e5m2", number_type::fp8},
                                    type_spelling{"e2m1", number_type::fp4},
                                    type_spelling{"long int", number_type::i64},
                                    type_spelling{"long", number_type::i64},
                                    type_spelling{"int64", number_type::i64},
                                    type_spelling{"unsigned long", number_type::i64},
                                    type_spelling{"int", number_type::i32},
                                    type_spelling{"i64", number_type::i64},
                                    type_spelling{"uint64", number_type::i64},
                                    type_spelling{"int32", number_type::i32},
                                    type_spelling{"i32", number_type::i32},
                                    type_spelling{"uint32", number_type::i32},
                                    type_spelling{"unsigned int", number_type::i32},
                                    type_spelling{"short int", number_type::i16},
                                    type_spelling{"short", number_type::i16},
                                    type_spelling{"int16", number_type::i16},
                                    type_spelling{"i16", number_type::i16},
                                    type_spelling{"uint16", number_type::i16},
                                    type_spelling{"unsigned short", number_type::i16},
                                    type_spelling{"signed char", number_type::i8},
                                    type_spelling{"unsigned char", number_type::i8},
                                    type_spelling{"char", number_type::i8},
                                    type_spelling{"int8", number_type::i8},
                                    type_spelling{"i8", number_type::i8},
                                    type_spelling{"uint8", number_type::i8},
                                    type_spelling{"byte", number_type::i8},
                                    type_spelling{"bool", number_type::boolean},
                                    type_spelling{"complex<double>", number_type::complex128},
                                    type_spelling{"complex<float>", number_type::complex64}};

}  // namespace

std::string_view name(number_type t) { return descriptions.at(static_cast<std::size_t>(t)).name; }

double bytes_of(number_type t) { return descriptions.at(static_cast<std::size_t>(t)).bytes; }

number_type number_type_of(std::string_view type_name) {
  auto text = lower_case(type_name);
  for (const std::string_view prefix : {"c10::", "torch."}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  if (text.starts_with("float8") || text.starts_with("fp8")) return number_type::fp8;
  if (text.starts_with("float4") || text.starts_with("fp4")) return number_type::fp4;
  const auto at = std::ranges::find(type_spellings, text, &type_spelling::first);
  return at == type_spellings.end() ? number_type::unknown : at->second;
}

}  // namespace ridge::trace
