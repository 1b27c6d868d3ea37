// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/dtype.hpp>
#include <ridge/device/distribution.hpp>

namespace ridge::device {

// An array to generate in a test.
struct drawing {
  dtype type{};
  distribution d{};
  std::uint64_t key = 0x0123456789ABCDEF;
};

std::string label(const drawing& drawn);

// Elements [first, first + count) of `whole_count` by the definition alone, one at a time.
std::vector<std::byte> definition_of(const drawing& drawn, std::uint64_t first, std::size_t count,
                                     std::uint64_t whole_count);

// The same by fill().
std::vector<std::byte> filled(const drawing& drawn, std::uint64_t first, std::size_t count,
                              std::uint64_t whole_count);

// The instruction sets of this machine that have code of their own, as Highway's target bits.
std::vector<std::int64_t> instruction_sets();

}  // namespace ridge::device
