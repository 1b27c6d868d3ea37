// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::kernels {

// The model for which the layers of a profile are stacked.
struct profile_shape {
  std::int64_t layers = 0;
  std::int64_t active_experts = 0, experts = 0;  // 0: dense
  std::int64_t hidden = 0, vocabulary = 0;       // what collectives exchange; 0: none
  // Products that dense.csv and per_sequence.csv must hold, by vLLM's names ("qkv_proj", "lm_head").
  std::vector<std::string> dense_parts{}, sequence_parts{};
};

// The numbers of layers and experts of a model, its widths, and the products that its layers must have.
[[nodiscard]] profile_shape profile_shape_of(const model_shape& m);

// Makes a timer from measured layers in a folder with dense.csv (layer, tokens, time_us), per_sequence.csv
// (layer, sequences, time_us), attention.csv (prefill_chunk, kv_prefill, n_decode, kv_decode, time_us) and,
// for models with experts, moe.csv (tokens, activated_experts, time_us). skew.csv is used where decodes of
// unequal contexts were measured and the meta.yaml beside or above does not disable it. The format is that of
// LLMServingSim's profiler ("output bundle", version 1.0.0), its later layout too (prefill_key, decode_q_len,
// ep). Points that attention.csv lacks are filled in. Times are of one rank without collectives. The error
// names the file, line and column.
[[nodiscard]] result<std::unique_ptr<serve::iteration_timer>> read_layer_profile(
    const std::filesystem::path& folder, const profile_shape& shape);

// A profile that is stacked to the model of a layout, on GPUs whose links carry its collectives.
struct profile_question {
  std::filesystem::path folder{};
  profile_shape shape{};
  parallel_layout layout{};  // `tensor` as measured; see ranks_together()
  accelerator gpu{};
};
struct timed_layers {
  std::unique_ptr<serve::iteration_timer> timer{};
  std::vector<std::string> notes{};  // points that were filled in, and the source of the collectives
};

// The number of data-parallel ranks that step together because they share experts, in one timer; else 1, and
// each rank is an engine of its own.
[[nodiscard]] int ranks_together(const profile_shape& shape, const parallel_layout& layout);

// The timer of all ranks that step together, with their collectives: with tensor parallelism an all-reduce
// after attention and after the feed-forward of each layer, one of the embedding and an all-gather of the
// logits; with experts shared by data-parallel ranks an all-gather of the tokens before and a reduce-scatter
// after them (the default of vLLM) instead of the second all-reduce. Experts divided among ranks take the
// busiest rank's share: 1 + m · sqrt(c² (1/e - 1/E) + (n-1)/(tokens · k)) times the mean, m the expected
// maximum of n normal deviates, e experts a rank of E, c the variation of a popularity that is log-uniform
// over a factor of 20. A pipeline divides a step into as many micro-batches as it has stages. The error names
// parts of the model that were not measured, and a GPU other than the one asked for on which they were, by
// the meta.yaml in or above the folder; where that says nothing of it, a note does.
[[nodiscard]] result<timed_layers> stack_layers(const profile_question& question);

// Finds the profile of a tensor-parallel degree: the folder itself, its tp<N>, or the only such folder
// further down. The error says what was found instead: nothing, several, or another degree.
[[nodiscard]] result<std::filesystem::path> find_layer_profile(const std::filesystem::path& below,
                                                               int tensor_parallel);

}  // namespace ridge::plan::kernels
