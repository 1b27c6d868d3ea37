// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cluster_sizing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "cluster_figures.hpp"
#include "cost_formulas.hpp"
#include "replica_model.hpp"

namespace ridge::plan {
namespace {

std::string ms(double seconds) { return format_quantity(seconds, "s"); }

result<void> number(const char* name, double v, double least, double most, const char* wanted) {
  if (v >= least && v <= most) return {};
  return error{fmt::format("{} is {:g}", name, v), fmt::format("give {}", wanted)};
}

result<void> check(const serving_load& load, const latency_objective& slo, const replica_policy& p) {
  constexpr double tiny = std::numeric_limits<double>::min(), huge = 1e12;
  std::vector<result<void>> all{
      number("rate", load.requests_per_s, tiny, huge, "requests per second above 0"),
      number("peak factor", load.peak_factor, 1, 1000, "the busiest hour by the mean, from 1"),
      number("TTFT objective", slo.ttft_s, tiny, huge, "a time above 0"),
      number("TPOT objective", slo.tpot_s, tiny, huge, "a time above 0"),
      number("quantile", slo.quantile, 0.5, 0.9999, "a share from 0.5 to 0.9999"),
      number("sequences per step", p.max_sequences, 0, 1e6, "1 or more; 0: the engine's"),
      number("tokens per step", p.max_step_tokens, 0, 1e9, "1 or more; 0: the engine's"),
      number("headroom", p.headroom, 0, 0.95, "a share from 0 to 0.95"),
      number("spare replicas", p.spare_replicas, 0, 1e6, "0 or more")};
  for (const auto& c : load.lengths) {
    all.push_back(number("prompt length", c.input_tokens, 1, huge, "1 token or more"));
    all.push_back(number("answer length", c.output_tokens, 1, huge, "1 token or more"));
    all.push_back(number("weight of a length", c.weight, tiny, huge, "a number above 0"));
  }
  if (load.lengths.empty()) return error{"no lengths of requests are given", "give input and output tokens"};
  for (const auto& one : all) {
    if (!one) return one;
  }
  return {};
}

// The reason why not even one request at a time stays within the objectives.
std::string why_never(const replica_offer& o, const replica_model& m, const replica_state& s,
                      const latency_objective& slo) {
  switch (s.broken) {
    case binding::kv_cache:
      return fmt::format("the KV cache holds {} tokens, one request has {:.0f}", o.kv_tokens,
                         m.longest_request());
    case binding::tpot:
      return fmt::format("a step of one sequence takes {}, more than the TPOT of {} allowed", ms(s.tpot_s),
                         ms(slo.tpot_s));
    case binding::ttft:
      return fmt::format("a prompt alone takes {}, TTFT may take {}", ms(s.ttft_quantile_s), ms(slo.ttft_s));
    default:
      return "it falls behind at any rate";
  }
}

cluster_choice rejected_choice(const replica_offer& o, binding binding_limit, std::string why) {
  cluster_choice c{.gpu = o.gpu, .gpus_per_replica = o.gpus};
  c.limit = binding_limit;
  c.rejected = std::move(why);
  return c;
}

void add_power(cluster_choice& c, const replica_offer& o, const replica_state& mean, double tokens_per_s) {
  if (o.busy_power_w <= 0) return;
  const double one = o.idle_power_w + mean.busy * (o.busy_power_w - o.idle_power_w);
  c.power_w = one * static_cast<double>(c.gpus);
  c.joules_per_token = *c.power_w / tokens_per_s;
}

void add_price(cluster_choice& c, const replica_offer& o, double tokens_per_s) {
  if (o.usd_per_gpu_hour <= 0) return;
  c.usd_per_hour = o.usd_per_gpu_hour * static_cast<double>(c.gpus);
  c.usd_per_mtok = *c.usd_per_hour / (tokens_per_s * seconds_an_hour) * mtok;
}

cluster_choice sized(const serving_load& load, const latency_objective& slo, const replica_policy& p,
                     const replica_offer& o) {
  constexpr double most_replicas = 1e6;
  if (!o.refused.empty()) return rejected_choice(o, o.refused_by, o.refused);
  const replica_model model(o, load, slo, p);
  const double most = model.max_rate();
  if (most <= 0) {
    const auto s = model.at(1e-6);
    return rejected_choice(o, s.broken, why_never(o, model, s, slo));
  }
  const double needed = std::ceil(load.requests_per_s * load.peak_factor / (most * (1 - p.headroom)) - 1e-9);
  if (needed > most_replicas)
    return rejected_choice(o, model.at(1.01 * most).broken, "it takes over a million replicas");
  cluster_choice c{.gpu = o.gpu, .gpus_per_replica = o.gpus};
  c.replicas = static_cast<int>(needed) + p.spare_replicas;
  c.gpus = std::int64_t{c.replicas} * o.gpus;
  c.kv_tokens = o.kv_tokens;
  c.max_requests_per_s = most;
  c.limit = model.at(1.01 * most).broken;
  c.peak = model.at(load.requests_per_s * load.peak_factor / c.replicas);
  const double rate = load.requests_per_s / c.replicas;
  c.utilization = rate / most;
  const double tokens_per_s = load.requests_per_s * model.mean_output();
  add_power(c, o, model.at(rate), tokens_per_s);
  add_price(c, o, tokens_per_s);
  return c;
}

// Cheapest first, those without a price last; then fewest GPUs.
auto rank(const cluster_choice& c) {
  return std::tuple(!c.usd_per_hour.has_value(), c.usd_per_hour.value_or(0), c.gpus);
}

}  // namespace

std::string_view name_of(binding b) {
  constexpr std::string_view names[] = {"none",      "unknown",  "layout", "memory", "compute",
                                        "sequences", "kv cache", "tpot",   "ttft"};
  return names[static_cast<std::size_t>(b)];
}

replica_state replica_at(const replica_offer& o, const serving_load& load, const latency_objective& slo,
                         const replica_policy& p, double requests_per_s) {
  return replica_model(o, load, slo, p).at(requests_per_s);
}

result<cluster_answer> size_cluster(const serving_load& load, const latency_objective& slo,
                                    const replica_policy& p, std::span<const replica_offer> offers) {
  if (const auto fine = check(load, slo, p); !fine) return fine.why();
  cluster_answer a;
  std::vector<std::pair<cluster_choice, const replica_offer*>> fit;
  for (const auto& o : offers) {
    auto c = sized(load, slo, p, o);
    if (c.rejected.empty())
      fit.emplace_back(std::move(c), &o);
    else
      a.rejected.push_back(std::move(c));
  }
  std::ranges::stable_sort(fit, {}, [](const auto& choice) { return rank(choice.first); });
  for (const auto& one : fit) a.choices.push_back(one.first);
  if (!fit.empty()) a.derivation = cluster_figures(load, slo, p, *fit.front().second, fit.front().first);
  return a;
}

}  // namespace ridge::plan
