// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <ridge/base/result.hpp>

#include "ggml_type.hpp"

namespace ridge::plan {

// A tensor of a GGUF file: dimensions from the fastest, bytes of its whole blocks, and where it begins after
// the header.
struct gguf_tensor {
  std::string name{};
  std::vector<std::int64_t> dimensions{};
  std::int64_t elements = 0, bytes = 0, offset = 0;
  ggml_type type{};
};

// A value of the metadata; truths of a list are 0 and 1. Of long lists and of lists of texts or real numbers
// nothing is kept.
using gguf_value =
    std::variant<std::monostate, std::int64_t, double, bool, std::string, std::vector<std::int64_t>>;

// What stands before the data of a GGUF file.
struct gguf_header {
  std::map<std::string, gguf_value, std::less<>> metadata{};
  std::vector<gguf_tensor> tensors{};
  bool truncated = false;  // the file ends before its tensors do
};

// A whole number of the metadata from 0 to 2^40; 0 where it is absent or anything else.
[[nodiscard]] std::int64_t whole_of(const gguf_header& header, std::string_view name);

// Reads the header of a GGUF file of `file_bytes`, version 2 or 3 (ggml, docs/gguf.md). No length that the
// file states is trusted beyond the bytes that are left of it. The error names `file`, the byte, and what is
// wrong.
[[nodiscard]] result<gguf_header> read_gguf_header(std::istream& stream, std::int64_t file_bytes,
                                                   std::string_view file);

}  // namespace ridge::plan
