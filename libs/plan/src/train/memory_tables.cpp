// SPDX-License-Identifier: Apache-2.0
#include "memory_tables.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>

#include "as_real.hpp"

namespace ridge::plan::train {
namespace {

bool divides_keys(const attention_shape& a) {
  return a.kind != attention_kind::latent && a.kind != attention_kind::linear &&
         a.kind != attention_kind::none;
}

// Tensor ranks send each other what context ranks hold of keys and values: bf16.
double ring_bytes(const attention_shape& a) {
  if (a.kind == attention_kind::latent)
    return 2 * as_real(a.heads) * as_real(a.nope_dim + a.rope_dim + a.value_head_dim);
  if (!divides_keys(a) || a.reuses_cache) return 0;
  return 2 * as_real(a.kv_heads) * as_real(a.head_dim + (a.shared_key_value ? 0 : a.value_head_dim));
}

kind_table table_of(const training_job& job, const memory_settings& s, std::size_t kind) {
  const auto& layer = job.model.kinds[kind];
  const auto& f = layer.feed_forward;
  const double wide = (f.gated ? 2 : 1) * 2.0;
  kind_table t{
      .kv_heads = divides_keys(layer.attention) ? as_real(layer.attention.kv_heads) : 0,
      .ring = ring_bytes(layer.attention),
      .sent_to_experts = (s.fp8_activations ? 1 : 2) * as_real(job.model.hidden) * as_real(f.active_experts) *
                         s.expert_imbalance,
      .wide_gradient = wide * as_real(std::max(f.intermediate, f.shared_experts * f.shared_intermediate)),
      .wide_routed_gradient = wide * as_real(f.active_experts * f.expert_intermediate) * s.expert_imbalance,
      .parameters = parameters_of_layer(job.model, kind, s.adapter_rank)};
  const auto terms = kept_terms(job, s, layer);
  for (const auto& term : terms) {
    t.kept.add(term.region, term.bytes);
    if (!term.pointwise) t.kept_lean.add(term.region, term.bytes);
  }
  if (!terms.empty()) t.input = terms.front().bytes;
  return t;
}

}  // namespace

memory_model::tables::tables(const training_job& j, const memory_settings& s) : job(j), settings(s) {
  const auto& m = job.model;
  expects(m.layers() > 0 && !m.kinds.empty(), "memory_model: a model without layers");
  layers = m.layers();
  prediction_layers = s.train_prediction_layers ? m.prediction_layers : 0;
  hidden = as_real(m.hidden);
  embedding = as_real(m.vocabulary * m.hidden);
  position_rows = as_real(m.position_embeddings * m.hidden);
  head = m.tied_embeddings ? 0 : embedding;
  final_norm = as_real(m.final_norm_parameters + m.other_parameters);
  prediction_matrices = as_real(prediction_layers) * 2 * hidden * hidden;
  compile_kinds();
  compile_prefix();
  compile_candidates();
}

void memory_model::tables::compile_kinds() {
  for (std::size_t k = 0; k < job.model.kinds.size(); ++k) kinds.push_back(table_of(job, settings, k));
}

void memory_model::tables::compile_prefix() {
  const auto rows = static_cast<std::size_t>(layers) + 1;
  prefix_.assign(kinds.size() * rows, 0);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (std::size_t l = 1; l < rows; ++l)
      prefix_[k * rows + l] = prefix_[k * rows + l - 1] + (job.model.order[l - 1] == k ? 1 : 0);
  }
}

void memory_model::tables::count_layers(std::int64_t pipeline, std::int64_t virtual_pipeline,
                                        std::int64_t stage, std::span<std::int32_t> of_kind) const {
  std::ranges::fill(of_kind, 0);
  const auto rows = static_cast<std::size_t>(layers) + 1;
  for (std::int64_t v = 0; v < virtual_pipeline; ++v) {
    const auto range =
        layers_of_chunk(layers, pipeline * virtual_pipeline, v * pipeline + stage, prediction_layers);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      of_kind[k] += prefix_[k * rows + static_cast<std::size_t>(range.last)] -
                    prefix_[k * rows + static_cast<std::size_t>(range.first)];
  }
  if (stage == pipeline - 1) of_kind[job.model.order.back()] += static_cast<std::int32_t>(prediction_layers);
}

void memory_model::tables::count_layers(const training_plan& plan, std::int64_t stage,
                                        std::span<std::int32_t> of_kind) const {
  const std::int64_t p = plan.layout.pipeline;
  count_layers(p, plan.layout.virtual_pipeline, stage, of_kind);
  if (plan.schedule != pipeline_schedule::dual_pipe) return;
  std::array<std::int32_t, 256> opposite{};
  const std::span second(opposite.data(), of_kind.size());
  count_layers(p, 1, p - 1 - stage, second);
  for (std::size_t k = 0; k < of_kind.size(); ++k) of_kind[k] += second[k];
}

// All numbers of stages and virtual stages that the layers allow, with embedding and head counted as layers.
void memory_model::tables::compile_candidates() {
  const auto most = layers + 2 + prediction_layers;
  row_of_.push_back(0);
  for (std::int64_t p = 1; p <= most; ++p) {
    row_of_.push_back(spans_.size());
    for (std::int64_t v = 1; v * p <= most; ++v) add_candidates(p, v);
  }
  row_of_.push_back(spans_.size());
}

// A later stage holds no more micro-batches than an earlier one: unless it has the head, it cannot need more
// with no more layers of any kind.
void memory_model::tables::add_candidates(std::int64_t pipeline, std::int64_t virtual_pipeline) {
  const auto width = kinds.size() + 1;
  const auto first = stages_.size();
  std::vector<std::int32_t> counts(kinds.size());
  for (std::int64_t i = 0; i < pipeline; ++i) {
    count_layers(pipeline, virtual_pipeline, i, counts);
    bool dominated = false;
    for (auto at = first; at < stages_.size() && !dominated; at += width)
      dominated = std::ranges::equal(counts, std::span(stages_).subspan(at + 1, kinds.size()),
                                     [](auto mine, auto theirs) { return mine <= theirs; });
    if (dominated && i != pipeline - 1) continue;
    stages_.push_back(static_cast<std::int32_t>(i));
    stages_.insert(stages_.end(), counts.begin(), counts.end());
  }
  spans_.push_back(
      {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>((stages_.size() - first) / width)});
}

std::size_t memory_model::tables::candidates(std::int64_t pipeline, std::int64_t virtual_pipeline) const {
  const auto p = static_cast<std::size_t>(pipeline);
  expects(pipeline > 0 && p + 1 < row_of_.size() && virtual_pipeline > 0,
          "memory_model: more stages than layers");
  const auto at = row_of_[p] + static_cast<std::size_t>(virtual_pipeline) - 1;
  expects(at < row_of_[p + 1], "memory_model: more chunks than layers");
  return at;
}

std::size_t memory_model::tables::candidate_count(std::size_t candidates) const {
  return spans_[candidates].count;
}

stage_counts memory_model::tables::candidate(std::size_t candidates, std::size_t index) const {
  const auto at = spans_[candidates].first + index * (kinds.size() + 1);
  return {stages_[at], std::span(stages_).subspan(at + 1, kinds.size())};
}

}  // namespace ridge::plan::train
