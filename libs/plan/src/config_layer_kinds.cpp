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

// Names in layer_types, layers_block_type, block_types. The linear mixer is the configuration's.
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

mixer linear_mixer(const config_context& in) {
  const auto& m = in.members;
  if (m.has("linear_attn_config")) return mixer::kimi_delta;
  if (m.has("linear_num_value_heads")) return mixer::gated_delta;
  if (m.has("mamba_num_heads") || m.has("mamba_n_heads") || in.type == "mamba2") return mixer::mamba2;
  if (m.has("mamba_d_state") || m.has("state_size")) return mixer::mamba;
  return mixer::lightning;
}

// A layer of Nemotron is a mixer or a block, never both.
bool single_part(const config_context& in) { return in.type.starts_with("nemotron_h"); }

layer_kind kind_named(const config_context& in, const std::string& name, const std::string& list) {
  for (const auto& one : kind_names)
    if (one.name == name)
      return {one.kind.mix, single_part(in) && one.kind.mix != mixer::none ? block::none : one.kind.after};
  const bool linear = any_of(name, {"linear_attention", "mamba", "mamba2", "recurrent", "linear"});
  if (!linear)
    in.members.findings().doubt(fmt::format("{}: \"{}\" is unknown; taken as full attention", list, name));
  return {linear ? linear_mixer(in) : mixer::full, single_part(in) ? block::none : block::dense};
}

std::optional<kinds> from_names(const config_context& in) {
  for (const auto* list : {"layer_types", "layers_block_type", "block_types"}) {
    if (!in.members.is_list(list)) continue;
    const auto words = in.members.words(list);
    kinds all;
    if (words.empty()) continue;
    // RecurrentGemma's block_types repeat.
    for (std::int64_t i = 0; i < in.layers; ++i)
      all.push_back(kind_named(in, words[static_cast<std::size_t>(i) % words.size()], list));
    return all;
  }
  return std::nullopt;
}

// Nemotron-H: one character a layer.
std::optional<kinds> from_pattern(const config_context& in) {
  const auto text = in.members.text({"hybrid_override_pattern"});
  if (text.empty()) return std::nullopt;
  kinds all;
  for (const char c : text) {
    if (c == 'M') all.push_back({mixer::mamba2, block::none});
    if (c == '*') all.push_back({mixer::full, block::none});
    if (c == '-') all.push_back({mixer::none, block::dense});
    if (c == 'E') all.push_back({mixer::none, block::experts});
  }
  if (std::ssize(all) != in.layers)
    in.members.refuse("hybrid_override_pattern",
                      fmt::format("{} layers, but num_hidden_layers is {}", all.size(), in.layers),
                      "make both say the same");
  return all;
}

kinds by_rule(const config_context& in, auto mix_of_layer) {
  kinds all;
  for (std::int64_t i = 0; i < in.layers; ++i) all.push_back({mix_of_layer(i), block::dense});
  return all;
}

// Lists that name the layers of one mixer among another's.
std::optional<kinds> from_listed(const config_context& in, const config_members& m, std::string_view list,
                                 mixer listed, mixer others, std::int64_t first) {
  if (!m.is_list(list)) return std::nullopt;
  const auto layers = m.numbers(list);
  return by_rule(in, [&](std::int64_t i) {
    return std::ranges::find(layers, i + first) != layers.end() ? listed : others;
  });
}

// Lists of one number a layer.
std::optional<kinds> from_flags(const config_context& in, std::string_view list, mixer zero, mixer one) {
  if (!in.members.is_list(list)) return std::nullopt;
  return by_rule(
      in, [&](std::int64_t i) { return in.members.of_layer({list}, i).value_or(0) == 0 ? zero : one; });
}

std::optional<kinds> from_period(const config_context& in) {
  const auto& m = in.members;
  if (const auto every = m.count({"full_attention_interval"})) {
    const auto linear = linear_mixer(in);
    return by_rule(in, [&](std::int64_t i) { return (i + 1) % *every == 0 ? mixer::full : linear; });
  }
  if (const auto every = m.count({"attn_layer_period"})) {
    const auto first = m.count_or({"attn_layer_offset"}, 0);
    const auto linear = linear_mixer(in);
    return by_rule(in, [&](std::int64_t i) { return i % *every == first ? mixer::full : linear; });
  }
  return std::nullopt;
}

// Llama 4: layers without positions see everything, the others their chunk.
std::optional<kinds> from_chunks(const config_context& in) {
  if (in.type != "llama4_text" || !in.members.has("attention_chunk_size")) return std::nullopt;
  if (const auto& m = in.members; m.is_list("no_rope_layers") && !m.numbers("no_rope_layers").empty())
    return from_flags(in, "no_rope_layers", mixer::full, mixer::chunked);
  const auto every = in.members.count_or({"no_rope_layer_interval"}, 4, 1);
  return by_rule(in, [&](std::int64_t i) { return (i + 1) % every == 0 ? mixer::full : mixer::chunked; });
}

