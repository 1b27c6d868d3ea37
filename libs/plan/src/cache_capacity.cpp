// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <ridge/plan/engine_budget.hpp>

#include "divided_up.hpp"

namespace ridge::plan {
namespace {

double page_bytes(const kv_part& p, std::int64_t block_tokens) {
  return p.row_bytes > 0
             ? p.row_bytes * static_cast<double>(block_tokens) / static_cast<double>(p.tokens_per_row)
             : p.fixed_bytes;
}

// vLLM: the group size is the number of layers of the rarest kind, or of the most common kind when that is
// less than half as many again.
std::int64_t group_size(const std::vector<kv_part>& parts) {
  std::int64_t fewest = 0, most = 0;
  for (const auto& p : parts) {
    fewest = fewest == 0 ? p.layers : std::min(fewest, p.layers);
    most = std::max(most, p.layers);
  }
  return 2 * most < 3 * fewest ? most : std::max<std::int64_t>(fewest, 1);
}

// Blocks of `page` bytes per sequence for one layer of the part. During prefill a window also holds the
// tokens of the step (SlidingWindowSpec.max_memory_usage_bytes).
std::int64_t blocks_of(const kv_part& p, double page, const capacity_question& q) {
  if (p.row_bytes == 0) return 1;
  const auto block =
      std::max<std::int64_t>(static_cast<std::int64_t>(page / p.row_bytes), 1) * p.tokens_per_row;
  if (p.window == 0) return divided_up(q.sequence_tokens, block);
  return divided_up(std::min(p.window - 1 + q.step_tokens, q.sequence_tokens), block) + 1;
}

// When every layer keeps all tokens, a block holds the rows of all layers, of any size
// (UniformTypeKVCacheSpecs).
bool one_kind(const std::vector<kv_part>& parts) {
  return std::ranges::all_of(
      parts, [](const kv_part& p) { return p.window == 0 && p.tokens_per_row == 1 && p.row_bytes > 0; });
}

// Tokens per block in layers that keep rows; a page as large as a state holds more tokens.
std::int64_t page_tokens(const std::vector<kv_part>& parts, double page, std::int64_t otherwise) {
  std::int64_t fewest = 0;
  for (const auto& p : parts) {
    if (p.row_bytes == 0) continue;
    const auto tokens = static_cast<std::int64_t>(page / p.row_bytes) * p.tokens_per_row;
    fewest = fewest == 0 ? tokens : std::min(fewest, tokens);
  }
  return fewest == 0 ? otherwise : fewest;
}

std::int64_t floored(double quotient) {
  return static_cast<std::int64_t>(std::floor(std::max(quotient, 0.0)));
}

cache_capacity uniform(const std::vector<kv_part>& parts, const capacity_question& q) {
  cache_capacity c{.groups = 1, .group_layers = parts.front().layers};
  c.block_bytes = rates_of(parts).bytes_per_token * static_cast<double>(q.block_tokens);
  c.blocks = floored(q.budget_bytes / c.block_bytes);
  c.blocks_a_sequence = divided_up(q.sequence_tokens, q.block_tokens);
  c.tokens = c.blocks * q.block_tokens;
  return c;
}

cache_capacity grouped(const std::vector<kv_part>& parts, const capacity_question& q) {
  cache_capacity c{.groups = 0, .group_layers = group_size(parts)};
  double page = 0;
  for (const auto& p : parts) page = std::max(page, page_bytes(p, q.block_tokens));
  for (const auto& p : parts) {
    const auto groups = divided_up(p.layers, c.group_layers);
    c.groups += groups;
    c.blocks_a_sequence += groups * blocks_of(p, page, q);
  }
  c.block_bytes = page * static_cast<double>(c.group_layers);
  c.blocks = floored(q.budget_bytes / c.block_bytes);
  c.tokens = c.blocks / c.groups * page_tokens(parts, page, q.block_tokens);
  return c;
}

}  // namespace

cache_capacity capacity_of(const std::vector<kv_part>& parts, const capacity_question& q) {
  if (parts.empty()) return {};
  auto c = one_kind(parts) ? uniform(parts, q) : grouped(parts, q);
  if (c.blocks_a_sequence > 0)
    c.concurrency = static_cast<double>(c.blocks) / static_cast<double>(c.blocks_a_sequence);
  return c;
}

}  // namespace ridge::plan
