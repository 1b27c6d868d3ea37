// SPDX-License-Identifier: Apache-2.0
// Fits the coefficients of libs/plan/data/efficiency.json to measured kernel tables outside the repository
// and writes them to stdout, with the error of each on stderr. plan_fit_efficiency DATE [FOLDER [KERNEL]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/fit_efficiency.hpp>

#include "kernels/measured_tables.hpp"
#include "silicon_rows.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan::kernels;
namespace plan = ridge::plan;

using sample = timed_kernel;

std::int64_t whole(double x) { return std::llround(x); }
plan::number_format format_named(const std::string& name) { return plan::number_format_named(name).value(); }

// Products as large as in layers of served models: the time of smaller ones is only the floor.
constexpr double least_side = 512;

using by_format = std::map<std::string, std::vector<sample>>;

// The shortest time of each product over all engines, as the interpolation of tables uses it.
by_format products(const std::vector<measured_tables>& engines) {
  std::map<std::string, std::map<std::array<double, 3>, double>> shortest;
  for (const auto& t : engines)
    for (const auto& [format, table] : t.products)
      for (const auto& [shape, curve] : table.by_shape)
        for (const auto& p : curve.points()) {
          if (std::min(shape.first, shape.second) < least_side) continue;
          auto& s =
              shortest[format].try_emplace({p.size, shape.first, shape.second}, p.seconds).first->second;
          s = std::min(s, p.seconds);
        }
  by_format all;
  for (const auto& [format, times] : shortest)
    for (const auto& [mnk, seconds] : times) {
      const product p{whole(mnk[0]), whole(mnk[1]), whole(mnk[2]), format_named(format)};
      all[format].push_back({[p](const kernel_times& k) { return k.of(p).seconds(); }, seconds});
    }
  return all;
}

// The larger batches and lengths of serving steps, with head dimensions of at least 64.
template <class Make>
by_format attention(const std::map<std::string, std::map<attention_key, measured_surface>>& tables,
                    const Make& make) {
  by_format all;
  for (const auto& [format, shapes] : tables)
    for (const auto& [key, surface] : shapes) {
      if (key.heads < 4 || key.kv_heads > 8 || key.head_dim > 128) continue;
      const head_shape h{whole(key.heads), whole(key.kv_heads), whole(key.head_dim), whole(key.head_dim),
                         format == "fp8" ? 1.0 : 2.0};
      for (const auto& row : surface.rows())
        for (const auto& p : row.curve.points()) all[format].push_back({make(h, row.row, p.size), p.seconds});
    }
  return all;
}

// The dimensions of DeepSeek, with which the tables were measured.
template <class Make>
by_format latent(const std::map<std::string, std::map<double, measured_surface>>& tables, const Make& make) {
  by_format all;
  for (const auto& [format, heads] : tables)
    for (const auto& [count, surface] : heads) {
      const latent_shape s{whole(count), 512, 64, 128, 128, format == "fp8" ? 1.0 : 2.0};
      for (const auto& row : surface.rows())
        for (const auto& p : row.curve.points()) all[format].push_back({make(s, row.row, p.size), p.seconds});
    }
  return all;
}

// The shortest time over all engines of each point of vLLM's table. Without fp8 scaled by tensors: vLLM's
// kernels for it are untuned (two to five times as slow as another's), and TensorRT-LLM's do not fit the
// curve (a quarter of them off by half). Experts scaled by blocks stand for them.
by_format experts(const std::vector<measured_tables>& engines) {
  using tokens_of_shape = std::pair<expert_key, double>;
  std::map<std::string, std::map<tokens_of_shape, double>> shortest;
  for (const auto& [format, shapes] : engines.front().experts)
    for (const auto& [shape, curve] : shapes)
      for (const auto& p : curve.points())
        if (format != "fp8") shortest[format].try_emplace({shape, p.size}, p.seconds);
  for (const auto& t : engines)
    for (const auto& [format, shapes] : t.experts)
      for (const auto& [shape, curve] : shapes)
        for (const auto& p : curve.points()) {
          const auto at = shortest[format].find({shape, p.size});
          if (at != shortest[format].end()) at->second = std::min(at->second, p.seconds);
        }
  by_format all;
  for (const auto& [format, times] : shortest)
    for (const auto& [point, seconds] : times) {
      const auto& [k, tokens] = point;
      const expert_products e{whole(tokens),
                              whole(k.hidden),
                              whole(k.intermediate),
                              whole(k.experts),
                              whole(k.top_k),
                              static_cast<int>(k.tensor),
                              static_cast<int>(k.expert),
                              true,
                              format_named(format)};
      all[format].push_back({[e](const kernel_times& kernels) { return kernels.of(e).seconds(); }, seconds});
    }
  return all;
}

by_format exchanges(const std::map<int, measured_curve>& by_ranks, collective kind) {
  by_format all;
  constexpr double largest = 1 << 28;  // in a step of 16,384 tokens
  for (const auto& [ranks, curve] : by_ranks)
    for (const auto& p : curve.points()) {
      const exchange e{kind, p.size, ranks};
      if (p.size > largest) continue;
      all[fmt::format("{}", ranks)].push_back(
          {[e](const kernel_times& times) { return times.of(e).seconds(); }, p.seconds});
    }
  return all;
}

