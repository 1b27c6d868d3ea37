// SPDX-License-Identifier: Apache-2.0
#include "serving/host_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <ridge/host/isa.hpp>
#include <ridge/host/team.hpp>

namespace ridge::backends::probe_host {
namespace {

// Compiled into each function that calls it, for the instructions of that one.
#define RIDGE_WITHIN [[gnu::always_inline]] inline

// Sixteen sums side by side, which vectorizes without reordering a sum.
RIDGE_WITHIN float dot(const float* a, const float* b, std::size_t n) {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[i + l] * b[i + l];
  float sum = 0;
  for (; i < n; ++i) sum += a[i] * b[i];
  for (const float s : sums) sum += s;
  return sum;
}

// What one query head has seen so far: the greatest score, the sum of weights and the weighted values.
struct head_state {
  float greatest = -std::numeric_limits<float>::infinity(), weights = 0;
};

RIDGE_WITHIN void see(head_state& head, float score, const float* value, float* output, std::size_t n) {
  if (score > head.greatest) {
    const float shrink = std::exp(head.greatest - score);
    for (std::size_t i = 0; i < n; ++i) output[i] *= shrink;
    head.weights *= shrink, head.greatest = score;
  }
  const float weight = std::exp(score - head.greatest);
  for (std::size_t i = 0; i < n; ++i) output[i] += weight * value[i];
  head.weights += weight;
}

// The query heads of one KV head of one sequence.
RIDGE_WITHIN void attend(const decode_on_host& c, std::size_t pair, std::span<head_state> states) {
  const auto n = c.head_dim;
  const auto first = pair * states.size() * n;
  const float* key = c.keys + pair * c.context * n;
  const float* value = c.values + pair * c.context * n;
  const float scale = 1 / std::sqrt(static_cast<float>(n));
  std::ranges::fill(states, head_state{});
  std::fill_n(c.outputs + first, states.size() * n, 0.0F);
  for (std::size_t t = 0; t < c.context; ++t, key += n, value += n)
    for (std::size_t h = 0; h < states.size(); ++h)
      see(states[h], scale * dot(c.queries + first + h * n, key, n), value, c.outputs + first + h * n, n);
  for (std::size_t h = 0; h < states.size(); ++h)
    for (std::size_t i = 0; i < n; ++i) c.outputs[first + h * n + i] /= states[h].weights;
}

void attend_plain(const decode_on_host& c, std::size_t pair, std::span<head_state> states) {
  attend(c, pair, states);
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void attend_avx2(const decode_on_host& c, std::size_t pair,
                                             std::span<head_state> states) {
  attend(c, pair, states);
}
#endif

auto* widest_attend() {
#if defined(__x86_64__)
  if (host::has_isa("avx2") && host::has_isa("fma")) return &attend_avx2;
#endif
  return &attend_plain;
}

}  // namespace

void compute(host::team& team, const decode_on_host& call) {
  auto* const attend_here = widest_attend();
  team.parallel_for(call.sequences * call.kv_heads, [&](std::size_t begin, std::size_t end) {
    std::vector<head_state> states(call.heads / call.kv_heads);
    for (auto pair = begin; pair < end; ++pair) attend_here(call, pair, states);
  });
}

void twice(host::team& team, const float* x, float* y, std::size_t floats) {
  team.parallel_for(floats, [&](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end; ++i) y[i] = 2 * x[i];
  });
}

}  // namespace ridge::backends::probe_host
