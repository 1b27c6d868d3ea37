// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/experiment.hpp>

#include "chain_length.hpp"

namespace ridge::experiments::ch01_graph_launch {

// A chain of 256 element-wise operations, each on what the one before left: y * p, y + addend, max(y, p), y -
// p, 64 times over, with p = parameters[k] of operation k. `target` holds y between operations.
struct workload {
  input<float> source{};
  input<float> addend{};
  input<float> parameters{};  // chain_length of them, above zero
  output<float> target{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_graph_launch
