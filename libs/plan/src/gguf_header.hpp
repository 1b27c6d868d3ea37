// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

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

// What stands before the data of a GGUF file.
struct gguf_header {
  nlohmann::json metadata = nlohmann::json::object();  // of a long list or a list of texts, its length alone
  std::vector<gguf_tensor> tensors{};
  bool truncated = false;  // the file ends before its tensors do
};

// Reads the header of a GGUF file of `file_bytes`, version 2 or 3 (ggml, docs/gguf.md). No length that the
// file states is trusted beyond the bytes that are left of it. The error names `file`, the byte, and what is
// wrong.
[[nodiscard]] result<gguf_header> read_gguf_header(std::istream& stream, std::int64_t file_bytes,
                                                   std::string_view file);

}  // namespace ridge::plan
