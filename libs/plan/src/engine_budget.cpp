// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/engine_budget.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace ridge::plan {
namespace {

constexpr std::array<std::pair<std::string_view, cache_engine>, 5> names{
    {{"vllm", cache_engine::vllm},
     {"sglang", cache_engine::sglang},
     {"trtllm", cache_engine::trtllm},
     {"tensorrt-llm", cache_engine::trtllm},
     {"tensorrt_llm", cache_engine::trtllm}}};

budget_step weights(const engine_budget_question& q) {
  return {"weights", -q.weight_bytes, "the model's share on this GPU",
          "--quantization, or more tensor ranks"};
}

budget_step context(const engine_budget_question& q) {
  return {"context", -q.context_bytes, "CUDA context, NCCL buffers, other processes",
          "free the GPU of other processes"};
}

std::vector<budget_step> vllm(const engine_budget_question& q) {
  return {{"memory", q.gpu_bytes, "all of the GPU", ""},
          {"left to others", -q.gpu_bytes * (1 - q.share), "the engine takes a share of all memory",
           "--gpu-memory-utilization"},
          weights(q),
          {"activations", -q.activation_bytes, "the peak of the profiling step", "--max-num-batched-tokens"},
          {"CUDA graphs", -q.graph_bytes, "captured steps of decoding", "--enforce-eager, --max-num-seqs"},
          context(q)};
}

std::vector<budget_step> sglang(const engine_budget_question& q) {
  const double free = std::max(q.gpu_bytes - q.context_bytes, 0.0);
  return {{"memory", q.gpu_bytes, "all of the GPU", ""},
          context(q),
          {"kept back", -free * (1 - q.share), "for activations and CUDA graphs", "--mem-fraction-static"},
          weights(q)};
}

std::vector<budget_step> trtllm(const engine_budget_question& q) {
  const double free =
      std::max(q.gpu_bytes - q.context_bytes - q.weight_bytes - q.activation_bytes - q.graph_bytes, 0.0);
  return {{"memory", q.gpu_bytes, "all of the GPU", ""},
          context(q),
          weights(q),
          {"activations", -q.activation_bytes, "the peak of the profiling step", "max_num_tokens"},
          {"CUDA graphs", -q.graph_bytes, "captured steps of decoding", "cuda_graph_config"},
          {"kept free", -free * (1 - q.share), "a share of what is free then",
           "kv_cache_config.free_gpu_memory_fraction"}};
}

std::vector<budget_step> steps_of(const engine_budget_question& q) {
  switch (q.engine) {
    case cache_engine::vllm:
      return vllm(q);
    case cache_engine::sglang:
      return sglang(q);
    case cache_engine::trtllm:
      return trtllm(q);
  }
  return {};
}

double left_of(const engine_budget_question& q) {
  const auto steps = steps_of(q);
  return std::accumulate(steps.begin(), steps.end(), 0.0,
                         [](double sum, const budget_step& s) { return sum + s.bytes; });
}

result<void> check(const engine_budget_question& q) {
  if (!(q.share > 0 && q.share <= 1))
    return error{fmt::format("utilization: {} is not from above 0 to 1", q.share),
                 "give a share: 0.9 is 90 %"};
  for (const double bytes : {q.gpu_bytes, q.weight_bytes, q.activation_bytes, q.graph_bytes, q.context_bytes})
    if (!(bytes >= 0 && bytes < 1e18))
      return error{fmt::format("{} bytes of memory", bytes), "give bytes of at least 0"};
  return {};
}

}  // namespace

std::string_view name_of(cache_engine e) {
  return std::ranges::find(names, e, &decltype(names)::value_type::second)->first;
}

result<cache_engine> cache_engine_named(std::string_view name) {
  const auto at = std::ranges::find(names, name, &decltype(names)::value_type::first);
  if (at == names.end())
    return error{fmt::format("engine \"{}\" is unknown", name.substr(0, 40)),
                 "engines: vllm, sglang, trtllm"};
  return at->second;
}

double default_share(cache_engine e) {
  constexpr double of_all = 0.92, of_loaded = 0.88, of_free = 0.9;
  if (e == cache_engine::vllm) return of_all;
  return e == cache_engine::sglang ? of_loaded : of_free;
}

result<engine_budget> engine_budget_of(const engine_budget_question& q) {
  if (const auto fine = check(q); !fine) return fine.why();
  const double left = left_of(q);
  return engine_budget{std::max(left, 0.0), std::max(-left, 0.0), steps_of(q)};
}

double share_needed(const engine_budget_question& q, double cache_bytes) {
  auto all = q;
  all.share = 1;
  const double most = left_of(all), base = q.engine == cache_engine::vllm     ? q.gpu_bytes
                                           : q.engine == cache_engine::sglang ? q.gpu_bytes - q.context_bytes
                                                                              : most;
  if (base <= 0) return 2;
  return 1 - (most - cache_bytes) / base;
}

int tensor_ranks_needed(const model_shape& m, kv_question k, engine_budget_question q) {
  const auto whole = q.weight_bytes;
  for (int ranks = 1; ranks <= 64; ranks *= 2) {
    k.layout.tensor = ranks;
    q.weight_bytes = whole / ranks;
    const auto budget = engine_budget_of(q);
    const auto cache = size_kv_cache(m, k);
    if (budget && cache && budget->lacking_bytes == 0 && cache->allocated_bytes_per_gpu <= budget->bytes)
      return ranks;
  }
  return 0;
}

}  // namespace ridge::plan
