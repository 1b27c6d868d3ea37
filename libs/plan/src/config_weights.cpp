// SPDX-License-Identifier: Apache-2.0
#include "config_weights.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "as_real.hpp"
#include "saturating.hpp"

namespace ridge::plan {
namespace {

using module_paths = std::vector<std::string>;

// A matrix, or several that are always stored alike: its names in a layer and its parameters.
struct layer_module {
  module_paths paths{};
  std::int64_t parameters = 0;
  bool expert = false;
};

// Elements by format, in one class of a layer or in the whole model.
using format_tally = std::map<std::string, double>;

module_paths joined(const std::string& root, std::initializer_list<std::string_view> parents,
                    std::initializer_list<std::string_view> parts) {
  module_paths all;
  for (const auto parent : parents)
    for (const auto part : parts) all.push_back(fmt::format("{}.{}.{}", root, parent, part));
  return all;
}

std::vector<layer_module> latent_modules(const std::string& root, std::int64_t hidden,
                                         const attention_shape& a) {
  const saturating heads = a.heads, h = hidden, query = heads * (saturating(a.nope_dim) + a.rope_dim);
  const auto module = [&](std::initializer_list<std::string_view> parts, saturating n) {
    return layer_module{joined(root, {"self_attn"}, parts), n.value()};
  };
  return {module({"q_a_proj", "fused_qkv_a_proj", "q_proj"}, a.query_rank > 0 ? h * a.query_rank : h * query),
          module({"q_b_proj"}, a.query_rank > 0 ? saturating(a.query_rank) * query : saturating(0)),
          module({"kv_a_proj_with_mqa"}, h * (saturating(a.kv_rank) + a.rope_dim)),
          module({"kv_b_proj"}, saturating(a.kv_rank) * heads * (saturating(a.nope_dim) + a.value_head_dim)),
          module({"o_proj"}, heads * a.value_head_dim * h)};
}

std::vector<layer_module> head_modules(const std::string& root, std::int64_t hidden,
                                       const attention_shape& a) {
  const saturating h = hidden;
  const auto module = [&](std::initializer_list<std::string_view> parts, saturating n) {
    return layer_module{joined(root, {"self_attn", "attention", "mixer"}, parts), n.value()};
  };
  const saturating query = saturating(a.heads) * a.head_dim, output = saturating(a.heads) * a.value_head_dim;
  return {module({"q_proj", "qkv_proj", "query_key_value"},
                 h * query + (a.output_gate ? h * output : saturating(0))),
          module({"k_proj", "qkv_proj", "query_key_value"}, h * a.kv_heads * a.head_dim),
          module({"v_proj", "qkv_proj", "query_key_value"},
                 a.one_matrix() ? saturating(0) : h * a.kv_heads * a.value_head_dim),
          module({"o_proj", "dense"}, output * h)};
}

std::vector<layer_module> attention_modules(const std::string& root, std::int64_t hidden,
                                            const attention_shape& a) {
  if (a.kind == attention_kind::none) return {};
  if (a.kind == attention_kind::latent) return latent_modules(root, hidden, a);
  if (a.kind != attention_kind::linear) return head_modules(root, hidden, a);
  return {{joined(root, {"linear_attn", "mixer", "mamba", "self_attn", "conv"},
                  {"in_proj", "in_proj_qkvz", "in_proj_qkv", "out_proj"}),
           a.mixer_parameters}};
}

// The two or three matrices of a block under each of its parents.
std::vector<layer_module> block_modules(const std::string& root,
                                        std::initializer_list<std::string_view> parents, std::int64_t each,
                                        bool gated, bool expert) {
  std::vector<layer_module> all;
  if (each == 0) return all;
  if (gated) all.push_back({joined(root, parents, {"gate_proj", "gate_up_proj", "w1"}), each, expert});
  all.push_back({joined(root, parents, {"up_proj", "gate_up_proj", "w3", "fc1", "c_fc", "dense_h_to_4h"}),
                 each, expert});
  all.push_back({joined(root, parents, {"down_proj", "w2", "fc2", "c_proj", "dense_4h_to_h"}), each, expert});
  return all;
}

class scheme_applier {
 public:
  scheme_applier(const weight_scheme& scheme, const config_context& context, const model_shape& model)
      : scheme_(scheme), context_(context), model_(model) {}

  // The layer as it is stored. Layers that no list mentions are alike where they are of one kind.
  layer_shape stored(const layer_shape& layer, std::int64_t index) {
    if (scheme_.tells(index)) return looked_up(layer, index);
    const auto at = std::ranges::find(known_, layer, &known_layer::plain);
    if (at != known_.end()) {
      for (const auto& [name, elements] : at->tally) tally_[name] += elements;
      return at->stored;
    }
    auto before = std::exchange(tally_, {});
    known_.push_back({layer, looked_up(layer, index), tally_});
    for (const auto& [name, elements] : before) tally_[name] += elements;
    return known_.back().stored;
  }

  [[nodiscard]] stored_ends ends() const {
    const module_paths head{"lm_head"};
    const auto of_head = scheme_.heads && scheme_.usual != scheme_.plain ? scheme_.of(head) : scheme_.plain;
    return {scheme_.plain.bytes, of_head.bytes, scheme_.plain.bytes};
  }

