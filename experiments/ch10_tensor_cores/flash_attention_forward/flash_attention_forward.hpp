// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_flash_attention_forward {

// Extents of one attention. Token t, head h and component d of q and o lie at (t * heads + h) * width + d, of
// k and v with kv_heads instead: heads / kv_heads heads share their keys and values. Causal: token t sees the
// tokens up to itself.
struct extents {
  std::size_t tokens = 0, heads = 0, kv_heads = 0, width = 0;
  bool causal = false;
  // Number of tokens that token `t` sees.
  [[nodiscard]] std::size_t seen_by(std::size_t t) const { return causal ? t + 1 : tokens; }
  [[nodiscard]] std::size_t group() const { return heads / kv_heads; }
};

// o = softmax(q kᵀ / sqrt(width)) v, head by head.
struct workload {
  extents size{};
  input<bf16> q{}, k{}, v{};
  output<bf16> o{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// Rows of scores and of their weights, one row every `pitch` elements. Row r is of query r % tokens.
struct score_rows {
  const float* scores = nullptr;
  bf16* weights = nullptr;
  std::size_t rows = 0, tokens = 0, pitch = 0;
  bool causal = false;
};

// In unfused.cu. Enqueues the softmax of each row of scores times `scale`, of a causal row up to its own
// token; what a token does not see weighs nothing.
void launch_softmax(const score_rows& w, float scale, stream queue);

// Each enqueues the whole attention. In by_warps.cu: tiles on mma.sync. In by_warpgroups.cu: the same walk on
// wgmma. In specialized.cu: a warp that copies beside two warpgroups that compute; and these with the next
// scores in flight during a softmax.
void launch_by_warps(const workload& w, stream queue);
void launch_by_warpgroups(const workload& w, stream queue);
void launch_specialized(const workload& w, stream queue);
void launch_overlapped(const workload& w, stream queue);

}  // namespace ridge::experiments::ch10_flash_attention_forward
