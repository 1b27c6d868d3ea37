// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/summary.hpp>

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <ridge/plan/serve/simulated_cluster.hpp>

#include "populated_table.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::size_t worth_a_thread = 100'000;  // requests: their summary takes 10 ms, a thread 0.1 ms

double value_of(const served_request& r, latency_metric m) {
  switch (m) {
    case latency_metric::ttft:
      return r.ttft_s();
    case latency_metric::e2e:
      return r.e2e_s();
    case latency_metric::queue:
      return r.queue_s();
    // The single gaps of a request are not kept; their mean represents them.
    case latency_metric::itl:
    case latency_metric::tpot:
      return r.tpot_s();
  }
  return 0;
}

bool good(const served_request& r, std::span<const objective> objectives) {
  return r.ended == outcome::finished && std::ranges::all_of(objectives, [&](const objective& o) {
           return value_of(r, o.metric) <= o.limit_s;
         });
}

// The values of each metric in order of the requests; computing quantiles reorders them.
struct latencies {
  std::vector<double> ttft{}, tpot{}, e2e{}, queue{};
  [[nodiscard]] std::vector<double>& of(latency_metric m) {
    if (m == latency_metric::ttft) return ttft;
    if (m == latency_metric::e2e) return e2e;
    return m == latency_metric::queue ? queue : tpot;
  }
};

latencies latencies_of(std::span<const served_request> all) {
  latencies by;
  for (auto* values : {&by.ttft, &by.tpot, &by.e2e, &by.queue}) reserve_populated(*values, all.size());
  for (const auto& r : all) {
    if (r.ended != outcome::finished) continue;
    by.ttft.push_back(r.ttft_s());
    by.e2e.push_back(r.e2e_s());
    if (r.scheduled_s < never_s) by.queue.push_back(r.queue_s());
    if (r.output_tokens > 1) by.tpot.push_back(r.tpot_s());
  }
  return by;
}

// Type 7 of Hyndman and Fan, by selection: six quantiles of a million values need no sorting. Ascending
// quantiles select among the values above the previous one.
class selection {
 public:
  explicit selection(std::vector<double>& x) : x_(x) {}
  [[nodiscard]] double quantile(double q) {
    const double at = q * static_cast<double>(x_.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(at);
    std::nth_element(x_.begin() + done_, x_.begin() + below, x_.end());
    done_ = below;
    const double low = x_[static_cast<std::size_t>(below)];
    if (below + 1 == std::ssize(x_)) return low;
    const double high = *std::min_element(x_.begin() + below + 1, x_.end());
    return low + (at - static_cast<double>(below)) * (high - low);
  }

 private:
  std::vector<double>& x_;
  std::ptrdiff_t done_ = 0;
};

latency_summary summary_of(std::vector<double>& x) {
  if (x.empty()) return {};
  latency_summary s{.count = static_cast<std::int64_t>(x.size()),
                    .mean_s = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size())};
  selection of(x);
  s.p50_s = of.quantile(0.5);
  s.p90_s = of.quantile(0.9);
  s.p95_s = of.quantile(0.95);
  s.p99_s = of.quantile(0.99);
  s.p999_s = of.quantile(0.999);
  s.max_s = of.quantile(1);
  return s;
}

double statistic_of(const objective& o, const latency_summary& s, std::vector<double>& values,
                    const duration_histogram& gaps) {
  using statistic = objective::statistic;
  if (o.limited_statistic == statistic::mean) return s.mean_s;
  if (o.limited_statistic == statistic::maximum) return s.max_s;
  const double q = o.limited_statistic == statistic::each ? attained_share : o.quantile;
  if (o.metric == latency_metric::itl) return gaps.quantile_s(q);
  return values.empty() ? 0 : selection(values).quantile(q);
}

