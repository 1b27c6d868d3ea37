// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "config_layers.hpp"

namespace ridge::plan {
namespace {

using kinds = std::vector<layer_kind>;

struct named_kind {
  std::string_view name;
  layer_kind kind;
};

// The names in layer_types, layers_block_type and block_types. The linear mixer follows from the model type.
constexpr named_kind kind_names[] = {
    {"full_attention", {mixer::full}},
    {"attention", {mixer::full}},
    {"global_attention", {mixer::full}},
    {"global", {mixer::full}},
    {"deepseek_sparse_attention", {mixer::full}},
    {"sliding_attention", {mixer::sliding}},
    {"local_attention", {mixer::sliding}},
    {"local", {mixer::sliding}},
    {"chunked_attention", {mixer::chunked}},
    {"conv", {mixer::short_conv}},
    {"moe", {mixer::none, block::experts}},
    {"mlp", {mixer::none, block::dense}},
};

mixer linear_mixer(const config_context& context) {
  const auto& m = context.members;
  if (m.has("linear_attn_config")) return mixer::kimi_delta;
  if (m.has("linear_num_value_heads")) return mixer::gated_delta;
  if (m.has("mamba_num_heads") || m.has("mamba_n_heads") || context.type == "mamba2") return mixer::mamba2;
  if (m.has("mamba_d_state") || m.has("state_size")) return mixer::mamba;
  return mixer::lightning;
}

// A layer of Nemotron has either a mixer or a block.
bool single_part(const config_context& context) { return context.type.starts_with("nemotron_h"); }

layer_kind kind_named(const config_context& context, const std::string& name, const std::string& list) {
  for (const auto& one : kind_names)
    if (one.name == name)
      return {one.kind.mix,
              single_part(context) && one.kind.mix != mixer::none ? block::none : one.kind.after};
  const bool linear = any_of(name, {"linear_attention", "mamba", "mamba2", "recurrent", "linear"});
  if (!linear)
    context.members.findings().doubt(
        fmt::format("{}: \"{}\" is unknown; taken as full attention", list, name));
  return {linear ? linear_mixer(context) : mixer::full, single_part(context) ? block::none : block::dense};
}

std::optional<kinds> from_names(const config_context& context) {
  for (const auto* list : {"layer_types", "layers_block_type", "block_types"}) {
    if (!context.members.is_list(list)) continue;
    const auto words = context.members.words(list);
    kinds all;
    if (words.empty()) continue;
    // RecurrentGemma repeats its block_types.
    for (std::int64_t i = 0; i < context.layers; ++i)
      all.push_back(kind_named(context, words[static_cast<std::size_t>(i) % words.size()], list));
    return all;
  }
  return std::nullopt;
}

// Nemotron-H: one character per layer.
std::optional<kinds> from_pattern(const config_context& context) {
  const auto text = context.members.text({"hybrid_override_pattern"});
  if (text.empty()) return std::nullopt;
  kinds all;
  for (const char c : text) {
    if (c == 'M') all.push_back({mixer::mamba2, block::none});
    if (c == '*') all.push_back({mixer::full, block::none});
    if (c == '-') all.push_back({mixer::none, block::dense});
    if (c == 'E') all.push_back({mixer::none, block::experts});
  }
  if (std::ssize(all) != context.layers)
    context.members.refuse("hybrid_override_pattern",
                           fmt::format("{} layers, but num_hidden_layers is {}", all.size(), context.layers),
                           "make both say the same");
  return all;
}

kinds by_rule(const config_context& context, auto mix_of_layer) {
  kinds all;
  for (std::int64_t i = 0; i < context.layers; ++i) all.push_back({mix_of_layer(i), block::dense});
  return all;
}

// Lists of the layers that have one mixer; the others have another.
std::optional<kinds> from_listed(const config_context& context, const config_members& m,
                                 std::string_view list, mixer listed, mixer others, std::int64_t first) {
  if (!m.is_list(list)) return std::nullopt;
  const auto layers = m.numbers(list);
  return by_rule(context, [&](std::int64_t i) {
    return std::ranges::find(layers, i + first) != layers.end() ? listed : others;
  });
}

// Lists of one number per layer.
std::optional<kinds> from_flags(const config_context& context, std::string_view list, mixer zero,
                                mixer flagged) {
  if (!context.members.is_list(list)) return std::nullopt;
  return by_rule(context, [&](std::int64_t i) {
    return context.members.of_layer({list}, i).value_or(0) == 0 ? zero : flagged;
  });
}

std::optional<kinds> from_period(const config_context& context) {
  const auto& m = context.members;
  if (const auto every = m.count({"full_attention_interval"})) {
    const auto linear = linear_mixer(context);
    return by_rule(context, [&](std::int64_t i) { return (i + 1) % *every == 0 ? mixer::full : linear; });
  }
  if (const auto every = m.count({"attn_layer_period"})) {
    const auto first = m.count_or({"attn_layer_offset"}, 0);
    const auto linear = linear_mixer(context);
    return by_rule(context, [&](std::int64_t i) { return i % *every == first ? mixer::full : linear; });
  }
  return std::nullopt;
}

// Llama 4: layers without positions attend to all tokens, the others to their chunk.
std::optional<kinds> from_chunks(const config_context& context) {
  if (context.type != "llama4_text" || !context.members.has("attention_chunk_size")) return std::nullopt;
  if (const auto& m = context.members; m.is_list("no_rope_layers") && !m.numbers("no_rope_layers").empty())
    return from_flags(context, "no_rope_layers", mixer::full, mixer::chunked);
  const auto every = context.members.count_or({"no_rope_layer_interval"}, 4, 1);
  return by_rule(context,
                 [&](std::int64_t i) { return (i + 1) % every == 0 ? mixer::full : mixer::chunked; });
}

// The period of layers with full attention, when the configuration leaves it to the architecture.
std::int64_t default_pattern(const std::string& type) {
  if (any_of(type, {"gemma2", "gpt_oss"})) return 2;
  if (any_of(type, {"cohere2"})) return 4;
  return any_of(type, {"gemma3_text", "gemma3"}) ? 6 : 0;
}

std::optional<kinds> from_windows(const config_context& context) {
  const auto& m = context.members;
  if (m.count_or({"sliding_window", "sliding_window_size"}, 0) == 0 || !m.flag({"use_sliding_window"}, true))
    return std::nullopt;
  if (any_of(context.type, {"qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "mimo"})) {
    const auto first = m.count_or({"max_window_layers"}, context.layers);
    return by_rule(context, [&](std::int64_t i) { return i >= first ? mixer::sliding : mixer::full; });
  }
  const auto every =
      m.count_or({"sliding_window_pattern", "_sliding_window_pattern"}, default_pattern(context.type));
  return by_rule(context, [&](std::int64_t i) {
    return every > 0 && (i + 1) % every == 0 ? mixer::full : mixer::sliding;
  });
}

kinds read_mixers(const config_context& context) {
  const auto& m = context.members;
  const auto linear = linear_mixer(context);
  if (m.is_list("compress_ratios")) return by_rule(context, [](std::int64_t) { return mixer::sliding; });
  if (auto all = from_names(context)) return *all;
  if (auto all = from_pattern(context)) return *all;
  if (auto all = from_flags(context, "hybrid_layer_pattern", mixer::full, mixer::sliding)) return *all;
  if (auto all =
          from_listed(context, m.inside("linear_attn_config"), "full_attn_layers", mixer::full, linear, 1))
    return *all;
  if (auto all = from_flags(context, "attn_type_list", mixer::lightning, mixer::full)) return *all;
  if (auto all = from_listed(context, m, "attn_layer_indices", mixer::full, linear, 0)) return *all;
  if (auto all = from_listed(context, m, "full_attn_idxs", mixer::full, mixer::short_conv, 0)) return *all;
  if (auto all = from_listed(context, m, "cross_attention_layers", mixer::cross, mixer::full, 0)) return *all;
  if (auto all = from_period(context)) return *all;
  if (auto all = from_chunks(context)) return *all;
  if (any_of(context.type, {"mamba", "falcon_mamba", "mamba2"}))
    return by_rule(context, [&](std::int64_t) { return linear; });
  if (auto all = from_windows(context)) return *all;
  return by_rule(context, [](std::int64_t) { return mixer::full; });
}

bool listed(const std::vector<std::int64_t>& layers, std::int64_t i) {
  return std::ranges::find(layers, i) != layers.end();
}

// Whether layer `i` has experts, by the first member present of those that architectures use.
bool layer_has_experts(const config_context& context, std::int64_t i) {
  const auto& m = context.members;
  if (m.is_list("mlp_layer_types")) {
    const auto words = m.words("mlp_layer_types");
    return static_cast<std::size_t>(i) < words.size() && words[static_cast<std::size_t>(i)] == "sparse";
  }
  if (m.is_list("moe_layers")) return listed(m.numbers("moe_layers"), i);
  if (m.is_list("moe_layer_freq")) return m.of_layer({"moe_layer_freq"}, i).value_or(0) != 0;
  if (i < m.count_or({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}, 0)) return false;
  if (listed(m.numbers("mlp_only_layers"), i)) return false;
  if (const auto step = m.count({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_frequency"}))
    return (i + 1) % *step == 0;
  if (const auto period = m.count({"expert_layer_period"}))
    return i % *period == m.count_or({"expert_layer_offset"}, 0);
  return i % m.count_or({"moe_layer_freq"}, 1, 1) == 0;
}

}  // namespace

bool any_of(const std::string& type, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, std::string_view(type)) != names.end();
}

std::vector<layer_kind> read_layer_kinds(const config_context& context) {
  auto all = read_mixers(context);
  if (any_of(context.type, {"mamba", "falcon_mamba", "mamba2"}))
    for (auto& one : all) one.after = block::none;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (context.has_experts && all[i].after == block::dense && !single_part(context) &&
        layer_has_experts(context, static_cast<std::int64_t>(i)))
      all[i].after = block::experts;
  return all;
}

}  // namespace ridge::plan
