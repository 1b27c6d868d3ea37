// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/train/memory_settings.hpp>
#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// Which ranks divide a kept tensor.
enum class kept_region : std::uint8_t {
  norm,                 // tensor ranks, only with sequence parallelism
  tensor,               // tensor ranks
  key_value,            // tensor ranks, up to one head each
  core,                 // tensor ranks; recomputed by selective recomputation
  routed_hidden,        // a row per expert of a token, on all ranks that share the expert
  routed_intermediate,  // the same, divided among them
};

// One kept tensor before it is divided, in bytes per token.
struct kept_term {
  std::string name{};
  std::string formula{};
  double bytes = 0;
  kept_region region{kept_region::norm};
  bool pointwise = false;  // output of a cheap operation: a norm or an activation function
};

// The kept tensors of a layer; the first is its input. Source: Korthikanti et al. (2022), section 4.1, for
// the layers of its time.
[[nodiscard]] std::vector<kept_term> kept_terms(const training_job& job, const memory_settings& settings,
                                                const layer_shape& layer);

// The divisors of each region under a plan.
struct kept_divisors {
  double norm = 1, tensor = 1, key_value = 1, expert_tensor = 1;
};
[[nodiscard]] kept_divisors divisors_of(const training_plan& plan, double kv_heads);

// Sums of terms by region.
struct kept_sums {
  double norm = 0, tensor = 0, key_value = 0, core = 0, routed_hidden = 0, routed_intermediate = 0;
  void add(kept_region region, double bytes);
  [[nodiscard]] double without_core(const kept_divisors& divisors) const {
    return (norm + routed_hidden * divisors.expert_tensor + routed_intermediate) / divisors.norm +
           tensor / divisors.tensor + key_value / divisors.key_value;
  }
};

// Parameters of one layer by the ranks that divide them.
struct layer_parameters {
  double tensor = 0;      // matrices divided by tensor ranks
  double key_value = 0;   // the same, up to one head each
  double replicated = 0;  // matrices on every tensor rank: routers, compressing projections of MLA
  double vectors = 0;     // norms
  double experts = 0;     // routed
  double adapters_tensor = 0, adapters_replicated = 0;  // LoRA of the rank in the settings
  double widest_matrix = 0;                             // the largest one, undivided
};

[[nodiscard]] layer_parameters parameters_of_layer(const model_shape& model, std::size_t kind,
                                                   std::int64_t adapter_rank);

}  // namespace ridge::plan::train