// Every how many layers one sees everything, where the configuration leaves it to the architecture.
std::int64_t default_pattern(const std::string& type) {
  if (any_of(type, {"gemma2", "gpt_oss"})) return 2;
  if (any_of(type, {"cohere2"})) return 4;
  return any_of(type, {"gemma3_text", "gemma3"}) ? 6 : 0;
}

std::optional<kinds> from_windows(const config_context& in) {
  const auto& m = in.members;
  if (m.count_or({"sliding_window", "sliding_window_size"}, 0) == 0 || !m.flag({"use_sliding_window"}, true))
    return std::nullopt;
  if (any_of(in.type, {"qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "mimo"})) {
    const auto first = m.count_or({"max_window_layers"}, in.layers);
    return by_rule(in, [&](std::int64_t i) { return i >= first ? mixer::sliding : mixer::full; });
  }
  const auto every =
      m.count_or({"sliding_window_pattern", "_sliding_window_pattern"}, default_pattern(in.type));
  return by_rule(
      in, [&](std::int64_t i) { return every > 0 && (i + 1) % every == 0 ? mixer::full : mixer::sliding; });
}

kinds read_mixers(const config_context& in) {
  const auto& m = in.members;
  const auto linear = linear_mixer(in);
  if (m.is_list("compress_ratios")) return by_rule(in, [](std::int64_t) { return mixer::sliding; });
  if (auto all = from_names(in)) return *all;
  if (auto all = from_pattern(in)) return *all;
  if (auto all = from_flags(in, "hybrid_layer_pattern", mixer::full, mixer::sliding)) return *all;
  if (auto all = from_listed(in, m.inside("linear_attn_config"), "full_attn_layers", mixer::full, linear, 1))
    return *all;
  if (auto all = from_flags(in, "attn_type_list", mixer::lightning, mixer::full)) return *all;
  if (auto all = from_listed(in, m, "attn_layer_indices", mixer::full, linear, 0)) return *all;
  if (auto all = from_listed(in, m, "full_attn_idxs", mixer::full, mixer::short_conv, 0)) return *all;
  if (auto all = from_listed(in, m, "cross_attention_layers", mixer::cross, mixer::full, 0)) return *all;
  if (auto all = from_period(in)) return *all;
  if (auto all = from_chunks(in)) return *all;
  if (any_of(in.type, {"mamba", "falcon_mamba", "mamba2"}))
    return by_rule(in, [&](std::int64_t) { return linear; });
  if (auto all = from_windows(in)) return *all;
  return by_rule(in, [](std::int64_t) { return mixer::full; });
}

bool listed(const std::vector<std::int64_t>& layers, std::int64_t i) {
  return std::ranges::find(layers, i) != layers.end();
}

// Whether layer `i` has experts, by whichever of the architectures' members is there.
bool layer_has_experts(const config_context& in, std::int64_t i) {
  const auto& m = in.members;
  if (m.is_list("mlp_layer_types")) {
    const auto words = m.words("mlp_layer_types");
    return static_cast<std::size_t>(i) < words.size() && words[static_cast<std::size_t>(i)] == "sparse";
  }
  if (m.is_list("moe_layers")) return listed(m.numbers("moe_layers"), i);
  if (m.is_list("moe_layer_freq")) return m.of_layer({"moe_layer_freq"}, i).value_or(0) != 0;
  if (i < m.count_or({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}, 0)) return false;
  if (listed(m.numbers("mlp_only_layers"), i)) return false;
  if (const auto step = m.count({"decoder_sparse_step", "interleave_moe_layer_step"}))
    return (i + 1) % *step == 0;
  if (const auto period = m.count({"expert_layer_period"}))
    return i % *period == m.count_or({"expert_layer_offset"}, 0);
  return i % m.count_or({"moe_layer_freq"}, 1, 1) == 0;
}

}  // namespace

bool any_of(const std::string& type, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, std::string_view(type)) != names.end();
}

std::vector<layer_kind> read_layer_kinds(const config_context& in) {
  auto all = read_mixers(in);
  if (any_of(in.type, {"mamba", "falcon_mamba", "mamba2"}))
    for (auto& one : all) one.after = block::none;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (in.has_experts && all[i].after == block::dense && !single_part(in) &&
        layer_has_experts(in, static_cast<std::int64_t>(i)))
      all[i].after = block::experts;
  return all;
}

}  // namespace ridge::plan
