// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::plan {

// The models embedded in the program, under their names on Hugging Face.
[[nodiscard]] std::span<const model_shape> embedded_models();

// Finds an embedded model by its full name ("meta-llama/Llama-3.1-70B"), by the last part of it in any case
// ("llama-3.1-70b"), or by an alias of the catalogue ("deepseek-ai/DeepSeek-R1",
// "meta-llama/Llama-3.1-70B-Instruct"). The error names the nearest and says that --config reads any
// config.json.
[[nodiscard]] result<model_shape> model_named(std::string_view name);

// Reads a Hugging Face config.json of any architecture, of at most 8 MiB, or the header of a GGUF file.
// `doubts` lists what was not understood. The error names the file and the member, as a JSON pointer:
// "config.json: /num_attention_heads: -4 is no number of heads".
[[nodiscard]] result<model_shape> read_model_config(const std::filesystem::path& file);
[[nodiscard]] result<model_shape> parse_model_config(std::string_view text, std::string_view name);

}  // namespace ridge::plan