objective_result result_of(const objective& o, std::span<const served_request> all, const latency_summary& s,
                           std::vector<double>& values, const duration_histogram& gaps) {
  objective_result r{.objective = o, .value_s = statistic_of(o, s, values, gaps)};
  const auto below = std::ranges::count_if(
      all, [&](const served_request& request) { return good(request, std::span(&o, 1)); });
  r.good_share = o.metric == latency_metric::itl ? gaps.share_below(o.limit_s)
                 : all.empty()                   ? 0
                               : static_cast<double>(below) / static_cast<double>(all.size());
  // Refused requests have no latency: an objective without a statistic counts them, a quantile cannot.
  r.met = o.limited_statistic == objective::statistic::each ? r.good_share >= attained_share
                                                            : s.count > 0 && r.value_s <= o.limit_s;
  return r;
}

saturation saturation_of(const workload& asked, std::span<const served_request> all) {
  if (asked.clients == 0) return serve::saturation_of(all);
  saturation none;
  none.evidence = fmt::format(
      "a closed loop of {} clients asks no faster than it is served, so that its queue cannot grow",
      asked.clients);
  return none;
}

// Runs both; the second on another thread where that is worth it and one can be had.
template <class First, class Second>
void in_two_threads(bool worth_it, First first, Second second) {
  auto other = std::async(worth_it ? std::launch::async | std::launch::deferred : std::launch::deferred,
                          std::move(second));
  first();
  other.get();
}

void count_outcomes(serving_summary& s, std::span<const served_request> all) {
  for (const auto& r : all) {
    s.finished += r.ended == outcome::finished ? 1 : 0;
    s.rejected += r.ended == outcome::rejected ? 1 : 0;
    s.too_long += r.ended == outcome::too_long ? 1 : 0;
    s.unfinished += r.ended == outcome::unfinished ? 1 : 0;
    s.restarts += r.restarts;
    s.preemptions += r.preemptions;
    s.preempted_requests += r.preemptions > 0 ? 1 : 0;
    if (r.ended != outcome::finished) continue;
    s.prompt_tokens += r.prompt_tokens;
    s.output_tokens += r.output_tokens;
  }
}

double duration_of(std::span<const served_request> all) {
  double first = never_s, last = 0;
  for (const auto& r : all) {
    if (r.arrival_s < never_s) first = std::min(first, r.arrival_s);
    if (r.ended == outcome::finished) last = std::max(last, r.last_token_s);
  }
  return last > first ? last - first : 0;
}

void take_rates(serving_summary& s) {
  if (!(s.duration_s > 0)) return;
  s.requests_per_s = static_cast<double>(s.finished) / s.duration_s;
  s.throughput_tokens_per_s = static_cast<double>(s.output_tokens) / s.duration_s;
  s.total_tokens_per_s = static_cast<double>(s.output_tokens + s.prompt_tokens) / s.duration_s;
}

void take_use(serving_summary& s, const cluster_run& run) {
  double up = 0, busy = 0, blocks_up = 0;
  for (const auto& r : run.replicas) {
    up += r.up_s, busy += r.busy_s;
    s.energy_j += r.energy_j, s.cost_usd += r.cost_usd;
    s.prompt_lookups += r.prompt_lookups, s.cached_tokens += r.prompt_hits;
    s.tiers += r.tiers;
    s.adapter_uses += r.adapter_uses, s.adapter_loads += r.adapter_loads;
    s.kv_use_mean += r.mean_kv_use * r.up_s;
    blocks_up += r.up_s;
    s.kv_use_peak = std::max(s.kv_use_peak, r.peak_kv_use);
  }
  s.utilization = up > 0 ? busy / up : 0;
  s.kv_use_mean = blocks_up > 0 ? s.kv_use_mean / blocks_up : 0;
  if (s.prompt_lookups > 0)
    s.prefix_hit_rate = static_cast<double>(s.cached_tokens) / static_cast<double>(s.prompt_lookups);
  if (s.output_tokens > 0) s.usd_per_million_output = s.cost_usd / static_cast<double>(s.output_tokens) * 1e6;
  for (const auto& p : run.timeline) s.peak_waiting = std::max(s.peak_waiting, p.waiting);
}

