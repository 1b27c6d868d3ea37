// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::accuracy {

// Models of Korthikanti et al. (2022), "Reducing Activation Recomputation in Large Transformer Models",
// table 3, and what a GPU holds of their layers: weights with optimizer (18 bytes per parameter), activations
// without recomputation, and with sequence parallelism and selective recomputation.
struct published_memory {
  std::string_view name{};
  int heads = 0, hidden = 0, layers = 0;
  int tensor = 0, pipeline = 0, virtual_pipeline = 0;
  int global_batch = 0, micro_batch = 0;
  double states_gib = 0, activations_gib = 0, lean_activations_gib = 0;
};

inline constexpr std::array published_memories{
    published_memory{"22B", 64, 6144, 48, 8, 1, 1, 4, 4, 45.5625, 59.25, 9.5625},
    published_memory{"175B", 96, 12288, 96, 8, 8, 3, 64, 1, 45.5625, 66.84, 12.35},
    published_memory{"530B", 128, 20480, 105, 8, 35, 3, 280, 1, 31.64, 114.02, 23.08},
    published_memory{"1T", 160, 25600, 128, 8, 64, 1, 512, 1, 32.96, 131.25, 26.56},
};

// Figure 7 of the same: activations as a percentage of those of tensor parallelism alone, with sequence
// parallelism, with selective recomputation, with both, with full recomputation.
struct published_shares {
  std::string_view name{};
  std::array<double, 5> percent{};
};

inline constexpr std::array published_relative{
    published_shares{"22B", {100, 66.84, 49.42, 16.18, 7.64}},
    published_shares{"175B", {100, 62.04, 56.53, 18.49, 8.71}},
};

// GPT with learned positions, biases, tied embeddings, 51,200 words and sequences of 2,048.
[[nodiscard]] train::training_job job_of(const published_memory& p);
[[nodiscard]] train::training_plan plan_of(const published_memory& p, train::recomputation r,
                                           bool sequence_parallel);
// The plan of a column of published_shares.
[[nodiscard]] train::training_plan plan_of_column(const published_memory& p, std::size_t column);

}  // namespace ridge::plan::accuracy
