// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/choice_simulation.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/plan/serve/counted_random.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/plan/serve/workload.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::plan {
namespace {

enum purpose : std::uint64_t { gap = 1, length = 2, route = 3 };

const length_class& drawn(const serving_load& load, double u) {
  double all = 0, below = 0;
  for (const auto& c : load.lengths) all += c.weight;
  for (const auto& c : load.lengths) {
    below += c.weight / all;
    if (u < below) return c;
  }
  return load.lengths.back();
}

std::uint32_t tokens(double x) { return static_cast<std::uint32_t>(std::max(1.0, std::round(x))); }

serve::workload poisson(const serving_load& load, double rate, const choice_simulation& simulation) {
  serve::workload w;
  double now_s = 0;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(simulation.requests); ++i) {
    now_s += serve::random_exponential(simulation.seed, i, gap) / rate;
    const auto& c = drawn(load, serve::random_uniform(simulation.seed, i, length));
    w.requests.push_back({.arrival_s = now_s,
                          .prompt_tokens = tokens(c.input_tokens),
                          .output_tokens = tokens(c.output_tokens)});
  }
  return w;
}

serve::cluster_settings settings_of(const cluster_choice& c, const replica_offer& o, const replica_policy& p,
                                    const choice_simulation& simulation) {
  serve::replica_pool pool{.name = o.gpu, .replicas = c.replicas};
  pool.timer = o.timer;
  pool.gpus = o.gpus;
  pool.engine.max_batched_tokens = static_cast<std::uint32_t>(p.max_step_tokens > 0 ? p.max_step_tokens : o.max_step_tokens);
  pool.engine.max_sequences = static_cast<std::uint32_t>(p.max_sequences > 0 ? p.max_sequences : o.max_sequences);
  pool.engine.block_size = static_cast<std::uint32_t>(simulation.block_tokens);
  pool.engine.blocks =
      static_cast<std::uint32_t>(std::min<std::int64_t>(o.kv_tokens / simulation.block_tokens, 1 << 30));
  pool.engine.prefix_caching = false;
  serve::cluster_settings s;
  s.pools = {std::move(pool)};
  s.router = {.kind = serve::router_kind::random, .seed = simulation.seed + route};
  return s;
}

double quantile(std::vector<double>& x, double q) {
  std::ranges::sort(x);
  return x.empty() ? 0 : stats::sorted_quantile(x, q);
}

}  // namespace

result<simulated_choice> simulate_choice(const cluster_choice& c, const replica_offer& o,
                                         const serving_load& load, const latency_objective& slo,
                                         const replica_policy& p, const choice_simulation& simulation) {
  const auto asked = poisson(load, load.requests_per_s * load.peak_factor, simulation);
  const auto run = serve::simulate_cluster(settings_of(c, o, p, simulation), asked);
  if (!run) return run.why();
  const auto summary = serve::summarize(asked, *run, {});
  std::vector<double> ttft, tpot;
  for (const auto& r : run->requests) {
    if (r.ended != serve::outcome::finished) continue;
    ttft.push_back(r.ttft_s());
    if (r.output_tokens > 1) tpot.push_back(r.tpot_s());
  }
  simulated_choice s{.ttft_s = summary.ttft.mean_s, .tpot_s = summary.tpot.mean_s};
  s.requests = summary.finished;
  s.ttft_quantile_s = quantile(ttft, slo.quantile);
  s.tpot_quantile_s = quantile(tpot, slo.quantile);
  s.preemptions = summary.preemptions;
  s.saturated = summary.saturated.saturated;
  s.met = !s.saturated && summary.finished == simulation.requests && s.ttft_quantile_s <= slo.ttft_s &&
          s.tpot_quantile_s <= slo.tpot_s;
  return s;
}

}  // namespace ridge::plan
