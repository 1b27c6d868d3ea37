// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <ridge/plan/number_format.hpp>

#include "inference_parts.hpp"

namespace ridge::plan {
namespace {

struct change {
  std::string what{};
  inference_setup setup{};
  std::string caution{};
};

struct gathering {
  const inference_setup& from;
  std::vector<change> made{};

  template <class Change>
  void add(std::string what, std::string caution, Change alter) {
    made.push_back({std::move(what), from, std::move(caution)});
    alter(made.back().setup);
  }
};

double element_bytes(std::string_view format) {
  const auto known = number_format_named(format);
  return known ? known->bytes_per_element : 2;
}

bool any_latent(const model_shape& m) {
  return std::ranges::any_of(m.kinds,
                             [](const auto& l) { return l.attention.kind == attention_kind::latent; });
}

void add_formats(gathering& g) {
  const auto& s = g.from;
  if (element_bytes(s.kv_format) > 1.5) {
    const auto* format = any_latent(s.model) ? "fp8_mla" : "fp8";
    g.add("fp8 KV cache", "check quality at long contexts", [&](auto& to) { to.kv_format = format; });
  }
  const double now = element_bytes(s.weight_format.empty() ? s.model.weight_format : s.weight_format);
  if (now > 1.5) g.add("fp8 weights", "check quality", [](auto& to) { to.weight_format = "fp8"; });
  if (now > 0.6)
    g.add("4-bit weights (groups of 128)", "check quality", [](auto& to) { to.weight_format = "int4_g128"; });
}

void add_layouts(gathering& g) {
  const auto& l = g.from.layout;
  const auto more = [&](int factor) {
    return fmt::format("{} GPUs instead of {}", l.gpus() * factor, l.gpus());
  };
  for (const int f : {2, 4, 8})
    g.add(fmt::format("TP {} -> {}", l.tensor, l.tensor * f), more(f),
          [&](auto& to) { to.layout.tensor *= f; });
  for (const int f : {2, 4})
    g.add(fmt::format("PP {} -> {}", l.pipeline, l.pipeline * f), more(f),
          [&](auto& to) { to.layout.pipeline *= f; });
  if (any_latent(g.from.model) && l.tensor > 1 && !l.data_parallel_attention)
    g.add("data-parallel attention", "attention's weights are whole on each GPU",
          [](auto& to) { to.layout.data_parallel_attention = true; });
}

void add_engine(gathering& g) {
  const auto& s = g.from;
  for (const std::int64_t tokens : {8192, 4096, 2048}) {
    if (tokens < s.max_batched_tokens)
      g.add(fmt::format("{} tokens a step instead of {}", tokens, s.max_batched_tokens),
            "prompts take more steps", [&](auto& to) { to.max_batched_tokens = tokens; });
  }
  if (s.max_sequences > 64)
    g.add(fmt::format("64 sequences a step instead of {}", s.max_sequences), "fewer sequences decode at once",
          [](auto& to) { to.max_sequences = 64; });
  if (s.cuda_graphs)
    g.add("no CUDA graphs", "decoding waits for launches", [](auto& to) { to.cuda_graphs = false; });
  const double share = s.utilization > 0 ? s.utilization : default_share(s.engine);
  if (share < 0.95)
    g.add(fmt::format("utilization {:.2f} -> 0.95", share), "less is left for CUDA, NCCL and others",
          [](auto& to) { to.utilization = 0.95; });
}

// What decoding reads: weights and the whole cache, once a step.
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

// Nothing takes memory that CUDA and NCCL have.
bool leaves_enough(const inference_setup& s, double gpu_bytes) {
  if (s.engine != cache_engine::vllm) return true;
  const auto ranks = inference_memory(s);
  return ranks && gpu_bytes * (1 - (s.utilization > 0 ? s.utilization : default_share(s.engine))) >=
                      ranks->front().context_bytes;
}

}  // namespace

std::vector<inference_advice> advise(const inference_setup& s, double gpu_bytes, const inference_load& load) {
  const auto now = standing_of(s, gpu_bytes, load);
  if (!now) return {};
  gathering g{s};
  add_formats(g);
  add_layouts(g);
  add_engine(g);
  std::vector<inference_advice> all;
  for (auto& c : g.made) {
    const auto then = standing_of(c.setup, gpu_bytes, load);
    if (!then || !leaves_enough(c.setup, gpu_bytes)) continue;
    const double saved = then->capacity.spare_bytes() - now->capacity.spare_bytes();
    if (saved < 0.01 * gpu_bytes) continue;
    all.push_back({.change = std::move(c.what),
                   .setup = std::move(c.setup),
                   .saved_bytes = saved,
                   .spare_bytes = then->capacity.spare_bytes(),
                   .more_reading = then->read / now->read - 1,
                   .caution = std::move(c.caution),
                   .fits = then->capacity.fits});
  }
  std::ranges::stable_sort(all, {}, [](const inference_advice& a) {
    return std::tuple(!a.fits, a.setup.layout.gpus(), a.more_reading, -a.saved_bytes);
  });
  return all;
}

}  // namespace ridge::plan
