// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/plan/train/training_memory.hpp>

#include "layer_memory.hpp"

namespace ridge::plan::train {

// Memory of one kind of layer before a plan divides it. Kept bytes are per token.
struct kind_table {
  kept_sums kept{};
  kept_sums kept_lean{};  // without outputs of cheap operations
  double input = 0;       // input of the layer
  double kv_heads = 0;    // 0: tensor ranks divide no keys and values
  double ring = 0;        // keys and values sent by context parallelism
  double sent_to_experts = 0;
  double wide_gradient = 0;         // widest tensor inside, divided by tensor ranks
  double wide_routed_gradient = 0;  // widest tensor of experts
  layer_parameters parameters{};
};

// A stage that may need most: its index and its number of layers of each kind; with DualPipe those of the
// opposite stage are among them.
struct stage_counts {
  std::int64_t stage = 0;
  std::span<const std::int32_t> of_kind{};
};

struct memory_model::tables {
  tables(const training_job& job, const memory_settings& settings);

  training_job job;
  memory_settings settings;
  std::vector<kind_table> kinds{};
  std::int64_t layers = 0, prediction_layers = 0;
  double hidden = 0;
  double embedding = 0;      // parameters, divided by tensor ranks
  double position_rows = 0;  // parameters, whole on each
  double head = 0;           // 0: tied
  double final_norm = 0;
  double prediction_matrices = 0;  // in addition to the prediction layers themselves

  // Number of layers of each kind in a stage; the last stage includes prediction layers.
  void count_layers(std::int64_t pipeline, std::int64_t virtual_pipeline, std::int64_t stage,
                    std::span<std::int32_t> of_kind) const;
  // Number of layers of each kind on the ranks of a stage.
  void count_layers(const training_plan& plan, std::int64_t stage, std::span<std::int32_t> of_kind) const;
  // Candidates for the stage that needs most under any plan: the first of all stages with the same layers.
  [[nodiscard]] std::size_t candidates(std::int64_t pipeline, std::int64_t virtual_pipeline) const;
  [[nodiscard]] std::size_t candidate_count(std::size_t candidates) const;
  [[nodiscard]] stage_counts candidate(std::size_t candidates, std::size_t index) const;

 private:
  struct span_of_stages {
    std::uint32_t first = 0, count = 0;
  };
  std::vector<std::int32_t> prefix_{};   // for each kind: its layers before a layer
  std::vector<std::size_t> row_of_{};    // by pipeline: its first entry in spans_
  std::vector<span_of_stages> spans_{};  // by virtual pipeline
  std::vector<std::int32_t> stages_{};   // stage, then its counts
  void compile_kinds();
  void compile_prefix();
  void compile_candidates();
  void add_candidates(std::int64_t pipeline, std::int64_t virtual_pipeline);
};

// Memory of one kind of layer on one rank under a plan. Not initialized before a plan sets it: there is room
// for 256 kinds, and most models have two.
struct kind_rates {
  double matrices, vectors, experts, adapters;  // parameters
  double kept;                                  // bytes per micro-batch
  double recomputed;     // bytes recomputed for the backward pass of one layer, and its widest gradient
  double gathered;       // bytes of gathered weights and gradients, when they are sharded
  double communication;  // bytes of buffers
  double scratch;        // temporary bytes of the optimizer
};

// Memory under a plan, apart from the stage.
struct plan_rates {
  plan_rates(const memory_model::tables& tables, const training_plan& plan);

  const training_plan& plan;
  std::int64_t pipeline = 1, micro_batches = 1;
  double tokens = 0;  // per micro-batch on one rank
  double share = 1;   // share of divided states per data-parallel rank: 1 / ranks
  double expert_share = 1;
  // Bytes per parameter, with shares applied.
  double weight = 0, gradient = 0, matrix_state = 0, vector_state = 0;
  double expert_weight = 0, expert_gradient = 0, expert_state = 0;
  double adapter_weight = 0, adapter_gradient = 0, adapter_state = 0;
  double embedding_parameters = 0, head_matrices = 0, head_vectors = 0;
  double embedding_kept = 0;  // per micro-batch
  double logits = 0;
  double embedding_gathered = 0;
  double communication = 0;
  double context = 0;
  kept_divisors divisors{};
  std::array<kind_rates, 256> kinds;

 private:
  void set_state_bytes(const memory_model::tables& tables, const training_plan& plan);
  void set_ends(const memory_model::tables& tables, const training_plan& plan);
  void set_fixed(const memory_model::tables& tables, const training_plan& plan);
  void set_kind(const memory_model::tables& tables, const training_plan& plan, std::size_t k);
};

// Parameters on a rank of a stage, with undivided states.
struct stage_parameters {
  double matrices = 0, vectors = 0, experts = 0, adapters = 0;
  [[nodiscard]] double dense() const { return matrices + vectors; }
};

[[nodiscard]] stage_parameters parameters_of_stage(const plan_rates& r, const stage_counts& s);
[[nodiscard]] rank_memory memory_of_stage(const memory_model::tables& tables, const plan_rates& r,
                                          const stage_counts& s);

// Bytes of optimizer state per parameter: of matrices of layers, and of all other parameters.
[[nodiscard]] double matrix_state_bytes(const memory_settings& s);
[[nodiscard]] double vector_state_bytes(const memory_settings& s);
// Ranks that divide one copy of the states of dense parameters, and of those of experts.
[[nodiscard]] double sharding_ranks(const memory_settings& s, const parallel_layout& l);
[[nodiscard]] double expert_sharding_ranks(const memory_settings& s, const parallel_layout& l);
// Whether the ranks of a stage have the embedding, and the head.
[[nodiscard]] bool has_embedding(const training_plan& plan, std::int64_t stage);
[[nodiscard]] bool has_head(const training_plan& plan, std::int64_t stage);

}  // namespace ridge::plan::train
