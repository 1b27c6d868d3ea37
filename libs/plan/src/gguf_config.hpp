// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/plan/model_shape.hpp>

#include "gguf_header.hpp"

namespace ridge::plan {

// The model that the metadata and the tensors' names and sizes of a GGUF file describe, without the formats
// of its weights. The error names the architecture that cannot be read from a GGUF file, or what the reader
// of configurations finds wrong.
[[nodiscard]] result<model_shape> shape_of_gguf(const gguf_header& header, std::string_view name,
                                                std::string_view file);

}  // namespace ridge::plan
