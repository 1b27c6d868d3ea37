// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/memory.hpp>
#include <ridge/harness/problem.hpp>

#include "exchange/assignment.hpp"

namespace ridge::judge {

// Describes the workload's arrays and the problem in an assignment: names, places inside a member, strides,
// and as many members as `most_bytes` and `most_members` allow, one at least. Every array of the outputs has
// guards on both sides. An error for workloads that a candidate cannot be given: files, more
// arrays or parameters than an assignment holds. `made.on_gpu` decides the alignment.
[[nodiscard]] result<void> lay_out(const std::vector<array_record>& arrays, const problem& p,
                                   std::size_t most_bytes, std::size_t most_members, assignment& made);

// The payload of array `index` of a member. `inputs` and `outputs` are the mappings.
[[nodiscard]] std::span<std::byte> payload(const assignment& given, std::size_t member, std::size_t index,
                                           std::span<std::byte> inputs, std::span<std::byte> outputs);

// Bytes of the guard on one side of an array, of those that are painted and looked at.
inline constexpr std::size_t guard_bytes = 64;

// Visits the guards before and after every array that is written, of all members, until `visit` returns
// false.
using guard_visitor = std::function<bool(std::size_t member, const array_place& place,
                                         std::span<std::byte> before, std::span<std::byte> after)>;
void each_guard(const assignment& given, std::span<std::byte> outputs, const guard_visitor& visit);

// Paints the guards of all members, and describes the first one that was written since; empty where none was.
void paint_guards(const assignment& given, std::span<std::byte> outputs);
[[nodiscard]] std::string guard_damage(const assignment& given, std::span<std::byte> outputs);

// Whether a call writes the array.
[[nodiscard]] bool is_written(const array_place& place);

// The text of a zero-terminated field.
template <std::size_t N>
[[nodiscard]] std::string text_of(const std::array<char, N>& field) {
  std::size_t length = 0;
  while (length < N && field[length] != '\0') ++length;
  return {field.data(), length};
}

}  // namespace ridge::judge