  [[nodiscard]] const format_tally& tally() const { return tally_; }

 private:
  struct known_layer {
    layer_shape plain{}, stored{};
    format_tally tally{};
  };

  layer_shape looked_up(layer_shape layer, std::int64_t index) {
    const auto root = fmt::format("layers.{}", index);
    const auto& f = layer.feed_forward;
    const saturating h = model_.hidden, width = f.expert_hidden > 0 ? f.expert_hidden : model_.hidden;
    layer.stored.attention = mean(attention_modules(root, model_.hidden, layer.attention));
    layer.stored.dense_feed_forward = mean(block_modules(root, {"mlp", "feed_forward", "ffn", "mixer"},
                                                         (h * f.intermediate).value(), f.gated, false));
    if (f.experts > 0) {
      layer.stored.experts = mean(
          expert_modules(root, 0, (saturating(f.experts) * width * f.expert_intermediate).value(), f.gated));
      check_last_expert(root, layer);
      layer.stored.shared_experts = mean(
          block_modules(root,
                        {"mlp.shared_expert", "mlp.shared_experts", "feed_forward.shared_expert",
                         "shared_mlp", "block_sparse_moe.shared_experts", "mixer.shared_experts"},
                        (saturating(f.shared_experts) * h * f.shared_intermediate).value(), f.gated, false));
    }
    layer.stored.plain = scheme_.plain.bytes;
    return layer;
  }

  static std::vector<layer_module> expert_modules(const std::string& root, std::int64_t expert,
                                                  std::int64_t each, bool gated) {
    const auto e = [&](std::string_view parent) { return fmt::format("{}.experts.{}", parent, expert); };
    const std::string own = e("mlp"), sparse = e("block_sparse_moe"), forward = e("feed_forward"),
                      mixer = e("mixer");
    return block_modules(
        root, {own, sparse, forward, mixer, "mlp.experts", "feed_forward.experts", "ffn.experts.mlp"}, each,
        gated, true);
  }

  // Mean bytes of the modules' elements; 0 where there are none.
  double mean(const std::vector<layer_module>& modules) {
    double bytes = 0, all = 0;
    for (const auto& m : modules) {
      const auto format = scheme_.of(m.paths, m.expert);
      const auto n = as_real(m.parameters);
      tally_[format.name] += n;
      bytes += n * format.bytes;
      all += n;
    }
    return all > 0 ? bytes / all : 0;
  }

  // One expert stands for all: a checkpoint that stores the last one otherwise is doubted.
  void check_last_expert(const std::string& root, const layer_shape& layer) {
    const auto& f = layer.feed_forward;
    const auto first = expert_modules(root, 0, 1, f.gated),
               last = expert_modules(root, f.experts - 1, 1, f.gated);
    for (std::size_t i = 0; i < first.size(); ++i)
      if (scheme_.of(first[i].paths, true) != scheme_.of(last[i].paths, true))
        context_.members.findings().doubt(
            "experts of a layer are stored in different formats; all taken as the first");
  }

  const weight_scheme& scheme_;
  const config_context& context_;
  const model_shape& model_;
  format_tally tally_{};
  std::vector<known_layer> known_{};
};

// The format that most elements have, and that of the others.
void name_formats(const format_tally& tally, const weight_scheme& scheme, model_shape& model) {
  model.formats.clear();
  for (const auto& [name, elements] : tally)
    if (elements > 0) model.formats.push_back({name, static_cast<std::int64_t>(std::min(elements, 1e18))});
  std::ranges::sort(model.formats, std::greater<>(), &format_share::elements);
  if (!model.formats.empty()) model.weight_format = model.formats.front().format;
  model.other_weight_format = scheme.plain.name;
}

// Whether routed experts alone are quantized.
bool only_experts(const model_shape& model, const weight_scheme& scheme) {
  return model.has_experts() && std::ranges::all_of(model.kinds, [&](const layer_shape& l) {
           const auto plain = [&](double bytes) { return bytes == 0 || bytes == scheme.plain.bytes; };
           return plain(l.stored.attention) && plain(l.stored.dense_feed_forward) &&
                  plain(l.stored.shared_experts) && l.stored.experts < scheme.plain.bytes;
         });
}

}  // namespace

void apply_scheme(const weight_scheme& scheme, const config_context& context, model_shape& model) {
  model.weight_format = model.other_weight_format = scheme.plain.name;
  if (!scheme.quantized || context.members.findings().wrong) return;
  const auto plain = model;
  scheme_applier applier(scheme, context, plain);
  model.kinds.clear();
  model.order.clear();
  for (std::int64_t i = 0; i < plain.layers(); ++i)
    add_layer(model, applier.stored(plain.layer(i), i), context.members.findings());
  if (model.encoder.layers > 0) model.encoder.layer = applier.stored(model.encoder.layer, 0);
  model.stored = applier.ends();
  if (scheme.spared.exhausted() ||
      std::ranges::any_of(scheme.named, [](const auto& one) { return one.first.exhausted(); }))
    context.members.findings().doubt(
        "quantization_config: patterns take too long to match; some were passed over");
  name_formats(applier.tally(), scheme, model);
  model.experts_only_quantized = only_experts(model, scheme);
}

}  // namespace ridge::plan
