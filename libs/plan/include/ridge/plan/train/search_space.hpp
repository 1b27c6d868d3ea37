// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// The plans to search. An empty list means every value that divides evenly, up to its limit.
struct search_space {
  std::vector<int> tensor{}, pipeline{}, virtual_pipeline{}, context{}, data{}, expert{}, expert_tensor{};
  std::vector<int> micro_batch{};
  std::vector<recomputation> recompute{recomputation::none, recomputation::selective, recomputation::full};
  std::vector<sharding> shard{sharding::none, sharding::optimizer, sharding::gradients, sharding::weights};
  std::vector<bool> sequence_parallel{true};  // applies only with tensor ranks
  std::vector<pipeline_schedule> schedule{pipeline_schedule::one_forward_one_backward};

  int scale_up_size = 8;             // GPUs that tensor ranks may span
  bool tensor_across_nodes = false;  // tensor ranks may span more GPUs, up to max_tensor
  int max_tensor = 0;                // 0: scale_up_size, or 64 across nodes
  int max_pipeline = 256;
  int max_virtual_pipeline = 16;
  int max_context = 64;
  int min_context_tokens = 1024;  // fewest tokens of a sequence per context rank
  int max_micro_batch = 8;        // powers of two
  int max_expert = 512;
  double min_used = 0.5;  // a plan must use more than this share of the GPUs
};

// Fixes the named axes of `within` to one value each: "tp=8,pp=4,zero=1". Names: tp pp vp cp dp ep etp mbs,
// zero (0 to 3), recompute (none, selective, full), sp (on, off), schedule (1f1b, dualpipe). The error names
// the part that is not understood and lists the names.
[[nodiscard]] result<search_space> fixed(const search_space& within, std::string_view text);

// Values of every axis for one model and job, with lists and limits applied. `data` holds the divisors of the
// global batch.
struct search_axes {
  std::vector<int> tensor{}, context{}, expert{}, micro_batch{};
  std::vector<std::int64_t> data{};
  struct stages {
    int pipeline = 1;
    std::vector<int> virtual_pipeline{};
  };
  std::vector<stages> pipeline{};
};

// The axes to search for this job. The error names an axis on which no value is left, and why.
[[nodiscard]] result<search_axes> axes_of(const training_job& job, const search_space& space);

// Possible numbers of tensor ranks that share one expert: 1 or all of them, unless the space lists others.
[[nodiscard]] std::vector<int> expert_tensor_of(const training_job& job, const search_space& space,
                                                int tensor);

}  // namespace ridge::plan::train