tenant_summary tenant_of(std::span<const served_request> all, std::uint16_t index, std::string name,
                         double duration_s) {
  tenant_summary t{.name = std::move(name)};
  std::vector<double> ttft;
  double output = 0, residence = 0;
  for (const auto& r : all) {
    if (r.tenant != index) continue;
    ++t.requests;
    if (r.ended != outcome::finished) continue;
    ++t.finished;
    ttft.push_back(r.ttft_s());
    output += r.output_tokens;
    residence += r.e2e_s();
  }
  t.tokens_per_s = duration_s > 0 ? output / duration_s : 0;
  t.speed_tokens_per_s = residence > 0 ? output / residence : 0;
  t.ttft_p95_s = ttft.empty() ? 0 : selection(ttft).quantile(0.95);
  return t;
}

void take_tenants(serving_summary& s, const workload& asked, std::span<const served_request> all) {
  std::vector<double> speeds;
  for (std::size_t i = 0; i < asked.tenants.size(); ++i) {
    s.tenants.push_back(tenant_of(all, static_cast<std::uint16_t>(i), asked.tenants[i], s.duration_s));
    speeds.push_back(s.tenants.back().speed_tokens_per_s);
  }
  s.fairness = jain_index(speeds);
}

void take_objectives(serving_summary& s, const cluster_run& run, latencies& values,
                     std::span<const objective> objectives) {
  for (const auto& o : objectives) {
    const auto& of = o.metric == latency_metric::ttft   ? s.ttft
                     : o.metric == latency_metric::e2e  ? s.e2e
                     : o.metric == latency_metric::itl  ? s.itl
                     : o.metric == latency_metric::tpot ? s.tpot
                                                        : s.queue;
    s.objectives.push_back(result_of(o, run.requests, of, values.of(o.metric), run.gaps));
    s.objectives_met &= s.objectives.back().met;
  }
  const auto n =
      std::ranges::count_if(run.requests, [&](const served_request& r) { return good(r, objectives); });
  if (s.requests > 0) s.good_share = static_cast<double>(n) / static_cast<double>(s.requests);
  if (s.duration_s > 0) s.goodput_requests_per_s = static_cast<double>(n) / s.duration_s;
}

}  // namespace

latency_summary summarize(std::vector<double> seconds) { return summary_of(seconds); }

latency_summary summarize(const duration_histogram& gaps) {
  return {.count = gaps.count(),
          .mean_s = gaps.mean_s(),
          .p50_s = gaps.quantile_s(0.5),
          .p90_s = gaps.quantile_s(0.9),
          .p95_s = gaps.quantile_s(0.95),
          .p99_s = gaps.quantile_s(0.99),
          .p999_s = gaps.quantile_s(0.999),
          .max_s = gaps.maximum_s()};
}

double jain_index(std::span<const double> x) {
  double sum = 0, squares = 0;
  for (const double v : x) sum += v, squares += v * v;
  return squares > 0 ? sum * sum / (static_cast<double>(x.size()) * squares) : 1;
}

serving_summary summarize(const workload& asked, const cluster_run& run,
                          std::span<const objective> objectives) {
  const std::span<const served_request> all(run.requests);
  serving_summary s{.requests = static_cast<std::int64_t>(all.size())};
  const bool worth_it = all.size() >= worth_a_thread;
  latencies by;
  in_two_threads(
      worth_it, [&] { by = latencies_of(all); },
      [&] {
        count_outcomes(s, all);
        s.duration_s = duration_of(all);
        s.saturated = saturation_of(asked, all);
      });
  take_rates(s);
  in_two_threads(
      worth_it, [&] { s.ttft = summary_of(by.ttft), s.tpot = summary_of(by.tpot); },
      [&] { s.e2e = summary_of(by.e2e), s.queue = summary_of(by.queue); });
  s.itl = summarize(run.gaps);
  take_use(s, run);
  take_objectives(s, run, by, objectives);
  take_tenants(s, asked, all);
  return s;
}

}  // namespace ridge::plan::serve
