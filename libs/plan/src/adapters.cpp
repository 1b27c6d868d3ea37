// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/adapters.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "as_real.hpp"

namespace ridge::plan {
namespace {

using division = adapted_product::division;

struct product_list {
  std::vector<adapted_product> made{};
  int launch = 0;

  void add(std::int64_t inputs, std::int64_t outputs, division divided, std::int64_t most_ranks = 0) {
    if (inputs <= 0 || outputs <= 0) return;
    auto& p = made.emplace_back();
    p.inputs = inputs, p.outputs = outputs, p.divided = divided;
    p.most_ranks = most_ranks, p.launch = launch;
  }
  void next_launch() { ++launch; }
};

void add_latent(product_list& list, const attention_shape& a, std::int64_t h) {
  const auto query = a.heads * (a.nope_dim + a.rope_dim);
  if (a.query_rank > 0) list.add(h, a.query_rank, division::nothing);
  list.add(h, a.kv_rank + a.rope_dim, division::nothing);
  list.next_launch();
  list.add(a.query_rank > 0 ? a.query_rank : h, query, division::outputs);
  list.next_launch();
  list.add(a.kv_rank, a.heads * (a.nope_dim + a.value_head_dim), division::outputs);
  list.next_launch();
  list.add(a.heads * a.value_head_dim, h, division::inputs);
  list.next_launch();
}

void add_heads(product_list& list, const attention_shape& a, std::int64_t h) {
  list.add(h, a.heads * a.head_dim, division::outputs);
  list.add(h, a.kv_heads * a.head_dim, division::outputs, a.kv_heads);
  if (!a.one_matrix()) list.add(h, a.kv_heads * a.value_head_dim, division::outputs, a.kv_heads);
  list.next_launch();
  list.add(a.heads * a.value_head_dim, h, division::inputs);
  list.next_launch();
}

void add_attention(product_list& list, const attention_shape& a, std::int64_t h) {
  if (a.kind == attention_kind::latent) return add_latent(list, a, h);
  if (a.reuses_cache || a.kind == attention_kind::linear || a.kind == attention_kind::none) return;
  add_heads(list, a, h);
}

void add_block(product_list& list, std::int64_t width, bool gated, std::int64_t h) {
  list.add(h, width, division::outputs);
  if (gated) list.add(h, width, division::outputs);
  list.next_launch();
  list.add(width, h, division::inputs);
  list.next_launch();
}

}  // namespace

result<adapter_targets> adapter_targets_named(std::string_view name) {
  if (name == "attention") return adapter_targets::attention;
  if (name == "all") return adapter_targets::all;
  return error{fmt::format("no products of adapters are named \"{}\"", name), "there are: attention, all"};
}

double adapted_product::a_elements(double ranks) const {
  return as_real(inputs) / (divided == division::inputs ? ranks : 1);
}

double adapted_product::b_elements(double ranks) const {
  if (divided != division::outputs) return as_real(outputs);
  return as_real(outputs) / (most_ranks > 0 ? std::min(ranks, as_real(most_ranks)) : ranks);
}

std::vector<adapted_product> adapted_products(const layer_shape& layer, std::int64_t hidden,
                                              adapter_targets targets) {
  product_list list;
  add_attention(list, layer.attention, hidden);
  if (targets == adapter_targets::attention) return list.made;
  const auto& f = layer.feed_forward;
  add_block(list, f.intermediate, f.gated, hidden);
  add_block(list, f.shared_experts * f.shared_intermediate, f.gated, hidden);
  return list.made;
}

double adapter_bytes(const layer_shape& layer, std::int64_t hidden, const adapter_choice& a, double ranks) {
  constexpr double element_bytes = 2;
  double elements = 0;
  for (const auto& p : adapted_products(layer, hidden, a.targets))
    elements += as_real(a.rank) * (p.a_elements(ranks) + p.b_elements(ranks));
  return element_bytes * elements;
}

result<void> check_adapters(const model_shape& m, const adapter_choice& a) {
  constexpr std::int64_t most = 1'000'000, most_rank = 4096;
  if (a.count < 0 || a.count > most)
    return error{fmt::format("--lora-adapters {} is out of range", a.count), "give 0 to a million"};
  if (a.count == 0) {
    if (a.rank == 0 && a.resident == 0) return {};
    return error{"--lora-rank or --lora-resident without --lora-adapters", "give the number of adapters"};
  }
  if (a.rank < 1 || a.rank > most_rank)
    return error{fmt::format("--lora-rank {} is out of range", a.rank), "give the rank of the adapters: 16"};
  if (a.resident < 0 || a.resident > a.count)
    return error{fmt::format("--lora-resident {} is out of range", a.resident),
                 fmt::format("give 1 to {}, the number of adapters", a.count)};
  const bool any = std::ranges::any_of(
      m.kinds, [&](const layer_shape& l) { return !adapted_products(l, m.hidden, a.targets).empty(); });
  if (any) return {};
  return error{fmt::format("{} has no products that such adapters change", m.name),
               "give --lora-targets all"};
}

}  // namespace ridge::plan
