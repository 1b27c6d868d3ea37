// SPDX-License-Identifier: Apache-2.0
#include "runner/problem_table.hpp"

#include <ridge/base/dtype.hpp>

#include "exchange/layout.hpp"

namespace ridge::judge {
namespace {

// The types of the interface are those of ridge::dtype by number.
static_assert(static_cast<int>(dtype::u8) == ridge_u8 && static_cast<int>(dtype::i64) == ridge_i64 &&
              static_cast<int>(dtype::e4m3) == ridge_e4m3 && static_cast<int>(dtype::bf16) == ridge_bf16 &&
              static_cast<int>(dtype::fp64) == ridge_fp64);

ridge_parameter parameter_of(const parameter_place& place) {
  return {.name = place.name.data(),
          .kind = place.kind,
          .reserved = 0,
          .integer = place.integer,
          .real = place.real,
          .text = place.text.data()};
}

ridge_array array_of(const array_place& place, std::span<std::byte> bytes) {
  return {.name = place.name.data(),
          .type = place.type,
          .direction = place.direction,
          .dimensions = 1,
          .element_bytes = static_cast<std::uint32_t>(size_of(static_cast<dtype>(place.type))),
          .extents = {place.count, 1, 1, 1},
          .data = bytes.empty() ? nullptr : bytes.data()};
}

}  // namespace

problem_table::problem_table(const assignment& given, std::span<std::byte> inputs,
                             std::span<std::byte> outputs) {
  for (std::size_t i = 0; i < given.parameter_count; ++i)
    parameters_.push_back(parameter_of(given.parameters[i]));
  arrays_.reserve(given.members * given.array_count);
  for (std::size_t member = 0; member < given.members; ++member) {
    for (std::size_t i = 0; i < given.array_count; ++i)
      arrays_.push_back(array_of(given.arrays[i], payload(given, member, i, inputs, outputs)));
  }
  problems_.reserve(given.members);
  for (std::size_t member = 0; member < given.members; ++member) {
    problems_.push_back({.abi = RIDGE_CANDIDATE_ABI,
                         .threads = given.threads,
                         .experiment = given.experiment.data(),
                         .array_count = given.array_count,
                         .arrays = arrays_.data() + member * given.array_count,
                         .parameter_count = given.parameter_count,
                         .parameters = parameters_.data()});
  }
}

}  // namespace ridge::judge
