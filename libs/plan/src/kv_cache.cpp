// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kv_cache.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "kv_derivation.hpp"

namespace ridge::plan {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 40;

struct question_limit {
  const char* name;
  std::int64_t value, least, most;
};

result<void> check(const kv_question& q) {
  const question_limit bounds[] = {{"tokens", q.tokens, 1, most},
                                   {"batch", q.batch, 1, most},
                                   {"block size", q.block_tokens, 0, 1 << 24},
                                   {"prefix tokens", q.prefix_tokens, 0, q.tokens},
                                   {"prefix sequences", q.prefix_sequences, 0, q.batch},
                                   {"cross-attention tokens", q.cross_tokens.value_or(0), 0, most},
                                   {"tensor ranks", q.layout.tensor, 1, 1 << 20},
                                   {"pipeline stages", q.layout.pipeline, 1, 1 << 12},
                                   {"context ranks", q.layout.context, 1, 1 << 20},
                                   {"data ranks", q.layout.data, 1, 1 << 24}};
  for (const auto& b : bounds)
    if (b.value < b.least || b.value > b.most)
      return error{fmt::format("{}: {} is not from {} to {}", b.name, b.value, b.least, b.most),
                   "give a number in that range"};
  if (!(q.format.bytes_per_element > 0 && q.format.bytes_per_element <= 16))
    return error{fmt::format("bytes per element: {} is not from above 0 to 16", q.format.bytes_per_element),
                 "give --dtype, or --bytes-per-element with --dtype custom"};
  if (!(q.overhead >= 0 && q.overhead <= 10))
    return error{fmt::format("overhead: {} is not from 0 to 10", q.overhead), "give a share: 0.1 is 10 %"};
  return {};
}

result<void> check(const model_shape& m, const kv_question& q) {
  if (auto fine = check(q); !fine) return fine;
  if (q.layout.pipeline > m.layers())
    return error{fmt::format("{} pipeline stages for {} layers", q.layout.pipeline, m.layers()),
                 "give at most as many stages as layers"};
  return {};
}

std::int64_t fewest_kv_heads(const model_shape& m) {
  std::int64_t fewest = 0;
  for (const auto& l : m.kinds) {
    const auto& a = l.attention;
    const bool heads = a.kind != attention_kind::none && a.kind != attention_kind::linear &&
                       a.kind != attention_kind::latent;
    if (heads && (fewest == 0 || a.kv_heads < fewest)) fewest = a.kv_heads;
  }
  return fewest;
}

std::vector<std::string> warnings(const model_shape& m, const kv_question& q) {
  if (m.stack == model_stack::encoder)
    return {
        "an encoder reads all tokens in one pass: it keeps no keys and values from one token to the next"};
  std::vector<std::string> all;
  const auto tensor = q.layout.tensor,
             heads = static_cast<int>(std::min<std::int64_t>(fewest_kv_heads(m), 1 << 20));
  if (m.max_positions > 0 && q.tokens > m.max_positions)
    all.push_back(fmt::format("{} tokens are more than the {} positions the model was made for", q.tokens,
                              m.max_positions));
  const bool split = tensor > 1 && !q.layout.data_parallel_attention;
  if (split && m.has_latent_attention())
    all.push_back(
        fmt::format("latent rows are not split: each of the {} tensor ranks keeps them all; "
                    "data-parallel attention gives each rank its own sequences",
                    tensor));
  if (split && heads > 0 && heads < tensor)
    all.push_back(fmt::format("{} key-value heads on {} tensor ranks: each head is kept {} times", heads,
                              tensor, (tensor + heads - 1) / heads));
  else if (split && heads > 0 && heads % tensor != 0)
    all.push_back(fmt::format(
        "{} key-value heads do not divide by {} tensor ranks; the fullest rank is shown", heads, tensor));
  return all;
}

// Bytes saved by sharing a prefix: the growing rows of all sequences but one.
double saved_by_prefix(const std::vector<kv_part>& parts, std::int64_t prefix, std::int64_t sharers) {
  double rows = 0;
  for (const auto& p : parts)
    if (p.window == 0 && p.row_bytes > 0) {
      auto growing = p;
      growing.fixed_bytes = 0;
      rows += growing.bytes(prefix);
    }
  return rows * static_cast<double>(std::max<std::int64_t>(sharers - 1, 0));
}

struct batch_bytes {
  double exact = 0, allocated = 0;
};

batch_bytes of_batch(const std::vector<kv_part>& parts, const kv_question& q, std::int64_t batch) {
  const auto n = static_cast<double>(batch);
  const auto sharers = std::min(q.prefix_sequences == 0 ? q.batch : q.prefix_sequences, batch);
  const auto whole_blocks =
      q.block_tokens > 0 ? q.prefix_tokens / q.block_tokens * q.block_tokens : q.prefix_tokens;
  return {n * sequence_bytes(parts, q.tokens) - saved_by_prefix(parts, q.prefix_tokens, sharers),
          (1 + q.overhead) * (n * sequence_bytes(parts, q.tokens, q.block_tokens) -
                              saved_by_prefix(parts, whole_blocks, sharers))};
}

std::int64_t batch_of_gpu(const kv_question& q) {
  const std::int64_t replicas =
      std::int64_t{q.layout.data} * (q.layout.data_parallel_attention ? q.layout.tensor : 1);
  return (q.batch - 1) / replicas + 1;
}

double allocated_per_gpu(const model_shape& m, const kv_question& q) {
  return of_batch(kv_parts(m, q.format, q.layout, q.tokens, q.cross_tokens), q, batch_of_gpu(q)).allocated;
}

// The largest n from 1 to `most` for which `fits` holds, or 0; it must hold for every smaller n.
template <class Fits>
std::int64_t largest(Fits fits) {
  if (!fits(std::int64_t{1})) return 0;
  std::int64_t good = 1, bad = most + 1;
  while (bad - good > 1) {
    const auto middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

result<kv_cache> size_kv_cache(const model_shape& m, const kv_question& q) {
  if (const auto fine = check(m, q); !fine) return fine.why();
  kv_cache c{.parts = kv_parts(m, q.format, {}, q.tokens, q.cross_tokens)};
  const auto local = kv_parts(m, q.format, q.layout, q.tokens, q.cross_tokens);
  const auto all = rates_of(c.parts), here = rates_of(local);
  c.bytes_per_token = all.bytes_per_token;
  c.growth_bytes_per_token = all.growth_bytes_per_token;
  c.fixed_bytes_per_sequence = all.fixed_bytes_per_sequence;
  c.sequence_bytes = sequence_bytes(c.parts, q.tokens);
  const auto total = of_batch(c.parts, q, q.batch), of_gpu = of_batch(local, q, batch_of_gpu(q));
  c.total_bytes = total.exact;
  c.allocated_bytes = total.allocated;
  c.bytes_per_token_per_gpu = here.bytes_per_token;
  c.growth_bytes_per_token_per_gpu = here.growth_bytes_per_token;
  c.fixed_bytes_per_sequence_per_gpu = here.fixed_bytes_per_sequence;
  c.total_bytes_per_gpu = of_gpu.exact;
  c.allocated_bytes_per_gpu = of_gpu.allocated;
  c.warnings = warnings(m, q);
  c.derivation = derive_kv_cache(m, q, c, batch_of_gpu(q));
  return c;
}

std::int64_t most_sequences(const model_shape& m, kv_question q, double budget_bytes_per_gpu) {
  return largest([&](std::int64_t n) {
    q.batch = n;
    return allocated_per_gpu(m, q) <= budget_bytes_per_gpu;
  });
}

std::int64_t longest_sequence(const model_shape& m, kv_question q, double budget_bytes_per_gpu) {
  const auto prefix = q.prefix_tokens;
  return largest([&](std::int64_t n) {
    q.tokens = n;
    q.prefix_tokens = std::min(prefix, n);
    return allocated_per_gpu(m, q) <= budget_bytes_per_gpu;
  });
}

}  // namespace ridge::plan
