// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::plan {

// The products of a layer that adapters change.
enum class adapter_targets : std::uint8_t {
  attention,  // queries, keys, values and the output
  all,        // and those of dense blocks and shared experts; routed experts have none
};
// The targets of a name; the error lists the names.
[[nodiscard]] result<adapter_targets> adapter_targets_named(std::string_view name);  // "attention" "all"

// LoRA adapters that are served beside a model: W x + B (A x) with A of rank · inputs and B of outputs · rank
// (Hu et al., 2021). Requests use one each.
struct adapter_choice {
  std::int64_t count = 0;  // 0: none, and no other member counts
  std::int64_t rank = 0;
  adapter_targets targets{adapter_targets::all};
  std::int64_t resident = 0;  // in the GPU's memory at a time (vLLM's max_loras); 0: all of them

  // The number in the GPU's memory.
  [[nodiscard]] std::int64_t on_gpu() const { return resident > 0 && resident < count ? resident : count; }
};
// The error names the member that is out of range, or says that the model has no such products.
[[nodiscard]] result<void> check_adapters(const model_shape& m, const adapter_choice& a);

// One adapted product of a layer.
struct adapted_product {
  // What tensor ranks divide. Without fully sharded adapters the other matrix is whole on every rank (vLLM,
  // config/lora.py, fully_sharded_loras): A of products divided by outputs, B of those divided by inputs.
  enum class division : std::uint8_t { outputs, inputs, nothing };
  std::int64_t inputs = 0, outputs = 0;
  division divided{division::outputs};
  std::int64_t most_ranks = 0;  // beyond it, outputs are copied: key-value heads; 0: no limit
  int launch = 0;  // products with the same number share one pair of kernels: queries, keys, values

  // Elements per unit of rank of A and of B on one of `ranks` tensor ranks.
  [[nodiscard]] double a_elements(double ranks) const;
  [[nodiscard]] double b_elements(double ranks) const;
};
// Those of one layer of a model that is `hidden` wide.
[[nodiscard]] std::vector<adapted_product> adapted_products(const layer_shape& layer, std::int64_t hidden,
                                                            adapter_targets targets);

// Bytes of one adapter's part in a layer on one of `ranks` tensor ranks; adapters have 16 bits, as the
// computation of the model (vLLM's lora_dtype "auto").
[[nodiscard]] double adapter_bytes(const layer_shape& layer, std::int64_t hidden, const adapter_choice& a,
                                   double ranks);

}  // namespace ridge::plan
