// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include <ridge/harness/experiment.hpp>

#include "megakernel_decode.hpp"

namespace ridge::experiments::ch10_megakernel_decode {
namespace {

using numbers = std::vector<double>;

extents extents_of(const problem& p) {
  return {.layers = p.count("layers"),
          .kv_heads = p.count("kv_heads"),
          .context = p.count("context"),
          .vocabulary = p.count("vocabulary")};
}

// matrix x, in fp64. A model for a GPU has 1.2 G weights, which are shared among threads.
numbers product_of(const bf16* matrix, std::size_t rows, const numbers& x) {
  numbers y(rows);
  const auto multiply = [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const bf16* const row = matrix + r * x.size();
      double sums[4]{};
      for (std::size_t i = 0; i < x.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) sums[k] += double{float{row[i + k]}} * x[i + k];
      y[r] = sums[0] + sums[1] + sums[2] + sums[3];
    }
  };
  const std::size_t wanted = 1 + rows * x.size() / (std::size_t{1} << 21);
  const std::size_t count = std::min<std::size_t>(wanted, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < count; ++t)
    others.emplace_back(multiply, rows * t / count, rows * (t + 1) / count);
  multiply(0, rows / count);
  return y;
}

numbers normed(const numbers& x, const bf16* factors) {
  double squares = 0;
  for (const double e : x) squares += e * e;
  const double scale = 1 / std::sqrt(squares / as_real(x.size()) + double{epsilon});
  numbers y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * scale * double{float{factors[i]}};
  return y;
}

// Rotates queries and keys and rounds keys and values as the cache holds them.
void rotate_and_append(const workload& w, std::size_t layer, numbers& made) {
  const auto& size = w.size;
  for (std::size_t r = 0; r < size.hidden() + size.kept_rows() / 2; r += 2) {
    const double angle =
        as_real(size.context) * std::pow(rotation_base, -as_real(r % width) / as_real(width));
    const double x = made[r], y = made[r + 1], cosine = std::cos(angle), sine = std::sin(angle);
    made[r] = x * cosine - y * sine, made[r + 1] = y * cosine + x * sine;
  }
  for (std::size_t i = 0; i < size.kept_rows(); ++i) {
    const bf16 kept(as_float(made[size.hidden() + i]));
    w.appended[layer * size.kept_rows() + i] = kept;
    made[size.hidden() + i] = double{float{kept}};
  }
}

numbers attended(const workload& w, std::size_t layer, const numbers& made) {
  const auto& size = w.size;
  numbers o(size.hidden()), weights(size.context + 1);
  for (std::size_t query = 0; query < size.heads(); ++query) {
    const std::size_t head = query / group, first = size.hidden() + head * width;
    const std::size_t rows_of_kind = size.kv_heads * size.context;
    const bf16* const keys = w.cache.data() + (2 * layer * rows_of_kind + head * size.context) * width;
    const bf16* const values = keys + rows_of_kind * width;
    const auto number = [&](const bf16* cached, std::size_t token, std::size_t row) {
      return token < size.context ? double{float{cached[token * width + row % width]}} : made[row];
    };
    const std::size_t of_values = first + size.kept_rows() / 2;
    for (std::size_t j = 0; j <= size.context; ++j) {
      weights[j] = 0;
      for (std::size_t e = 0; e < width; ++e)
        weights[j] += made[query * width + e] * number(keys, j, first + e);
    }
    const double most = *std::ranges::max_element(weights);
    double sum = 0;
    for (double& x : weights) sum += x = std::exp((x - most) / std::sqrt(as_real(width)));
    for (std::size_t j = 0; j <= size.context; ++j)
      for (std::size_t e = 0; e < width; ++e)
        o[query * width + e] += weights[j] / sum * number(values, j, of_values + e);
  }
  return o;
}

void add(numbers& x, const numbers& y) { std::ranges::transform(x, y, x.begin(), std::plus()); }

void oracle(workload& w) {
  const auto& size = w.size;
  const std::size_t hidden = size.hidden(), between = size.between();
  numbers x(hidden);
  std::ranges::transform(w.embedding, x.begin(), [](bf16 e) { return double{float{e}}; });
  for (std::size_t layer = 0; layer < size.layers; ++layer) {
    const bf16* const norms = w.norms.data() + 2 * layer * hidden;
    auto made =
        product_of(w.qkv.data() + layer * size.token_rows() * hidden, size.token_rows(), normed(x, norms));
    rotate_and_append(w, layer, made);
    add(x, product_of(w.projection.data() + layer * hidden * hidden, hidden, attended(w, layer, made)));
    auto both =
        product_of(w.gate_up.data() + 2 * layer * between * hidden, 2 * between, normed(x, norms + hidden));
    for (std::size_t i = 0; i < between; ++i) both[i] *= both[between + i] / (1 + std::exp(-both[i]));
    both.resize(between);
    add(x, product_of(w.down.data() + layer * hidden * between, hidden, both));
  }
  const auto logits =
      product_of(w.head.data(), size.vocabulary, normed(x, w.norms.data() + 2 * size.layers * hidden));
  std::ranges::transform(logits, w.logits.begin(), as_float<double>);
}

// Each weight, and each number of the cache, is used once.
std::size_t weights_of(const extents& e) {
  const auto of_layer = product(e.hidden(), e.token_rows() + e.hidden() + 3 * e.between());
  return product(e.layers, of_layer) + product(e.vocabulary, e.hidden());
}

workload make_workload(const problem& p, memory& m) {
  const auto e = extents_of(p);
  const auto hidden = e.hidden(), between = e.between();
  // Products of normed rows are about as large as their inputs.
  const normal weights{.mean = 0, .sigma = 0.9 / std::sqrt(as_real(hidden))};
  return {.size = e,
          .embedding = m.in<bf16>(hidden, normal{}),
          .norms = m.in<bf16>(product(2 * e.layers + 1, hidden), normal{.mean = 1, .sigma = 0.1}),
          .qkv = m.in<bf16>(product(e.layers, e.token_rows(), hidden), weights),
          .projection = m.in<bf16>(product(e.layers, hidden, hidden), weights),
          .gate_up = m.in<bf16>(product(e.layers, 2 * between, hidden), weights),
          .down = m.in<bf16>(product(e.layers, hidden, between), weights),
          .head = m.in<bf16>(product(e.vocabulary, hidden), weights),
          .cache = m.in<bf16>(product(e.layers, e.kept_rows(), e.context), normal{}),
          .logits = m.out<float>(e.vocabulary),
          .appended = m.out<bf16>(product(e.layers, e.kept_rows()))};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.megakernel_decode",
      .title = "A decode step in one kernel",
      .question = "Can one kernel run a whole decode step?",
      .answers = {"B10.3", "B18.1"},
      .tags = {"decode", "latency", "persistent", "fusion"},
      .axes = {ridge::between(on_cuda(values("layers", {4}, {0, 3}), {16}), 0, 1024),
               on_cuda(values("kv_heads", {2}), {8}),
               ridge::between(on_cuda(values("context", {128}, {0, 1, 300}), {512, 4096}), 0, 1 << 20),
               on_cuda(values("vocabulary", {8192}, {1, 8449}), {128256})},
      .make = make_workload,
      .work =
          [](const problem& p) {
            const auto e = extents_of(p);
            const auto weights = weights_of(e), cached = product(e.layers, e.kept_rows(), e.context);
            const auto small = product(2 * e.layers + 2, e.hidden());
            return work::streaming(reads<bf16>(weights + cached + small),
                                   writes<float>(e.vocabulary) + writes<bf16>(e.layers, e.kept_rows()))
                .with_flop(2 * as_real(weights) + 2 * as_real(group) * as_real(cached))
                .with_items(1);
          },
      .oracle = oracle,
      // Sums in fp32; a key or a value may be rounded to the next number of bf16, here or there.
      .within = tolerance{.abs = 1e-3, .rel = 0x1p-7},
      .metrics = {time_per_call(), throughput("tokens/s")},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_megakernel_decode
