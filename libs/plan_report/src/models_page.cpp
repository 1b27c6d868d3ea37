// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/models_page.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/kv_cache.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::unit;
using report::value;

plan::kv_rates bf16_cache(const plan::model_shape& m) {
  return rates_of(kv_parts(m, *plan::number_format_named("bf16")));
}

double billions(std::int64_t n) { return static_cast<double>(n) / 1e9; }

report::row model_row(const plan::model_shape& m) {
  const auto n = count_parameters(m);
  const auto kv = bf16_cache(m);
  return {.values = {m.name, m.name.substr(m.name.rfind('/') + 1), n.total(), billions(n.total()), n.active(),
                     billions(n.active()), n.active_without_input_embedding(), m.layers(), m.hidden,
                     plain(kv.bytes_per_token), plain(kv.growth_bytes_per_token),
                     plain(kv.fixed_bytes_per_sequence),
                     m.max_positions > 0 ? value(m.max_positions) : value(), m.weight_format}};
}

std::string_view word(plan::attention_kind k) {
  switch (k) {
    case plan::attention_kind::full:
      return "full";
    case plan::attention_kind::sliding:
      return "sliding";
    case plan::attention_kind::chunked:
      return "chunked";
    case plan::attention_kind::latent:
      return "latent";
    case plan::attention_kind::linear:
      return "linear";
    case plan::attention_kind::none:
      return "none";
  }
  return "";
}

std::string attention_text(const plan::layer_shape& l) {
  const auto& a = l.attention;
  if (l.cross_kv_tokens > 0 && a.kind == plan::attention_kind::none)
    return fmt::format("cross-attention to {} tokens, {} heads of {}", l.cross_kv_tokens, a.heads,
                       a.head_dim);
  if (a.kind == plan::attention_kind::none) return "none";
  if (a.kind == plan::attention_kind::linear)
    return fmt::format("linear, a state of {} elements", a.state_elements);
  auto text = a.window > 0 ? fmt::format("{} {}", word(a.kind), a.window) : std::string(word(a.kind));
  if (a.tokens_per_row > 1) text += fmt::format(" + 1 row for {} tokens", a.tokens_per_row);
  text += fmt::format(", {} x {}", a.heads, a.head_dim);
  text += a.kind == plan::attention_kind::latent ? fmt::format(", rank {} + {}", a.kv_rank, a.rope_dim)
                                                 : fmt::format(", {} KV", a.kv_heads);
  if (a.indexer_dim > 0) text += fmt::format(", indexer {} x {}", a.indexer_heads, a.indexer_dim);
  if (a.reuses_cache) text += ", reads an earlier layer's";
  if (l.cross_kv_tokens > 0) text += fmt::format(", cross-attention to {} tokens", l.cross_kv_tokens);
  return text;
}

std::string feed_forward_text(const plan::feed_forward_shape& f) {
  if (f.experts == 0)
    return f.intermediate == 0 ? "none" : fmt::format("{}{}", f.intermediate, f.gated ? ", gated" : "");
  auto text = fmt::format("{} of {} experts of {}", f.active_experts, f.experts, f.expert_intermediate);
  if (f.shared_experts > 0) text += fmt::format(", {} shared of {}", f.shared_experts, f.shared_intermediate);
  return text;
}

// Bits per parameter; empty where a checkpoint is not quantized.
value bits(double bytes) { return bytes > 0 ? value(8 * bytes) : value(); }

std::string formats_text(const plan::model_shape& m) {
  if (m.experts_only_quantized) return m.weight_format + " (experts), " + m.other_weight_format;
  std::string text = m.weight_format;
  for (const auto& one : m.formats)
    if (one.format != m.weight_format) text += ", " + one.format;
  return text;
}

report::sheet layers_sheet(const plan::model_shape& m) {
  report::sheet s{
      .key = "layer_kinds",
      .title = "Layers",
      .fields = {{"layers", "layers", unit::count},
                 {"attention", "attention"},
                 {"feed_forward", "feed forward"},
                 {"attention_bits", m.formats.empty() ? "" : "bits of attention", unit::long_number},
                 {"feed_forward_bits", m.formats.empty() ? "" : "bits of feed forward", unit::long_number}}};
  for (std::size_t k = 0; k < m.kinds.size(); ++k)
    s.rows.push_back(
        {.values = {m.layers_of(k), attention_text(m.kinds[k]), feed_forward_text(m.kinds[k].feed_forward),
                    bits(m.kinds[k].stored.attention),
                    bits(std::max(m.kinds[k].stored.dense_feed_forward, m.kinds[k].stored.experts))}});
  if (m.encoder.layers > 0)
    s.rows.push_back(
        {.values = {m.encoder.layers, "encoder: " + attention_text(m.encoder.layer),
                    feed_forward_text(m.encoder.layer.feed_forward), bits(m.encoder.layer.stored.attention),
                    bits(m.encoder.layer.stored.dense_feed_forward)}});
  return s;
}

report::sheet classes_sheet(const plan::parameter_counts& n) {
  report::sheet s{.key = "parameter_classes",
                  .title = "Parameters",
                  .fields = {{"class", "class"},
                             {"parameters", "parameters", unit::count},
                             {"pct_of_all", "of all", unit::percent}}};
  const std::pair<const char*, std::int64_t> classes[] = {
      {"embedding", n.embedding}, {"head", n.head},
      {"attention", n.attention}, {"feed forward", n.dense_feed_forward},
      {"experts", n.experts},     {"shared experts", n.shared_experts},
      {"router", n.router},       {"norms", n.norms},
      {"encoder", n.encoder},     {"other", n.other}};
  const auto all = static_cast<double>(n.total());
  for (const auto& [name, count] : classes)
    if (count > 0)
      s.rows.push_back({.values = {std::string(name), count, 100 * static_cast<double>(count) / all}});
  return s;
}

