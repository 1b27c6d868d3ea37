// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge::backends::probe_host {

// Attention of one new token of each sequence over cached keys and values, all in fp32. Queries and outputs
// are [sequence][head][head_dim], keys and values [sequence][kv_head][context][head_dim].
struct decode_on_host {
  std::size_t heads = 1, kv_heads = 1, head_dim = 0, sequences = 0, context = 0;
  const float* queries = nullptr;
  const float* keys = nullptr;
  const float* values = nullptr;
  float* outputs = nullptr;

  [[nodiscard]] std::size_t query_floats() const { return sequences * heads * head_dim; }
  [[nodiscard]] std::size_t key_floats() const { return sequences * kv_heads * context * head_dim; }
};

// Computes it by all threads of a team, a sequence and KV head each at a time: its keys and values are read
// once for all its query heads, and the softmax is carried along (M. Milakov, N. Gimelshein, "Online
// normalizer calculation for softmax", 2018).
void compute(host::team& team, const decode_on_host& call);

// y = 2 x by all threads of a team.
void twice(host::team& team, const float* x, float* y, std::size_t floats);

}  // namespace ridge::backends::probe_host
