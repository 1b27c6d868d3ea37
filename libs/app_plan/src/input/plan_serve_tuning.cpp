// SPDX-License-Identifier: Apache-2.0
#include "input/plan_serve_tuning.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ridge/plan/serve/max_rate.hpp>
#include <ridge/plan/serve/summary.hpp>

namespace ridge::app_plan {
namespace {

using namespace plan::serve;

class service_tuner {
 public:
  service_tuner(const tuning_question& q, const std::function<void(std::string_view)>& tell,
                const std::function<bool()>& stop)
      : question_(q), tell_(tell), stop_(stop) {}

  result<step_tuning> tune() {
    auto first = service_of(question_.service, question_.seed);
    if (!first) return first.why();
    const auto& engine = first->cluster.pools.back().engine;
    std::uint32_t longest = 0;
    for (const auto& r : question_.asked.requests) longest = std::max(longest, r.prompt_tokens);
    const auto tries =
        limits_to_try({engine.max_sequences, engine.max_batched_tokens, engine.chunked_prefill}, longest);
    count_ = tries.size();
    tuning_probes probes{.at_load = [this](const step_limits& l) { return at_load(l); }};
    if (question_.asked.clients == 0)
      probes.max_rate = [this](const step_limits& l, double floor) { return max_rate(l, floor); };
    return tune_steps(tries, probes);
  }

 private:
  tuned_limits at_load(const step_limits& limits) {
    tuned_limits t{.limits = limits};
    tell_(fmt::format("{} of {} choices of step limits", ++done_, count_));
    auto made = service_of(with_limits(question_.service, limits), question_.seed);
    if (stop_() || !made) {
      t.refused = made ? "interrupted" : made.why().message;
      return t;
    }
    service_ = std::move(*made);
    const auto& engine = service_.cluster.pools.back().engine;
    t.kv_tokens = std::int64_t{engine.blocks} * engine.block_size;
    const auto run = simulate_cluster(service_.cluster, question_.asked);
    if (!run) {
      t.refused = run.why().message;
      return t;
    }
    const auto sum = summarize(question_.asked, *run, question_.objectives);
    t.ttft_p95_s = sum.ttft.p95_s, t.tpot_p95_s = sum.tpot.p95_s;
    t.goodput_requests_per_s = sum.goodput_requests_per_s;
    t.met = sum.objectives_met && !sum.saturated.saturated;
    return t;
  }

  // The same requests at another rate.
  [[nodiscard]] std::optional<workload> at_rate(double rate) const {
    if (!question_.load.trace.empty()) {
      auto w = question_.asked;
      if (w.rate() > 0) scale_rate(w, rate / w.rate());
      return w;
    }
    auto load = question_.load;
    load.rate = rate;
    auto w = workload_of(load, question_.seed);
    return w ? std::optional(std::move(*w)) : std::nullopt;
  }

  rate_probe probed(double rate, int sample) const {
    rate_probe p{.rate = rate, .sample = sample};
    const auto w = at_rate(rate);
    if (!w) return p;
    const auto run = simulate_cluster(service_.cluster, *w);
    if (!run) return p;
    const auto sum = summarize(*w, *run, question_.objectives);
    p.met = sum.objectives_met && !sum.saturated.saturated;
    p.goodput = sum.goodput_requests_per_s;
    return p;
  }

  // Of the service that at_load() made last.
  double max_rate(const step_limits&, double floor) const {
    if (stop_() || (floor > 0 && !probed(floor, 0).met)) return 0;
    const auto found = find_max_rate(
        {.low = floor,
         .guess = std::max({question_.asked.rate(), floor, 1e-3}),
         .samples = 1,
         .threads = question_.threads},
        [this](double rate, int sample) { return probed(rate, sample); }, stop_);
    return found.rate;
  }

  const tuning_question& question_;
  const std::function<void(std::string_view)>& tell_;
  const std::function<bool()>& stop_;
  service service_{};
  std::size_t done_ = 0, count_ = 0;
};

}  // namespace

service_choice with_limits(service_choice c, const step_limits& limits) {
  c.max_sequences = static_cast<int>(limits.max_sequences);
  c.max_batched_tokens = static_cast<int>(limits.max_batched_tokens);
  c.no_chunked_prefill = !limits.chunked_prefill;
  return c;
}

result<step_tuning> tune_service(const tuning_question& q, const std::function<void(std::string_view)>& tell,
                                 const std::function<bool()>& stop) {
  return service_tuner(q, tell, stop).tune();
}

}  // namespace ridge::app_plan
