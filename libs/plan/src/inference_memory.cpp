// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/inference_memory.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <ridge/plan/number_format.hpp>

#include "as_real.hpp"
#include "inference_parts.hpp"
#include "stored_weights.hpp"
#include "train/layer_memory.hpp"

namespace ridge::plan {
namespace {

applied_formats formats_of(const inference_setup& s, const number_format& format) {
  const bool own = s.weight_format.empty() || format.name == s.model.weight_format;
  return {.weights = format,
          .experts_only = s.quantize_experts_only || (own && s.model.experts_only_quantized),
          .own = own && !s.quantize_experts_only};
}

constexpr double tower_bytes = 2;  // a parameter

struct rank_maker {
  const inference_setup& s;
  applied_formats formats{};
  stored_ends ends{};
  double tensor = 1, attention_ranks = 1, expert_ranks = 1;
  inference_rank made{};

  rank_maker(const inference_setup& setup, const number_format& format)
      : s(setup), formats(formats_of(setup, format)), ends(bytes_of_ends(setup.model, formats)) {
    const auto& l = s.layout;
    tensor = l.tensor;
    attention_ranks = l.data_parallel_attention ? 1 : tensor;
    const double given = as_real(std::int64_t{l.expert} * l.expert_tensor);
    expert_ranks = given > 1 ? given : tensor;
  }

  void add_layer(std::size_t kind) {
    const auto counts = counts_of_kind(s.model, kind);
    const auto bytes = bytes_of_layer(s.model, s.model.kinds[kind], formats);
    const auto p = train::parameters_of_layer(s.model, kind, 0);
    const double kv_heads = as_real(s.model.kinds[kind].attention.kv_heads);
    const double compressing = p.replicated - as_real(counts.router);
    const double heads = as_real(counts.attention) - p.key_value - compressing;
    const double key_value_ranks = kv_heads > 0 ? std::min(attention_ranks, kv_heads) : attention_ranks;
    made.attention_bytes +=
        bytes.attention * (heads / attention_ranks + p.key_value / key_value_ranks + compressing);
    made.feed_forward_bytes += (bytes.dense_feed_forward * as_real(counts.dense_feed_forward) +
                                bytes.shared_experts * as_real(counts.shared_experts)) /
                               tensor;
    made.experts_bytes += bytes.experts * as_real(counts.experts) / expert_ranks;
    made.other_bytes += bytes.plain * as_real(counts.norms + counts.router);
    made.adapters_bytes += as_real(s.adapters.on_gpu()) *
                           adapter_bytes(s.model.kinds[kind], s.model.hidden, s.adapters, attention_ranks);
    made.forward_bytes = std::max(
        made.forward_bytes, widest_bytes(s, s.model.kinds[kind], {attention_ranks, tensor, expert_ranks}));
  }

  void add_ends(bool first, bool last) {
    const auto& m = s.model;
    const double rows = as_real(m.vocabulary * m.hidden) / tensor;
    if (first) {
      made.embedding_bytes = ends.embedding * (rows + as_real(m.position_embeddings * m.hidden));
      made.encoder_bytes = bytes_of_layer(m, m.encoder.layer, formats).attention *
                           as_real(count_parameters(m).encoder) / tensor;
      // Checkpoints keep the tower at 16 bits, and tensor ranks divide it (vLLM's mm_encoder_tp_mode
      // "weights").
      made.encoder_bytes += tower_bytes * as_real(m.vision.parameters) / tensor;
      made.other_bytes += ends.plain * as_real(m.other_parameters);
    }
    if (!last) return;
    const bool shared = m.tied_embeddings && first;
    made.head_bytes = shared ? 0 : rows * (m.tied_embeddings ? ends.embedding : ends.head);
    made.other_bytes += ends.plain * as_real(m.final_norm_parameters);
    made.sampler_bytes = sampler_peak_bytes(s);
  }

  void add_rest(std::int64_t layers) {
    const auto& l = s.layout;
    const int groups =
        (l.tensor > 1) + (l.pipeline > 1) + (l.context > 1) + (l.expert > 1) + (l.data > 1 && l.expert > 1);
    made.cuda_graph_bytes = s.cuda_graphs ? s.graph_bytes_per_layer * as_real(layers) : 0;
    made.runtime_bytes = s.runtime_bytes;
    made.context_bytes = s.context_bytes + s.communicator_bytes * groups;
  }
};

inference_rank rank_of(const inference_setup& s, const number_format& weights, const number_format& kv,
                       int stage) {
  rank_maker make(s, weights);
  const auto layers = stage_of(s.model.layers(), s.layout.pipeline, stage);
  for (auto i = layers.first; i < layers.last; ++i)
    make.add_layer(s.model.order[static_cast<std::size_t>(i)]);
  make.add_ends(stage == 0, stage == s.layout.pipeline - 1);
  make.add_rest(layers.last - layers.first);
  auto part = s.model;
  part.order.assign(s.model.order.begin() + layers.first, s.model.order.begin() + layers.last);
  auto layout = s.layout;
  layout.pipeline = 1;
  make.made.cache = kv_parts(part, kv, layout);
  return std::move(make.made);
}

result<void> check(const inference_setup& s) {
  if (s.layout.pipeline < 1)
    return error{fmt::format("{} pipeline stages", s.layout.pipeline),
                 "give 1 or more; 1 is without a pipeline"};
  if (s.layout.pipeline > s.model.layers())
    return error{fmt::format("{} pipeline stages for {} layers", s.layout.pipeline, s.model.layers()),
                 "give at most as many stages as layers"};
  auto flat = s.layout;  // stages need not be equal when serving
  flat.pipeline = flat.virtual_pipeline = 1;
  if (auto fine = check_layout(s.model, flat); !fine) return fine;
  if (auto fine = check_adapters(s.model, s.adapters); !fine) return fine;
  const std::array<std::pair<const char*, std::int64_t>, 3> counts{
      {{"max batched tokens", s.max_batched_tokens},
       {"max sequences", s.max_sequences},
       {"block size", s.block_tokens}}};
  for (const auto& [name, n] : counts) {
    if (n < 1 || n > (std::int64_t{1} << 32)) return error{fmt::format("{}: {}", name, n), "give 1 or more"};
  }
  return {};
}

}  // namespace

parameter_counts counts_of_kind(const model_shape& m, std::size_t kind) {
  const auto at = std::ranges::find(m.order, static_cast<std::uint8_t>(kind)) - m.order.begin();
  return count_parameters(m, at, at + 1);
}

result<std::vector<inference_rank>> inference_memory(const inference_setup& s) {
  if (const auto fine = check(s); !fine) return fine.why();
  const auto weights = number_format_named(s.weight_format.empty() ? s.model.weight_format : s.weight_format);
  if (!weights) return weights.why();
  const auto kv = number_format_named(s.kv_format);
  if (!kv) return kv.why();
  std::vector<inference_rank> ranks;
  for (int i = 0; i < s.layout.pipeline; ++i) ranks.push_back(rank_of(s, *weights, *kv, i));
  return ranks;
}

}  // namespace ridge::plan
