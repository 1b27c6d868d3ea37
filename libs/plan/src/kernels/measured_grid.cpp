// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <ridge/plan/kernels/kernel_measurements.hpp>

#include "as_real.hpp"
#include "call_hash.hpp"

namespace ridge::plan::kernels {
namespace {

using calls = std::vector<model::kernel_call>;

// Bytes that the operands of a call take, about; 0: little.
double bytes_of(const model::kernel_call& c) {
  const auto size = [&](const char* name) { return as_real(c.size(name)); };
  const double element = c.format == "fp8" ? 1 : c.format == "fp32" ? 4 : 2;
  if (c.kernel == "product")
    return element * (size("n") * size("k") + size("m") * size("k")) + 2 * size("m") * size("n");
  if (c.kernel == "decode_attention")
    return 2 * element * size("sequences") * size("context") * size("kv_heads") * size("head_dim");
  if (c.kernel == "prefill_attention")
    return 2 * size("sequences") * size("tokens") * size("head_dim") *
           (2 * size("heads") + 2 * size("kv_heads"));
  if (c.kernel == "experts") return 3 * element * size("experts") * size("hidden") * size("intermediate");
  return size("bytes");
}

// Widths of layers from 1 billion parameters on, whole and divided among up to eight GPUs; of the largest
// pairs no model has both.
void add_products(calls& all, const std::string& format) {
  constexpr std::array<std::int64_t, 8> sides{512, 1024, 2048, 4096, 6144, 8192, 14336, 28672};
  constexpr std::int64_t largest = 28672LL * 8192;
  for (const auto n : sides)
    for (const auto k : sides)
      for (std::int64_t m = 1; m <= 8192; m *= 2)
        if (n * k <= largest) all.push_back({"product", format, {{"m", m}, {"n", n}, {"k", k}}});
}

// Heads and KV heads of a GPU, and their size: Llama of 8, 70 and 405 billion whole or in eighths, gpt-oss,
// and a model without grouped queries.
struct heads {
  std::int64_t query, key, dimension;
};
constexpr std::array<heads, 7> head_shapes{
    {{32, 8, 128}, {64, 8, 128}, {8, 1, 128}, {16, 1, 128}, {16, 2, 128}, {8, 8, 128}, {64, 8, 64}}};

void add_decodes(calls& all) {
  for (const auto& h : head_shapes)
    for (std::int64_t sequences = 1; sequences <= 512; sequences *= 2)
      for (const std::int64_t context : {128, 512, 2048, 8192, 32768})
        all.push_back({"decode_attention",
                       "bf16",
                       {{"heads", h.query},
                        {"kv_heads", h.key},
                        {"head_dim", h.dimension},
                        {"sequences", sequences},
                        {"context", context}}});
}

void add_prefills(calls& all) {
  for (const auto& h : head_shapes)
    for (const std::int64_t sequences : {1, 4, 16})
      for (std::int64_t tokens = 128; sequences * tokens <= 16384; tokens *= 2)
        all.push_back({"prefill_attention",
                       "bf16",
                       {{"heads", h.query},
                        {"kv_heads", h.key},
                        {"head_dim", h.dimension},
                        {"sequences", sequences},
                        {"tokens", tokens}}});
}

// Experts of Mixtral, Qwen3-30B, gpt-oss and DeepSeek-V3 divided among eight GPUs.
void add_experts(calls& all) {
  struct layer {
    std::int64_t hidden, intermediate, experts, top_k;
  };
  for (const auto& l : {layer{4096, 14336, 8, 2}, layer{4096, 1792, 8, 2}, layer{2048, 768, 128, 8},
                        layer{2880, 2880, 32, 4}, layer{7168, 256, 256, 8}})
    for (std::int64_t tokens = 1; tokens <= 8192; tokens *= 2)
      all.push_back({"experts",
                     "bf16",
                     {{"tokens", tokens},
                      {"hidden", l.hidden},
                      {"intermediate", l.intermediate},
                      {"experts", l.experts},
                      {"top_k", l.top_k}}});
}

// Activations of one to some thousands of tokens, in steps of 2 and 3.
void add_exchanges(calls& all, int gpus) {
  for (int ranks = 2; ranks <= std::min(gpus, 8); ranks *= 2)
    for (const auto* kernel : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"})
      for (std::int64_t bytes = 1 << 13; bytes <= 1 << 26; bytes *= 2)
        for (const std::int64_t times : {2, 3})
          all.push_back({kernel, fmt::format("{}", ranks), {{"bytes", bytes / 2 * times}, {"ranks", ranks}}});
}

void add_elementwise(calls& all, std::int64_t most) {
  for (std::int64_t bytes = 1 << 14; bytes <= most; bytes *= 2)
    for (const std::int64_t times : {2, 3})
      all.push_back({"elementwise", "", {{"bytes", bytes / 2 * times}}});
}

// What a CPU is asked for: layers of models up to some billion parameters, in fp32.
calls calls_of_host() {
  calls all;
  for (const std::int64_t n : {512, 1024, 2048, 4096})
    for (const std::int64_t k : {512, 1024, 2048, 4096})
      for (std::int64_t m = 1; m <= 512; m *= 2)
        all.push_back({"product", "fp32", {{"m", m}, {"n", n}, {"k", k}}});
  for (const auto& h : {heads{32, 8, 128}, heads{32, 8, 64}, heads{8, 8, 64}})
    for (std::int64_t sequences = 1; sequences <= 16; sequences *= 2)
      for (const std::int64_t context : {128, 512, 2048, 4096})
        all.push_back({"decode_attention",
                       "fp32",
                       {{"heads", h.query},
                        {"kv_heads", h.key},
                        {"head_dim", h.dimension},
                        {"sequences", sequences},
                        {"context", context}}});
  add_elementwise(all, 1 << 27);
  return all;
}

calls calls_of_gpu(const measurement_scope& scope) {
  calls all;
  add_products(all, "bf16");
  if (scope.fp8) add_products(all, "fp8");
  add_decodes(all);
  add_prefills(all);
  add_experts(all);
  add_elementwise(all, 1 << 29);
  for (const auto* where : {"graph", "stream"}) all.push_back({"launch", where, {}});
  add_exchanges(all, scope.gpus);
  return all;
}

// By hash, and of every kernel and format the same share of its rows after any number of calls.
calls spread(calls all) {
  std::map<std::pair<std::string, std::string>, calls> by_kernel;
  for (auto& c : all) by_kernel[{c.kernel, c.format}].push_back(std::move(c));
  std::vector<std::pair<double, model::kernel_call>> placed;
  for (auto& [key, some] : by_kernel) {
    std::ranges::sort(some, {}, [](const auto& c) { return hash_of(c); });
    const auto count = static_cast<double>(some.size());
    double place = 0.5;
    for (auto& c : some) placed.emplace_back(place / count, std::move(c)), place += 1;
  }
  std::ranges::stable_sort(placed, {}, [](const auto& p) { return p.first; });
  calls ordered;
  for (auto& p : placed) ordered.push_back(std::move(p.second));
  return ordered;
}

}  // namespace

std::vector<model::kernel_call> calls_to_measure(const measurement_scope& scope) {
  auto all = scope.gpu ? calls_of_gpu(scope) : calls_of_host();
  std::erase_if(all, [&](const auto& c) { return bytes_of(c) > scope.memory_bytes; });
  return spread(std::move(all));
}

}  // namespace ridge::plan::kernels