std::string only;  // kernel to fit; empty: all

void add(efficiency_catalogue& catalogue, const plan::accelerator& gpu, const std::string& kernel,
         by_format&& all, const std::string& source, const std::string& date) {
  for (auto& [format, samples] : all) {
    if (!only.empty() && kernel != only) continue;
    efficiency_entry e{
        gpu.name, gpu.generation, kernel, format, {}, static_cast<std::int64_t>(samples.size()), 0,
        0,        source,         date};
    e.curve = fit_efficiency(gpu, e, samples);
    const auto off = error_of(gpu, e, samples);
    e.median_error = three_digits(off.median), e.p90_error = three_digits(off.p90);
    fmt::print(stderr, "{:<10} {:<18} {:<10} {:>6} rows  off {:>5.1f} % median, {:>5.1f} % p90\n", gpu.name,
               kernel, format, e.rows, 100 * off.median, 100 * off.p90);
    catalogue.entries.push_back(std::move(e));
  }
}

result<void> fit_gpu(const std::filesystem::path& folder, const std::string& date,
                     efficiency_catalogue& catalogue) {
  const auto gpu = plan::accelerator_named(hardware::catalogue::embedded(), folder.filename().string());
  if (!gpu) return gpu.why();
  std::vector<measured_tables> engines;
  for (const auto* engine : {"vllm", "trtllm", "nccl"}) {
    auto t = read_tables(folder, engine);
    if (!t) return t.why();
    engines.push_back(std::move(*t));
  }
  const auto& vllm = engines[0];
  const auto& trtllm = engines[1];
  const auto source = [&](const std::string& measured) {
    return "aiconfigurator's measured tables of " + gpu->name + ": " + measured;
  };
  add(catalogue, *gpu, "product", products(engines),
      source("gemm of vLLM 0.24 and TensorRT-LLM 1.3, the shorter"), date);
  const auto prompt = [](const head_shape& h, double batch, double length) {
    const prefill_attention a{h, whole(batch), whole(batch * length), batch * length * (length + 1) / 2};
    return [a](const kernel_times& k) { return k.of(a).seconds(); };
  };
  add(catalogue, *gpu, "prefill_attention", attention(vllm.prefill, prompt),
      source("context_attention of vLLM 0.24"), date);
  const auto token = [](const head_shape& h, double batch, double length) {
    const decode_attention a{h, whole(batch), batch * length, 1};
    return [a](const kernel_times& k) { return k.of(a).seconds(); };
  };
  add(catalogue, *gpu, "decode_attention", attention(vllm.decode, token),
      source("generation_attention of vLLM 0.24"), date);
  // The tables of TensorRT-LLM time the kernel alone, those of vLLM also its launch from Python (150 us and
  // more), which no engine with CUDA graphs pays. A GPU without the former borrows the curves of one that has
  // them.
  const auto& mla = trtllm;
  const auto latent_prompt = [](const latent_shape& s, double batch, double length) {
    const latent_prefill a{s, whole(batch), whole(batch * length), batch * length * (length + 1) / 2};
    return [a](const kernel_times& k) { return k.of(a).seconds(); };
  };
  const auto latent_token = [](const latent_shape& s, double batch, double length) {
    const latent_decode a{s, whole(batch), batch * length, 1};
    return [a](const kernel_times& k) { return k.of(a).seconds(); };
  };
  add(catalogue, *gpu, "latent_prefill", latent(mla.latent_prefill, latent_prompt),
      source("context_mla of " + mla.engine), date);
  add(catalogue, *gpu, "latent_decode", latent(mla.latent_decode, latent_token),
      source("generation_mla of " + mla.engine), date);
  add(catalogue, *gpu, "experts", experts(engines),
      source("moe of vLLM 0.24 and TensorRT-LLM 1.3, the shorter, power-law routing 1.01"), date);
  add(catalogue, *gpu, "all_reduce", exchanges(vllm.all_reduce, collective::all_reduce),
      source("custom_allreduce of vLLM in CUDA graphs"), date);
  const auto nccl = [&](const std::string& kernel, const std::string& name, collective kind) {
    const auto at = engines[2].collectives.find(name);
    if (at != engines[2].collectives.end())
      add(catalogue, *gpu, kernel, exchanges(at->second, kind), source("NCCL, 16 bit"), date);
  };
  nccl("all_gather", "all_gather", collective::all_gather);
  nccl("reduce_scatter", "reduce_scatter", collective::reduce_scatter);
  nccl("all_to_all", "alltoall", collective::all_to_all);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "plan_fit_efficiency DATE [FOLDER of tables [KERNEL]]\n");
    return 2;
  }
  const auto folder =
      argc > 2 ? std::filesystem::path(argv[2]) : plan_test::data_folder() / "serving/kernels";
  std::vector<std::filesystem::path> gpus;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.is_directory()) gpus.push_back(entry.path());
  std::ranges::sort(gpus);
  if (argc > 3) only = argv[3];
  efficiency_catalogue all;
  for (const auto& gpu : gpus)
    if (const auto bad = fit_gpu(gpu, argv[1], all); !bad) {
      fmt::print(stderr, "{}\n", bad.why().text());
      return 1;
    }
  fmt::print("{}\n", efficiencies_json(all));
  return gpus.empty() ? 77 : 0;
}
