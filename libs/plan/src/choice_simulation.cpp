// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/choice_simulation.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ridge/plan/gpu_mix.hpp>
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

serve::replica_pool pool_of(const replica_offer& o, int replicas, const replica_policy& p,
                            const choice_simulation& simulation, serve::engine_role role) {
  serve::replica_pool pool{.name = o.gpu, .replicas = replicas};
  pool.timer = o.timer;
  pool.gpus = o.gpus;
  const auto step = p.max_step_tokens > 0 ? p.max_step_tokens : o.max_step_tokens;
  const auto sequences = p.max_sequences > 0 ? p.max_sequences : o.max_sequences;
  pool.engine.role = role;
  pool.engine.max_batched_tokens = static_cast<std::uint32_t>(step);
  pool.engine.max_sequences = static_cast<std::uint32_t>(sequences);
  pool.engine.block_size = static_cast<std::uint32_t>(simulation.block_tokens);
  pool.engine.blocks =
      static_cast<std::uint32_t>(std::min<std::int64_t>(o.kv_tokens / simulation.block_tokens, 1 << 30));
  pool.engine.prefix_caching = false;
  pool.engine.request_s = role == serve::engine_role::decode ? 0 : o.request_s;
  return pool;
}

serve::cluster_settings cluster_of(std::vector<serve::replica_pool> pools,
                                   const choice_simulation& simulation) {
  serve::cluster_settings s;
  s.pools = std::move(pools);
  s.router = {.kind = serve::router_kind::random, .seed = simulation.seed + route};
  return s;
}

double quantile(std::vector<double>& x, double q) {
  std::ranges::sort(x);
  return x.empty() ? 0 : stats::sorted_quantile(x, q);
}

// Latencies of one or several runs, judged together.
struct gathered_latencies {
  simulated_choice made{};
  std::vector<double> ttft{}, tpot{};
  std::int64_t asked = 0;

  result<void> add(const serve::cluster_settings& cluster, const serve::workload& load) {
    const auto run = serve::simulate_cluster(cluster, load);
    if (!run) return run.why();
    const auto summary = serve::summarize(load, *run, {});
    for (const auto& r : run->requests) {
      if (r.ended != serve::outcome::finished) continue;
      ttft.push_back(r.ttft_s());
      if (r.output_tokens > 1) tpot.push_back(r.tpot_s());
    }
    asked += std::ssize(load.requests);
    made.requests += summary.finished;
    made.preemptions += summary.preemptions;
    made.saturated = made.saturated || summary.saturated.saturated;
    return {};
  }

  simulated_choice judged(const latency_objective& slo) {
    const auto mean = [](const std::vector<double>& x) {
      return x.empty() ? 0 : std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    };
    made.ttft_s = mean(ttft), made.tpot_s = mean(tpot);
    made.ttft_quantile_s = quantile(ttft, slo.quantile);
    made.tpot_quantile_s = quantile(tpot, slo.quantile);
    made.met = !made.saturated && made.requests == asked && made.ttft_quantile_s <= slo.ttft_s &&
               made.tpot_quantile_s <= slo.tpot_s;
    return made;
  }
};

serve::workload busiest_hour(const serving_load& load, const choice_simulation& simulation) {
  return poisson(load, load.requests_per_s * load.peak_factor, simulation);
}

}  // namespace

result<simulated_choice> simulate_choice(const cluster_choice& c, const replica_offer& o,
                                         const serving_load& load, const latency_objective& slo,
                                         const replica_policy& p, const choice_simulation& simulation) {
  gathered_latencies all;
  const auto pool = pool_of(o, c.replicas, p, simulation, serve::engine_role::both);
  if (const auto good = all.add(cluster_of({pool}, simulation), busiest_hour(load, simulation)); !good)
    return good.why();
  return all.judged(slo);
}

result<simulated_choice> simulate_prefill(const replica_offer& o, int replicas, const serving_load& load,
                                          const latency_objective& slo, const replica_policy& p,
                                          const choice_simulation& simulation) {
  auto prompts = busiest_hour(load, simulation);
  for (auto& r : prompts.requests) r.output_tokens = 1;
  gathered_latencies all;
  const auto pool = pool_of(o, replicas, p, simulation, serve::engine_role::both);
  if (const auto good = all.add(cluster_of({pool}, simulation), prompts); !good) return good.why();
  return all.judged(slo);
}

result<simulated_choice> simulate_disaggregated(const replicas_of_offer& prefill,
                                                const replicas_of_offer& decode,
                                                const serve::disaggregation_settings& link,
                                                const serving_load& load, const latency_objective& slo,
                                                const replica_policy& p,
                                                const choice_simulation& simulation) {
  auto cluster =
      cluster_of({pool_of(*prefill.offer, prefill.replicas, p, simulation, serve::engine_role::prefill),
                  pool_of(*decode.offer, decode.replicas, p, simulation, serve::engine_role::decode)},
                 simulation);
  cluster.disaggregated = link;
  gathered_latencies all;
  if (const auto good = all.add(cluster, busiest_hour(load, simulation)); !good) return good.why();
  return all.judged(slo);
}

result<simulated_choice> simulate_mix(const gpu_mix& mix, std::span<const replica_offer> offers,
                                      const latency_objective& slo, const replica_policy& p,
                                      const choice_simulation& simulation) {
  gathered_latencies all;
  for (const auto& one : mix.pools) {
    auto of_pool = simulation;
    const double share = one.highest_quantile - one.lowest_quantile;
    of_pool.requests =
        std::max<std::int64_t>(1, std::llround(share * static_cast<double>(simulation.requests)));
    const auto pool =
        pool_of(offers[one.offer], one.choice.replicas, p, simulation, serve::engine_role::both);
    if (const auto good = all.add(cluster_of({pool}, simulation), busiest_hour(one.load, of_pool)); !good)
      return good.why();
  }
  return all.judged(slo);
}

}  // namespace ridge::plan
