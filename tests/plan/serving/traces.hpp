// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serving_programs {

// Azure's trace of 2023 (TIMESTAMP,ContextTokens,GeneratedTokens), repeated so many times.
[[nodiscard]] serve::request_table read_azure(const std::filesystem::path& file, int repeats);

// Mooncake's trace (timestamp in ms, input_length, output_length, hash_ids of blocks of 512 tokens).
[[nodiscard]] serve::request_table read_mooncake(const std::filesystem::path& file);

// RIDGE_DATA, or shared/data beside the sources.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace ridge::plan::serving_programs
