// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::plan {

// How ggml stores the elements of a tensor: blocks of so many elements and bytes.
struct ggml_type {
  std::uint32_t number = 0;
  std::string_view name{};  // a name of number_formats(), or of an integer type
  std::int64_t block_elements = 1, block_bytes = 0;
};

// The type of that number in a GGUF file; empty for one that is not known.
[[nodiscard]] std::optional<ggml_type> ggml_type_of(std::uint32_t number);

}  // namespace ridge::plan
