// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/parallel_layout.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace ridge::plan {
namespace {

using maybe = std::optional<error>;

maybe undivided(std::int64_t number, std::string_view of_what, std::int64_t divisor, std::string_view parts,
                std::string_view remedy) {
  if (divisor > 0 && number % divisor == 0) return {};
  return error{.message = fmt::format("{} {} do not divide by {} {}", number, of_what, divisor, parts),
               .remedy = std::string(remedy)};
}

maybe positive(const parallel_layout& l) {
  const std::array<std::pair<std::string_view, int>, 7> parts{{{"tensor", l.tensor},
                                                               {"pipeline", l.pipeline},
                                                               {"virtual pipeline", l.virtual_pipeline},
                                                               {"context", l.context},
                                                               {"data", l.data},
                                                               {"expert", l.expert},
                                                               {"expert tensor", l.expert_tensor}}};
  for (const auto& [name, n] : parts) {
    if (n < 1)
      return error{.message = fmt::format("{} parallelism of {} is none", name, n),
                   .remedy = "give 1 or more; 1 is without it"};
  }
  return {};
}

maybe attention_fits(const attention_shape& a, const parallel_layout& l) {
  if (l.data_parallel_attention || a.heads == 0) return {};
  if (auto e = undivided(a.heads, "attention heads", l.tensor, "tensor ranks",
                         "choose a tensor parallelism that divides the heads"))
    return e;
  if (a.kind == attention_kind::latent || a.kind == attention_kind::linear || a.kv_heads == 0) return {};
  if (a.kv_heads % l.tensor == 0 || l.tensor % a.kv_heads == 0) return {};
  return error{
      .message = fmt::format("{} key-value heads and {} tensor ranks: neither divides the other", a.kv_heads,
                             l.tensor),
      .remedy = "choose a tensor parallelism that divides the key-value heads, or a multiple of them"};
}

maybe experts_fit(const feed_forward_shape& f, const parallel_layout& l) {
  if (f.experts == 0) return {};
  if (auto e = undivided(f.experts, "experts", l.expert, "expert ranks",
                         "choose an expert parallelism that divides the experts"))
    return e;
  return undivided(f.expert_intermediate, "columns of an expert", l.expert_tensor, "expert tensor ranks",
                   "choose a smaller expert tensor parallelism");
}

maybe feed_forward_fits(const feed_forward_shape& f, const parallel_layout& l) {
  if (f.intermediate == 0) return experts_fit(f, l);
  return undivided(f.intermediate, "columns of the feed-forward block", l.tensor, "tensor ranks",
                   "choose a tensor parallelism that divides them");
}

maybe layers_fit(const model_shape& m, const parallel_layout& l) {
  if (l.virtual_pipeline > 1 && l.pipeline == 1)
    return error{.message = fmt::format("{} virtual stages without a pipeline", l.virtual_pipeline),
                 .remedy = "interleaving needs a pipeline of 2 or more"};
  const std::int64_t chunks = std::int64_t{l.pipeline} * l.virtual_pipeline;
  for (std::int64_t more = 0; more <= 2 + m.prediction_layers; ++more) {
    if ((m.layers() + more) % chunks == 0 && m.layers() >= chunks) return {};
  }
  return error{
      .message = fmt::format("{} layers do not divide into {} chunks ({} stages of {}), nor with embedding "
                             "and head counted as layers",
                             m.layers(), chunks, l.pipeline, l.virtual_pipeline),
      .remedy = "choose a pipeline whose chunks divide the layers"};
}

maybe groups_fit(const model_shape& m, const parallel_layout& l) {
  if (l.expert == 1 && l.expert_tensor == 1) return {};
  const bool experts = std::ranges::any_of(m.kinds, [](const auto& k) { return k.feed_forward.experts > 0; });
  if (!experts)
    return error{.message = fmt::format("expert parallelism of {} for a model without experts",
                                        l.expert * l.expert_tensor),
                 .remedy = "leave it at 1"};
  return undivided(std::int64_t{l.tensor} * l.context * l.data, "GPUs per stage",
                   std::int64_t{l.expert} * l.expert_tensor, "expert ranks",
                   "expert · expert tensor must divide tensor · context · data");
}

}  // namespace

std::int64_t parallel_layout::gpus() const { return std::int64_t{tensor} * pipeline * context * data; }

std::string parallel_layout::text() const {
  std::string out;
  const auto add = [&](std::string_view name, int n) {
    if (n != 1) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, n);
  };
  add("TP", tensor);
  add("PP", pipeline);
  add("VP", virtual_pipeline);
  add("CP", context);
  add("DP", data);
  add("EP", expert);
  add("ETP", expert_tensor);
  if (data_parallel_attention) out += fmt::format("{}DP attention", out.empty() ? "" : ", ");
  return out.empty() ? "one GPU" : out;
}

result<void> check_layout(const model_shape& m, const parallel_layout& l) {
  if (auto e = positive(l)) return *e;
  for (const auto& kind : m.kinds) {
    if (auto e = attention_fits(kind.attention, l)) return *e;
    if (auto e = feed_forward_fits(kind.feed_forward, l)) return *e;
  }
  if (auto e = layers_fit(m, l)) return *e;
  if (auto e = groups_fit(m, l)) return *e;
  return {};
}

}  // namespace ridge::plan
