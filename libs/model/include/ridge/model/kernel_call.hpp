// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace ridge::model {

// One call of a kernel of which serving steps are made, by its sizes:
//   product             m, n, k of y[m][n] = x[m][k] · w[k][n]
//   prefill_attention   heads, kv_heads, head_dim, sequences, tokens (of each, causal)
//   decode_attention    heads, kv_heads, head_dim, sequences, context (tokens of each)
//   experts             tokens, hidden, intermediate, experts, top_k: both products of a gated layer
//   elementwise         bytes (read and written)
//   all_reduce, all_gather, reduce_scatter, all_to_all   bytes (of one GPU), ranks
//   launch              nothing; the format is "graph" or "stream"
struct kernel_call {
  std::string kernel{};
  // Of weights, or of cached keys and values ("bf16", "fp8"); the ranks of a collective ("2"); empty: any.
  std::string format{};
  std::map<std::string, std::int64_t, std::less<>> sizes{};

  // A size by its name; 0 where the call has no such size.
  [[nodiscard]] std::int64_t size(std::string_view name) const {
    const auto at = sizes.find(name);
    return at == sizes.end() ? 0 : at->second;
  }
  auto operator<=>(const kernel_call&) const = default;
};

}  // namespace ridge::model
