// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/kernels/tables.hpp>
#include <ridge/plan/model_catalogue.hpp>

#include "closed_loop.hpp"
#include "silicon_rows.hpp"

namespace {
using namespace ridge;
using namespace ridge::plan_test;
namespace k = ridge::plan::kernels;

double env(const char* n, double d) {
  const char* t = std::getenv(n);
  return t ? std::atof(t) : d;
}

std::string catalogued(std::string name) {
  if (name.starts_with("nvidia/")) name = name.substr(7);
  if (name.ends_with("-FP8")) name.resize(name.size() - 4);
  return name.substr(name.rfind('/') + 1);
}
double kv_bytes(const plan::model_shape& m, int tp, double e) {
  double b = 0;
  for (std::int64_t l = 0; l < m.layers(); ++l) {
    const auto& a = m.layer(l).attention;
    if (a.kind == plan::attention_kind::full)
      b += 2.0 * double((a.kv_heads + tp - 1) / tp) * double(a.head_dim) * e;
  }
  return b;
}
}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "tables";
  const auto data = data_folder();
  const auto rows = read_silicon(data / "serving/silicon/ttft_tpot.csv");
  if (!rows) {
    fmt::print("{}\n", rows.why().text());
    return 77;
  }
  std::map<std::string, std::shared_ptr<const k::kernel_times>> times;
  std::map<std::string, std::unique_ptr<k::step_timer>> timers;
  for (const auto& r : rows->rows) {
    const auto model = plan::model_named(catalogued(r.model));
    if (!model) {
      fmt::print("{}\n", model.why().text());
      return 1;
    }
    const auto gpu = plan::accelerator_named(hardware::catalogue::embedded(), r.gpu);
    if (!gpu) {
      fmt::print("{}\n", gpu.why().text());
      return 1;
    }
    auto& t = times[r.gpu + r.engine];
    if (!t) {
      t = k::analytic_times(*gpu);
      if (path == "tables") {
        auto x = k::table_times({data / "serving/kernels", r.engine}, *gpu, t);
        if (!x) {
          fmt::print("{}\n", x.why().text());
          return 1;
        }
        t = *x;
      }
    }
    k::step_request q;
    q.model = *model, q.gpu = *gpu;
    q.layout.tensor = r.tensor;
    q.layout.expert = r.expert;
    q.weight_format = r.format, q.kv_format = r.kv_format;
    q.scaling.flop = env("FLOP", 1), q.scaling.bandwidth = env("BW", 1);
    q.max_batched_tokens = 16384;
    q.max_context = 16384;
    q.max_sequences = 1024;
    auto& timer = timers[r.gpu + r.engine + r.model + r.format + std::to_string(r.tensor) + "." +
                         std::to_string(r.expert)];
    if (!timer) {
      auto x = k::make_step_timer(q, *t);
      if (!x) {
        fmt::print("{}\n", x.why().text());
        return 1;
      }
      timer = std::move(*x);
    }
    k::engine_overheads o;
    o.engine = r.engine;
    o.step_s = env("STEP", 1e-3);
    o.sequence_s = env("SEQ", 0);
    o.hidden_step_s = env("HSTEP", 0);
    o.hidden_sequence_s = env("HSEQ", 0);
    o.kernel_launch_s = env("LAUNCH", 4e-6);
    const auto own = timer->with(o);
    closed_loop c;
    c.clients = r.clients, c.input_tokens = r.input_tokens, c.output_tokens = r.output_tokens;
    c.requests = r.clients * std::int64_t(env("WAVES", 10));
    c.max_batched_tokens = std::int64_t(env("BUDGET", 8192));
    c.request_s = env("REQ", 1e-3);
    c.mixed = r.engine != "sglang" || env("SGMIX", 0) > 0;
    c.chunked = r.engine != "trtllm" || env("TRTCHUNK", 0) > 0;
    if (r.source.starts_with("2026")) c.shortest = env("SHORT", 0.8);
    const auto pc = plan::count_parameters(*model);
    const double wb = r.format == "bf16" ? 2 : r.format == "mxfp4" ? 0.56 : 1.02;
    const double room = gpu->memory_bytes * 0.9 - 4e9 - double(pc.total()) * wb / r.tensor;
    const double kvt = kv_bytes(*model, r.tensor, r.kv_format == "fp8" ? 1 : 2);
    c.cache_tokens = std::max<std::int64_t>(1, std::int64_t(room / kvt));
    const auto x = run(c, *own);
    plan::serve::iteration d;
    d.decode_sequences = d.decode_tokens = d.sampled = r.clients;
    d.decode_context = r.clients * (r.input_tokens + r.output_tokens / 2);
    const auto p = own->parts(d);
    fmt::print(
        "{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{"
        ":.3f}\n",
        r.engine, r.version, r.model, r.gpu, r.format, r.tensor, r.expert, r.input_tokens, r.output_tokens,
        r.clients, r.source, r.ttft_s, x.ttft_s, r.tpot_s, x.tpot_s, c.cache_tokens, p.products_s * 1e3,
        p.experts_s * 1e3, p.attention_decode_s * 1e3, p.elementwise_s * 1e3, p.collectives_s * 1e3,
        p.head_s * 1e3);
  }
}
