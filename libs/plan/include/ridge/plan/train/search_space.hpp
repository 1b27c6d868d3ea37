// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// Which plans are looked at. An empty list is every value that divides what it splits, up to its limit.
struct search_space {
  std::vector<int> tensor{}, pipeline{}, virtual_pipeline{}, context{}, data{}, expert{}, expert_tensor{};
  std::vector<int> micro_batch{};
  std::vector<recomputation> recompute{recomputation::none, recomputation::selective, recomputation::full};
  std::vector<sharding> shard{sharding::none, sharding::optimizer, sharding::gradients, sharding::weights};
  std::vector<bool> sequence_parallel{true};  // asked only where there are tensor ranks

  int scale_up_size = 8;             // GPUs that tensor ranks may span
  bool tensor_across_nodes = false;  // they may span more, up to max_tensor
  int max_tensor = 0;                // 0: scale_up_size, or 64 across nodes
  int max_pipeline = 256;
  int max_virtual_pipeline = 16;
  int max_context = 64;
  int min_context_tokens = 1024;  // of a sequence on one context rank, where there are several
  int max_micro_batch = 8;        // powers of two
  int max_expert = 512;
  double min_used = 0.5;  // a plan must use more than this share of the GPUs given
};

// "tp=8,pp=4,zero=1": the axes named are fixed to one value. Names: tp pp vp cp dp ep etp mbs, zero (0 to 3),
// recompute (none, selective, full), sp (on, off). The error names the part that is not understood and lists
// the names.
[[nodiscard]] result<search_space> fixed(const search_space& within, std::string_view text);

// Values of every axis that this model and job allow, lists and limits applied; what a search walks through.
// Data ranks are found on the way: divisors of the global batch.
struct search_axes {
  std::vector<int> tensor{}, context{}, expert{}, micro_batch{};
  std::vector<std::int64_t> data{};
  struct stages {
    int pipeline = 1;
    std::vector<int> virtual_pipeline{};
  };
  std::vector<stages> pipeline{};
};

// The error names an axis on which nothing is left, and why.
[[nodiscard]] result<search_axes> axes_of(const training_job& job, const search_space& space);

// How experts may be cut further by so many tensor ranks: not at all or by all of them, unless the space
// says.
[[nodiscard]] std::vector<int> expert_tensor_of(const training_job& job, const search_space& space,
                                                int tensor);

}  // namespace ridge::plan::train
