// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include <ridge/plan/number_format.hpp>

#include "inference_parts.hpp"

namespace ridge::plan {
namespace {

struct change {
  std::string description{};
  inference_setup setup{};
  std::string caution{};
};

struct gathering {
  const inference_setup& original;
  std::vector<change> made{};

  template <class Change>
  void add(std::string change, std::string caution, Change alter) {
    made.push_back({std::move(change), original, std::move(caution)});
    alter(made.back().setup);
  }
};

double format_bytes(std::string_view format) {
  const auto known = number_format_named(format);
  return known ? known->bytes_per_element : 2;
}

void add_formats(gathering& g) {
  const auto& s = g.original;
  if (format_bytes(s.kv_format) > 1.5) {
    const auto* format = s.model.has_latent_attention() ? "fp8_mla" : "fp8";
    g.add("fp8 KV cache", "quality", [&](auto& setup) { setup.kv_format = format; });
  }
  const double now = format_bytes(s.weight_format.empty() ? s.model.weight_format : s.weight_format);
  if (now > 1.5) g.add("fp8 weights", "quality", [](auto& setup) { setup.weight_format = "fp8"; });
  if (now > 0.6) g.add("4-bit weights", "quality", [](auto& setup) { setup.weight_format = "int4_g128"; });
}

void add_layouts(gathering& g) {
  const auto& l = g.original.layout;
  for (const int f : {2, 4, 8})
    g.add(fmt::format("TP {} -> {}", l.tensor, l.tensor * f), {},
          [&](auto& setup) { setup.layout.tensor *= f; });
  for (const int f : {2, 4})
    g.add(fmt::format("PP {} -> {}", l.pipeline, l.pipeline * f), {},
          [&](auto& setup) { setup.layout.pipeline *= f; });
  if (g.original.model.has_latent_attention() && l.tensor > 1 && !l.data_parallel_attention)
    g.add("data-parallel attention", "attention's weights",
          [](auto& setup) { setup.layout.data_parallel_attention = true; });
}

void add_engine(gathering& g) {
  const auto& s = g.original;
  for (const std::int64_t tokens : {8192, 4096, 2048}) {
    if (tokens < s.max_batched_tokens)
      g.add(fmt::format("{} tokens per step instead of {}", tokens, s.max_batched_tokens), "prompt latency",
            [&](auto& setup) { setup.max_batched_tokens = tokens; });
  }
  if (s.max_sequences > 64)
    g.add(fmt::format("64 sequences per step instead of {}", s.max_sequences), "throughput",
          [](auto& setup) { setup.max_sequences = 64; });
  if (s.cuda_graphs) g.add("no CUDA graphs", "launch time", [](auto& setup) { setup.cuda_graphs = false; });
  const double share = s.utilization > 0 ? s.utilization : default_share(s.engine);
  if (share < 0.95)
    g.add(fmt::format("utilization {:.2f} -> 0.95", share), "others on the GPU",
          [](auto& setup) { setup.utilization = 0.95; });
}

// Bytes that a decode step reads: weights and the whole cache.
double read_bytes(const std::vector<inference_rank>& ranks, const inference_capacity& c) {
  return ranks[c.stage].weights_bytes() + c.needed_bytes;
}

struct standing {
  inference_capacity capacity{};
  double read = 0;
};

result<standing> standing_of(const inference_setup& s, double gpu_bytes, const inference_load& load) {
  const auto ranks = inference_memory(s);
  if (!ranks) return ranks.why();
  const auto capacity = capacity_of(s, *ranks, gpu_bytes, load);
  if (!capacity) return capacity.why();
  return standing{*capacity, read_bytes(*ranks, *capacity)};
}

// The engine cannot take the memory of CUDA and NCCL.
bool leaves_enough(const inference_setup& s, double gpu_bytes) {
  if (s.engine != cache_engine::vllm) return true;
  const auto ranks = inference_memory(s);
  return ranks && gpu_bytes * (1 - (s.utilization > 0 ? s.utilization : default_share(s.engine))) >=
                      ranks->front().context_bytes;
}

struct inference_question {
  double gpu_bytes = 0;
  const inference_load& load;
  standing now{};
};

std::vector<inference_advice> singles(const inference_question& q, const inference_setup& s) {
  gathering g{s};
  add_formats(g);
  add_layouts(g);
  add_engine(g);
  std::vector<inference_advice> all;
  for (auto& c : g.made) {
    const auto then = standing_of(c.setup, q.gpu_bytes, q.load);
    if (!then || !leaves_enough(c.setup, q.gpu_bytes)) continue;
    all.push_back({.change = std::move(c.description),
                   .setup = std::move(c.setup),
                   .saved_bytes = then->capacity.spare_bytes() - q.now.capacity.spare_bytes(),
                   .spare_bytes = then->capacity.spare_bytes(),
                   .more_reading = then->read / q.now.read - 1,
                   .caution = std::move(c.caution),
                   .fits = then->capacity.fits});
  }
  return all;
}

std::string joined(const std::string& a, const std::string& b, const char* separator) {
  return a.empty() || b.empty() || a == b ? (a.empty() ? b : a) : a + separator + b;
}

// Combines changes on the same GPUs, each time the one that saves most, until the cache fits.
std::optional<inference_advice> all_changes_together(const inference_question& q, const inference_setup& s) {
  constexpr int most_changes = 4;
  inference_advice from{.setup = s};
  for (int i = 0; i < most_changes && !from.fits; ++i) {
    auto all = singles(q, from.setup);
    std::erase_if(all, [&](const auto& a) {
      return a.setup.layout.gpus() != s.layout.gpus() || a.saved_bytes <= from.saved_bytes;
    });
    if (all.empty()) return {};
    auto next = *std::ranges::max_element(all, {}, &inference_advice::saved_bytes);
    next.change = joined(from.change, next.change, " + ");
    next.caution = joined(from.caution, next.caution, ", ");
    from = std::move(next);
  }
  if (!from.fits) return {};
  return from;
}

void put_in_order(std::vector<inference_advice>& all) {
  std::ranges::stable_sort(all, {}, [](const inference_advice& a) {
    return std::tuple(!a.fits, a.setup.layout.gpus(), a.more_reading, -a.saved_bytes);
  });
}

}  // namespace

std::vector<inference_advice> advise(const inference_setup& s, double gpu_bytes, const inference_load& load) {
  const auto now = standing_of(s, gpu_bytes, load);
  if (!now) return {};
  const inference_question q{.gpu_bytes = gpu_bytes, .load = load, .now = *now};
  auto all = singles(q, s);
  std::erase_if(all, [&](const auto& a) { return a.saved_bytes < 0.01 * gpu_bytes; });
  const bool alone = std::ranges::any_of(
      all, [&](const auto& a) { return a.fits && a.setup.layout.gpus() == s.layout.gpus(); });
  if (!alone && !now->capacity.fits) {
    if (auto several = all_changes_together(q, s)) all.push_back(std::move(*several));
  }
  put_in_order(all);
  return all;
}

}  // namespace ridge::plan
