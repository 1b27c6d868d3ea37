// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/plan/engine_budget.hpp>

namespace ridge::plan {
namespace {

// Width of the widest layer: of a dense block, or of the experts that a token uses.
std::int64_t widest(const model_shape& m) {
  std::int64_t most = 0;
  for (const auto& l : m.kinds) {
    const auto& f = l.feed_forward;
    const auto experts = f.active_experts * f.expert_intermediate + f.shared_experts * f.shared_intermediate;
    most = std::max({most, f.intermediate, experts});
  }
  return most;
}

}  // namespace

engine_estimate estimate_engine(const model_shape& m, const parallel_layout& layout, std::int64_t step_tokens,
                                std::int64_t sequences) {
  constexpr double mib = 1024.0 * 1024, element = 2;
  const auto ranks = static_cast<double>(layout.data_parallel_attention ? 1 : layout.tensor);
  const auto hidden = static_cast<double>(m.hidden), wide = static_cast<double>(widest(m)) / ranks;
  const double layer = static_cast<double>(step_tokens) * element * (3 * hidden + 3 * wide);
  // Logits of the vocabulary in fp32, sorted with 8-byte indices for top-p.
  const double sampler = static_cast<double>(sequences * m.vocabulary) * (4 + 4 + 8);
  return {.activation_bytes = std::max(layer, sampler),
          .graph_bytes = 10 * mib * static_cast<double>(m.layers()),
          .context_bytes = (layout.gpus() > 1 ? 768 : 512) * mib};
}

double weight_bytes_per_gpu(const model_shape& m, double all_weight_bytes, const parallel_layout& layout) {
  const auto n = count_parameters(m);
  const double attention =
      all_weight_bytes * static_cast<double>(n.attention) / static_cast<double>(n.total());
  const double whole = layout.data_parallel_attention ? attention : 0;
  return ((all_weight_bytes - whole) / layout.tensor + whole) / layout.pipeline;
}

}  // namespace ridge::plan
