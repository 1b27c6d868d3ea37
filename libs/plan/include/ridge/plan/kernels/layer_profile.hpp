// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::kernels {

// The model for which the layers of a profile are stacked.
struct profile_shape {
  std::int64_t layers = 0;
  std::int64_t active_experts = 0, experts = 0;  // 0: dense
};

// The numbers of layers and experts of a model.
[[nodiscard]] profile_shape profile_shape_of(const model_shape& m);

// Makes a timer from measured layers in a folder with dense.csv (layer, tokens, time_us), per_sequence.csv
// (layer, sequences, time_us), attention.csv (prefill_chunk, kv_prefill, n_decode, kv_decode, time_us) and,
// for models with experts, moe.csv (tokens, activated_experts, time_us). skew.csv is used where decodes of
// unequal contexts were measured and the meta.yaml beside or above does not disable it. The format is that of
// LLMServingSim's profiler ("output bundle", version 1.0.0). Times are of one rank without collectives. The
// error names the file, line and column.
[[nodiscard]] result<std::unique_ptr<serve::iteration_timer>> read_layer_profile(
    const std::filesystem::path& folder, const profile_shape& shape);

// Finds the profile of a tensor-parallel degree: the folder itself, its tp<N>, or the only such folder
// further down. The error lists what was found instead.
[[nodiscard]] result<std::filesystem::path> find_layer_profile(const std::filesystem::path& below,
                                                               int tensor_parallel);

}  // namespace ridge::plan::kernels
