// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>

#include "flash_attention_forward.hpp"

namespace ridge::experiments::ch10_flash_attention_forward {
namespace {

extents extents_of(const problem& p) {
  return {.tokens = p.count("tokens"),
          .heads = p.count("heads"),
          .kv_heads = std::max<std::size_t>(p.count("heads") / 8, 1),
          .width = p.count("width"),
          .causal = p.text("mask") == "causal"};
}

// The row of o of one token and head, in fp64.
std::vector<double> row(const workload& w, std::size_t token, std::size_t head) {
  const auto& size = w.size;
  const std::size_t kv_head = head / size.group(), seen = size.seen_by(token);
  const bf16* q = w.q.data() + (token * size.heads + head) * size.width;
  std::vector<double> weights(seen), sums(size.width);
  for (std::size_t j = 0; j < seen; ++j) {
    const bf16* k = w.k.data() + (j * size.kv_heads + kv_head) * size.width;
    for (std::size_t e = 0; e < size.width; ++e) weights[j] += double{q[e]} * double{k[e]};
  }
  const double most = *std::ranges::max_element(weights);
  double sum = 0;
  for (double& x : weights) sum += x = std::exp((x - most) / std::sqrt(static_cast<double>(size.width)));
  for (std::size_t j = 0; j < seen; ++j) {
    const bf16* v = w.v.data() + (j * size.kv_heads + kv_head) * size.width;
    for (std::size_t e = 0; e < size.width; ++e) sums[e] += weights[j] / sum * double{v[e]};
  }
  return sums;
}

double element(const workload& w, std::size_t index) {
  const auto& size = w.size;
  return row(w, index / size.width / size.heads, index / size.width % size.heads)[index % size.width];
}

void oracle(workload& w) {
  const auto& size = w.size;
  for (std::size_t i = 0; i < size.tokens * size.heads; ++i) {
    const auto expected = row(w, i / size.heads, i % size.heads);
    for (std::size_t e = 0; e < size.width; ++e) w.o[i * size.width + e] = bf16(as_float(expected[e]));
  }
}

// Rows spread over tokens and heads are right to 1 % of their length. An element's own tolerance has to suit
// tokens that see few others, whose rows are long; those that see many have short rows.
result<void> check_rows(const workload& w) {
  const auto& size = w.size;
  constexpr std::size_t rows = 16;
  for (std::size_t i = 0; i < std::min(rows, size.tokens); ++i) {
    const std::size_t token = size.tokens - 1 - i * size.tokens / rows, head = i * 5 % size.heads;
    const auto expected = row(w, token, head);
    double wrong = 0, length = 0;
    for (std::size_t e = 0; e < size.width; ++e) {
      wrong += std::pow(double{w.o[(token * size.heads + head) * size.width + e]} - expected[e], 2);
      length += std::pow(expected[e], 2);
    }
    if (!(wrong <= 1e-4 * length)) {
      return error{fmt::format("the row of token {} and head {} is wrong by {:.2g} of its length", token,
                               head, std::sqrt(wrong / length))};
    }
  }
  return {};
}

// Two products of 2 * width operations for each token and each token that it sees.
double operations(const problem& p) {
  const double tokens = p.real("tokens");
  const double pairs = p.text("mask") == "causal" ? tokens * (tokens + 1) / 2 : tokens * tokens;
  return 4 * p.real("width") * p.real("heads") * pairs;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.flash_attention_forward",
      .title = "Attention without a score matrix",
      .question = "What does never storing the score matrix buy?",
      .answers = {"B10.1", "B10.2"},
      .tags = {"attention", "tensor-cores", "fusion"},
      .axes = {choice("mask", {"full", "causal"}),
               between(on_cuda(values("tokens", {256, 1024}, {0, 1, 63, 65, 200}), {16384, 2048}), 0,
                       1 << 20),
               on_cuda(values("heads", {2}), {64}), on_cuda(values("width", {64, 128}), {128, 64})},
      .make =
          [](const problem& p, memory& m) {
            const auto size = extents_of(p);
            const auto queries = product(size.tokens, size.heads, size.width);
            const auto keys = product(size.tokens, size.kv_heads, size.width);
            return workload{size, m.in<bf16>(queries, normal{}), m.in<bf16>(keys, normal{}),
                            m.in<bf16>(keys, normal{}), m.out<bf16>(queries)};
          },
      .work =
          [](const problem& p) {
            const auto size = extents_of(p);
            const auto queries = product(size.tokens, size.heads, size.width);
            return work::streaming(
                       reads<bf16>(queries) + reads<bf16>(2 * size.tokens, size.kv_heads, size.width),
                       writes<bf16>(queries))
                .with_flop(operations(p))
                .with_items(p.real("tokens"));
          },
      .oracle = oracle,
      .element = element,
      .check = check_rows,
      // A weight is rounded to bf16, and so is the result; values reach some 4.
      .within = tolerance{.abs = 0x1p-7, .rel = 0x1p-7},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
