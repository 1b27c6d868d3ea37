// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::kernels {

// Of the model that a profile's layers are stacked to.
struct profile_shape {
  std::int64_t layers = 0;
  std::int64_t active_experts = 0, experts = 0;  // 0: dense
};

[[nodiscard]] profile_shape profile_shape_of(const model_shape& m);

// A timer from measured layers: a folder with dense.csv (layer, tokens, time_us), per_sequence.csv (layer,
// sequences, time_us), attention.csv (prefill_chunk, kv_prefill, n_decode, kv_decode, time_us) and, for
// models with experts, moe.csv (tokens, activated_experts, time_us). skew.csv is used where decodes of
// unequal contexts were measured and the meta.yaml beside or above does not disable it. The format is that of
// LLMServingSim's profiler ("output bundle", version 1.0.0). Of one rank: collectives are not in it.
[[nodiscard]] result<std::unique_ptr<serve::iteration_timer>> read_layer_profile(
    const std::filesystem::path& folder, const profile_shape& of);

// The profile of this tensor-parallel degree below a folder: the folder itself, its tp<N>, or the only one
// further down.
[[nodiscard]] result<std::filesystem::path> find_layer_profile(const std::filesystem::path& below,
                                                               int tensor_parallel);

}  // namespace ridge::plan::kernels
