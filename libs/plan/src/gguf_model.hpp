// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::plan {

// Whether the file begins as a GGUF file does.
[[nodiscard]] bool is_gguf(const std::filesystem::path& file);
// Reads a model from the header of a GGUF file, and of the other files of one that is split: its shape from
// the metadata, the bytes of its weights from the tensors. The error names the file and what is wrong with
// it.
[[nodiscard]] result<model_shape> read_gguf_model(const std::filesystem::path& file);

}  // namespace ridge::plan