// The formats of the layers' matrices, where a checkpoint is quantized.
report::sheet formats_sheet(const plan::model_shape& m) {
  report::sheet s{.key = "formats",
                  .title = "Matrices of the layers, as they are stored",
                  .fields = {{"format", "format"},
                             {"elements", "elements", unit::count},
                             {"pct_of_all", "of all", unit::percent}}};
  double all = 0;
  for (const auto& one : m.formats) all += static_cast<double>(one.elements);
  for (const auto& one : m.formats)
    s.rows.push_back({.values = {one.format, one.elements, 100 * static_cast<double>(one.elements) / all}});
  return s;
}

std::vector<std::pair<std::string, value>> facts_of(const plan::model_shape& m) {
  const auto n = count_parameters(m);
  const auto kv = bf16_cache(m);
  return {{"name", m.name},
          {"architecture", m.architecture},
          {"parameters", n.total()},
          {"active_parameters", n.active()},
          {"active_parameters_without_input_embedding", n.active_without_input_embedding()},
          {"prediction_layer_parameters", n.prediction_layers},
          {"layers", m.layers()},
          {"hidden", m.hidden},
          {"vocabulary", m.vocabulary},
          {"max_positions", m.max_positions},
          {"tied_embeddings", m.tied_embeddings},
          {"weight_format", m.weight_format},
          {"weight_bytes", plain(plan::weight_bytes(m))},
          {"kv_bytes_per_token_bf16", plain(kv.bytes_per_token)},
          {"kv_growth_bytes_per_token_bf16", plain(kv.growth_bytes_per_token)},
          {"kv_fixed_bytes_per_sequence_bf16", plain(kv.fixed_bytes_per_sequence)}};
}

// The facts of a model as text.
report::sheet facts_sheet(const plan::model_shape& m) {
  const auto n = count_parameters(m);
  const auto kv = bf16_cache(m);
  report::sheet s{.fields = {{"total", "parameters", unit::count},
                             {"active", "active per token", unit::count},
                             {"without", "without the input's embedding", unit::count},
                             {"mtp", "multi-token prediction, beside them", unit::count},
                             {"hidden", "hidden size", unit::count},
                             {"vocabulary", "vocabulary", unit::count},
                             {"positions", "positions", unit::count},
                             {"format", "weights in", unit::text},
                             {"bytes", "weights", unit::bytes},
                             {"kv", "KV cache per token, bf16", unit::bytes},
                             {"growth", "once windows are full", unit::bytes},
                             {"fixed", "constant per sequence", unit::bytes}},
                  .single = true};
  const bool windows = kv.fixed_bytes_per_sequence > 0;
  s.rows.push_back({.values = {n.total(), n.active(), n.active_without_input_embedding(),
                               n.prediction_layers > 0 ? value(n.prediction_layers) : value(), m.hidden,
                               m.vocabulary, m.max_positions > 0 ? value(m.max_positions) : value(),
                               formats_text(m), plan::weight_bytes(m), kv.bytes_per_token,
                               windows ? value(kv.growth_bytes_per_token) : value(),
                               windows ? value(kv.fixed_bytes_per_sequence) : value()}});
  return s;
}

}  // namespace

report::document models_page(std::span<const plan::model_shape> all) {
  report::document d{.schema = "ridge.plan.models/1"};
  report::sheet s{.key = "models",
                  .fields = {{"name", ""},
                             {"short_name", "model"},
                             {"parameters", ""},
                             {"parameters_billions", "10^9 parameters", unit::long_number},
                             {"active_parameters", ""},
                             {"active_parameters_billions", "active", unit::long_number},
                             {"active_parameters_without_input_embedding", ""},
                             {"layers", "layers", unit::count},
                             {"hidden", ""},
                             {"kv_bytes_per_token_bf16", "KV per token", unit::bytes},
                             {"kv_growth_bytes_per_token_bf16", ""},
                             {"kv_fixed_bytes_per_sequence_bf16", ""},
                             {"max_positions", "positions", unit::count},
                             {"weight_format", "weights"}}};
  for (const auto& m : all) s.rows.push_back(model_row(m));
  d.sheets.push_back(std::move(s));
  d.notes.push_back(
      "KV cache in bf16, all layers; `ridge plan models NAME` shows one, --config reads any other");
  return d;
}

report::document model_page(const plan::model_shape& m) {
  report::document d{.schema = "ridge.plan.model/1", .title = fmt::format("{} ({})", m.name, m.architecture)};
  d.facts = facts_of(m);
  d.sheets = {facts_sheet(m), layers_sheet(m), classes_sheet(count_parameters(m))};
  if (!m.formats.empty()) d.sheets.push_back(formats_sheet(m));
  report::sheet doubts{.key = "doubts", .title = "Assumed", .fields = {{"doubt", "what"}}};
  for (const auto& text : m.doubts) doubts.rows.push_back({.values = {text}});
  d.sheets.push_back(std::move(doubts));
  return d;
}

}  // namespace ridge::plan_report
