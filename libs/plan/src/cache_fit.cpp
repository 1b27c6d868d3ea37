// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cache_fit.hpp>

#include <fmt/format.h>

#include "figure_inputs.hpp"

namespace ridge::plan {
namespace {

std::vector<input> inputs_of(const engine_budget_question& q, const engine_budget& b) {
  std::vector<input> all;
  for (const auto& s : b.steps) all.push_back({s.item, exact_bytes(s.bytes)});
  all.push_back({"share", fmt::format("{:g}", q.share)});
  return all;
}

std::string rule_of(cache_engine e) {
  if (e == cache_engine::vllm) return "memory · share - weights - activations - graphs - context";
  if (e == cache_engine::sglang) return "(memory - context) · share - weights";
  return "(memory - context - weights - activations - graphs) · share";
}

figure assumed(std::string id, std::string label, double value, std::string unit, std::string formula) {
  return {.id = std::move(id),
          .label = std::move(label),
          .value = value,
          .unit = std::move(unit),
          .formula = std::move(formula),
          .basis = basis::assumed,
          .source = "activations, graphs and context where not given"};
}

derivation derive(const engine_budget_question& q, const cache_fit& f) {
  auto budget = assumed("cache_budget_bytes_per_gpu", "Left for the cache per GPU", f.budget.bytes, "B",
                        rule_of(q.engine));
  budget.inputs = inputs_of(q, f.budget);
  auto weights =
      assumed("weight_bytes_per_gpu", "Weights per GPU", q.weight_bytes, "B", "parameters · bytes / ranks");
  auto blocks = assumed("cache_blocks", "Blocks", static_cast<double>(f.capacity.blocks), "",
                        "floor(budget / bytes per block)");
  blocks.inputs = {{"block", exact_bytes(f.capacity.block_bytes)}};
  return {weights,
          budget,
          blocks,
          assumed("cache_tokens", "Tokens", static_cast<double>(f.capacity.tokens), "",
                  "blocks / groups · tokens per block"),
          assumed("max_concurrency", "Sequences of that length at a time", f.capacity.concurrency, "",
                  "blocks / blocks per sequence"),
          assumed("most_sequences", "Largest batch of that length", static_cast<double>(f.most_sequences), "",
                  "the largest whose allocation is within the budget"),
          assumed("longest_tokens", "Longest sequences of that batch", static_cast<double>(f.longest_tokens),
                  "", "the longest whose allocation is within the budget"),
          assumed("utilization_needed", "Share of memory this batch needs", f.share_needed, "1",
                  "the rule, solved for the share"),
          assumed("tensor_ranks_needed", "Tensor ranks this batch needs", f.tensor_ranks_needed, "",
                  "the first of 1, 2, 4, ... 64 that fits; 0: none")};
}

}  // namespace

result<cache_fit> fit_cache(const model_shape& m, const kv_question& k, const cache_room& room) {
  const auto& q = room.memory;
  const auto budget = engine_budget_of(q);
  if (!budget) return budget.why();
  const auto cache = size_kv_cache(m, k);
  if (!cache) return cache.why();
  cache_fit f{.budget = *budget};
  f.capacity =
      capacity_of(room.parts.empty() ? kv_parts(m, k.format, k.layout, k.tokens, k.cross_tokens) : room.parts,
                  {.budget_bytes = budget->bytes,
                   .block_tokens = k.block_tokens > 0 ? k.block_tokens : usual_block_tokens,
                   .sequence_tokens = k.tokens,
                   .step_tokens = room.step_tokens});
  f.fits = budget->lacking_bytes == 0 && cache->allocated_bytes_per_gpu <= budget->bytes;
  f.most_sequences = most_sequences(m, k, budget->bytes);
  f.longest_tokens = longest_sequence(m, k, budget->bytes);
  f.share_needed = share_needed(q, cache->allocated_bytes_per_gpu);
  auto whole = q;
  whole.weight_bytes = room.all_weight_bytes / k.layout.pipeline;
  f.tensor_ranks_needed = tensor_ranks_needed(m, k, whole);
  f.derivation = derive(q, f);
  return f;
}

}  // namespace ridge::plan
