// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/plan/kv_cache.hpp>

#include "divided_up.hpp"

namespace ridge::plan {
namespace {

struct part_maker {
  const number_format& format;
  const parallel_layout& layout;
  std::optional<std::int64_t> cross_tokens;
  std::vector<kv_part> parts{};

  // The number of `n` equal pieces on one rank, at least one.
  [[nodiscard]] std::int64_t split(std::int64_t n) const {
    return layout.data_parallel_attention ? n : std::max<std::int64_t>(divided_up(n, layout.tensor), 1);
  }
  [[nodiscard]] double head_row(const attention_shape& a) const {
    const auto elements = a.head_dim + (a.shared_key_value ? 0 : a.value_head_dim);
    return static_cast<double>(split(a.kv_heads) * elements) * format.bytes_per_element;
  }
  [[nodiscard]] double latent_row(const attention_shape& a) const {
    return static_cast<double>(a.kv_rank + a.rope_dim) * format.bytes_per_element;
  }

  void add(kv_part part) {
    if (part.row_bytes == 0 && part.fixed_bytes == 0) return;
    part.layers = 1;
    part.row_bytes /= std::max(layout.context, 1);
    for (auto& p : parts)
      if (p.content == part.content && p.row_bytes == part.row_bytes && p.window == part.window &&
          p.tokens_per_row == part.tokens_per_row && p.fixed_bytes == part.fixed_bytes) {
        ++p.layers;
        return;
      }
    parts.push_back(std::move(part));
  }

  void add_rows(const attention_shape& a, double row, const std::string& label) {
    if (a.window > 0)
      add({.content = fmt::format("{}, window {}", label, a.window), .row_bytes = row, .window = a.window});
    if (a.window == 0 && a.tokens_per_row == 1) add({.content = label, .row_bytes = row});
    if (a.tokens_per_row > 1)
      add({.content = fmt::format("{}, one row for {} tokens", label, a.tokens_per_row),
           .row_bytes = row,
           .tokens_per_row = a.tokens_per_row});
  }

  // fp8 keys with a 4-byte scale per block of 128, as in vLLM and DeepSeek's code.
  void add_indexer(const attention_shape& a) {
    if (a.indexer_dim == 0) return;
    add({.content = "indexer keys",
         .row_bytes = static_cast<double>(a.indexer_dim + 4 * divided_up(a.indexer_dim, 128)),
         .tokens_per_row = a.tokens_per_row});
  }

  void add_state(const attention_shape& a) {
    const auto ranks = layout.data_parallel_attention ? 1 : layout.tensor;
    const auto state = divided_up(a.state_elements, ranks) * a.state_element_bytes;
    constexpr int convolution_element_bytes = 2;
    const auto window = divided_up(a.convolution_elements, ranks) * convolution_element_bytes;
    add({.content = "state", .fixed_bytes = static_cast<double>(state + window)});
  }

  void add_self(const attention_shape& a) {
    if (a.reuses_cache) return;
    switch (a.kind) {
      case attention_kind::none:
        return;
      case attention_kind::linear:
        return add_state(a);
      case attention_kind::latent:
        add_rows(a, latent_row(a), "latent rows");
        return add_indexer(a);
      case attention_kind::full:
      case attention_kind::sliding:
      case attention_kind::chunked:
        add_rows(a, head_row(a), a.shared_key_value ? "shared keys and values" : "keys and values");
        return add_indexer(a);
    }
  }

  void add_layer(const layer_shape& l) {
    add_self(l.attention);
    if (l.cross_kv_tokens == 0) return;
    const auto tokens = cross_tokens.value_or(l.cross_kv_tokens);
    add({.content = fmt::format("cross-attention to {} tokens", tokens),
         .fixed_bytes = static_cast<double>(tokens) * head_row(l.attention)});
  }
};

std::vector<kv_part> parts_of(const model_shape& m, const stage_layers& stage, part_maker make) {
  for (auto i = stage.first; i < stage.last; ++i) make.add_layer(m.layer(i));
  return std::move(make.parts);
}

}  // namespace

double kv_part::bytes(std::int64_t tokens, std::int64_t block_tokens) const {
  auto rows = tokens / tokens_per_row;
  if (window > 0) rows = std::min(rows, window);
  if (block_tokens > 0) {
    const auto all = divided_up(tokens / tokens_per_row, block_tokens);
    rows = block_tokens * (window > 0 ? std::min(all, divided_up(window, block_tokens) + 1) : all);
  }
  return static_cast<double>(layers) * (row_bytes * static_cast<double>(rows) + fixed_bytes);
}

stage_layers stage_of(std::int64_t layers, int stages, int stage) {
  expects(stages > 0 && stage >= 0 && stage < stages, "stage_of: no such stage");
  const auto least = layers / stages, left = layers % stages;
  // With `left` layers over, stages from stages - 1 - left to stages - 2 have one more.
  const auto extra_before = [&](std::int64_t s) {
    return std::clamp<std::int64_t>(s - (stages - 1 - left), 0, left);
  };
  return {stage * least + extra_before(stage), (stage + 1) * least + extra_before(stage + 1)};
}

kv_rates rates_of(const std::vector<kv_part>& parts) {
  kv_rates all;
  for (const auto& p : parts) {
    const auto layers = static_cast<double>(p.layers);
    const double row = layers * p.row_bytes / static_cast<double>(p.tokens_per_row);
    all.bytes_per_token += row;
    if (p.window == 0) all.growth_bytes_per_token += row;
    all.fixed_bytes_per_sequence += layers * (p.row_bytes * static_cast<double>(p.window) + p.fixed_bytes);
  }
  return all;
}

double sequence_bytes(const std::vector<kv_part>& parts, std::int64_t tokens, std::int64_t block_tokens) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [&](double sum, const kv_part& p) { return sum + p.bytes(tokens, block_tokens); });
}

std::vector<kv_part> kv_parts(const model_shape& m, const number_format& format,
                              const parallel_layout& layout, std::int64_t tokens,
                              std::optional<std::int64_t> cross_tokens) {
  std::vector<kv_part> most;
  if (m.stack == model_stack::encoder) return most;
  for (int stage = 0; stage < std::max(layout.pipeline, 1); ++stage) {
    auto parts = parts_of(m, stage_of(m.layers(), std::max(layout.pipeline, 1), stage),
                          {.format = format, .layout = layout, .cross_tokens = cross_tokens});
    if (stage == 0 || sequence_bytes(parts, tokens) > sequence_bytes(most, tokens)) most = std::move(parts);
  }
  return most;
}

}  // namespace ridge::plan
