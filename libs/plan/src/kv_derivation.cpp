// SPDX-License-Identifier: Apache-2.0
#include "kv_derivation.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "figure_inputs.hpp"

namespace ridge::plan {
namespace {

std::vector<input> inputs_of(const std::vector<kv_part>& parts) {
  std::vector<input> all;
  for (const auto& p : parts) {
    auto text = fmt::format("{} layers", p.layers);
    if (p.row_bytes > 0) text += fmt::format(", {} per row", exact_bytes(p.row_bytes));
    if (p.fixed_bytes > 0) text += fmt::format(", {} fixed", exact_bytes(p.fixed_bytes));
    all.push_back({p.content, text});
  }
  return all;
}

// The formula of a row for the kind of cache that the model's layers keep.
std::string row_formula(const model_shape& m) {
  bool latent = false, heads = false;
  for (const auto& l : m.kinds) {
    latent |= l.attention.kind == attention_kind::latent;
    heads |= l.attention.kind != attention_kind::latent && l.attention.kind != attention_kind::none &&
             l.attention.kind != attention_kind::linear;
  }
  if (latent && heads) return "sum over layers of (2 · KV · d, or rank + rope) · e";
  return latent ? "L · (rank + rope) · e" : "2 · L · KV · d · e";
}

std::string source_of(const model_shape& m) {
  return m.name.empty() ? "sizes given" : "config.json of " + m.name;
}

figure derived(const model_shape& m, std::string id, std::string label, double value, std::string formula,
               std::vector<input> inputs) {
  return {.id = std::move(id),
          .label = std::move(label),
          .value = value,
          .unit = "B",
          .formula = std::move(formula),
          .inputs = std::move(inputs),
          .basis = m.doubts.empty() ? basis::derived : basis::assumed,
          .source = source_of(m)};
}

std::string layout_of(const parallel_layout& l) {
  return fmt::format("TP {}, PP {}, CP {}, DP {}{}", l.tensor, l.pipeline, l.context, l.data,
                     l.data_parallel_attention ? ", data-parallel attention" : "");
}

}  // namespace

derivation derive_kv_cache(const model_shape& m, const kv_question& q, const kv_cache& c,
                           std::int64_t sequences_of_gpu) {
  auto rows = inputs_of(c.parts);
  rows.push_back({"e", exact_bytes(q.format.bytes_per_element)});
  const std::vector<input> sizes{{"T", fmt::format("{} tokens", q.tokens)},
                                 {"B", fmt::format("{} sequences", q.batch)},
                                 {"prefix", fmt::format("{} tokens", q.prefix_tokens)}};
  const std::vector<input> allocation{{"block", fmt::format("{} tokens", q.block_tokens)},
                                      {"overhead", fmt::format("{:g}", q.overhead)}};
  const std::vector<input> spread{{"layout", layout_of(q.layout)},
                                  {"B", fmt::format("{} sequences per GPU", sequences_of_gpu)}};
  const auto add = [&](const char* id, const char* label, double value, const char* formula,
                       const std::vector<input>& inputs) {
    return derived(m, id, label, value, formula, inputs);
  };
  derivation all{derived(m, "bytes_per_token", "Rows of one token, all layers", c.bytes_per_token,
                         row_formula(m), rows)};
  all.push_back(add("growth_bytes_per_token", "Added per token once windows are full",
                    c.growth_bytes_per_token, "rows of layers without a window", rows));
  all.push_back(add("fixed_bytes_per_sequence", "Constant part per sequence", c.fixed_bytes_per_sequence,
                    "full windows + states + cross-attention", rows));
  all.push_back(add("sequence_bytes", "One sequence", c.sequence_bytes,
                    "sum of layers · (row · min(T, window) + fixed)", sizes));
  all.push_back(
      add("total_bytes", "The batch", c.total_bytes, "B · sequence - (sharers - 1) · prefix", sizes));
  all.push_back(add("allocated_bytes", "The batch, in whole blocks and with overhead", c.allocated_bytes,
                    "(1 + overhead) · B · sequence in blocks", allocation));
  all.push_back(add("bytes_per_token_per_gpu", "Rows of one token per GPU", c.bytes_per_token_per_gpu,
                    "max(1, KV / TP) heads of the stage's layers / CP", spread));
  all.push_back(add("growth_bytes_per_token_per_gpu", "Added per token and GPU",
                    c.growth_bytes_per_token_per_gpu, "as above, layers without a window", spread));
  all.push_back(add("fixed_bytes_per_sequence_per_gpu", "Constant part per sequence and GPU",
                    c.fixed_bytes_per_sequence_per_gpu, "windows and states of the stage's layers", spread));
  all.push_back(add("total_bytes_per_gpu", "The batch per GPU", c.total_bytes_per_gpu,
                    "B per GPU · sequence of the stage", spread));
  all.push_back(add("allocated_bytes_per_gpu", "Allocated per GPU", c.allocated_bytes_per_gpu,
                    "in whole blocks and with overhead", spread));
  return all;
}

}  // namespace ridge::plan
