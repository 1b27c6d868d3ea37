// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/disaggregated_sizing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "prefill_steps.hpp"

namespace ridge::plan {
namespace {

// Bounds of rates are taken this much lower: full steps are nearly, not always, the fastest.
constexpr double bound_margin = 0.9;

class disaggregated_search {
 public:
  disaggregated_search(const serving_load& load, const latency_objective& slo, const replica_policy& p,
                       std::span<const replica_offer> offers, const kv_links& links,
                       const disaggregated_limits& limits, const choice_simulation& simulation)
      : slo_(slo),
        policy_(p),
        offers_(offers),
        links_(links),
        limits_(limits),
        simulation_(simulation),
        load_(load) {
    load_.requests_per_s *= load.peak_factor / (1 - p.headroom);
    load_.peak_factor = 1;
    peak_ = load;
    double weights = 0;
    for (const auto& c : load.lengths) weights += c.weight;
    for (const auto& c : load.lengths) {
      mean_output_ += c.weight / weights * c.output_tokens;
      mean_context_ += c.weight / weights * (c.input_tokens + c.output_tokens / 2);
    }
    simulation_.requests = limits.search_requests;
  }

  result<std::vector<disaggregated_choice>> search() {
    if (const auto done = find_prefill(); !done) return done.why();
    collect_pairs();
    for (const auto& pair : pairs_) {
      if (best_ <= pair.bound) break;
      if (const auto done = try_pair(pair); !done) return done.why();
    }
    std::ranges::stable_sort(made_, {},
                             [](const auto& c) { return std::pair(c.usd_per_hour.value_or(0), c.gpus); });
    return std::move(made_);
  }

 private:
  struct pool_pair {
    std::size_t prefill = 0, decode = 0;
    int replicas = 0, fewest = 0;  // that prefill; that decode, at least
    double bound = 0;
  };

  // Dollars an hour where all offers have a price, else GPUs.
  [[nodiscard]] double cost_of(std::size_t offer) const {
    const auto& o = offers_[offer];
    return priced() ? o.usd_per_gpu_hour * o.gpus : o.gpus;
  }
  [[nodiscard]] bool priced() const {
    return std::ranges::all_of(
        offers_, [](const replica_offer& o) { return !o.refused.empty() || o.usd_per_gpu_hour > 0; });
  }
  [[nodiscard]] double pool_cost(std::size_t offer, int replicas) const {
    return cost_of(offer) * (replicas + policy_.spare_replicas);
  }
  [[nodiscard]] std::int64_t pool_gpus(std::size_t offer, int replicas) const {
    return std::int64_t{offers_[offer].gpus} * (replicas + policy_.spare_replicas);
  }

  // Replicas that compute the prompts in full steps without a pause.
  [[nodiscard]] int fewest_prefill(const replica_offer& o) const {
    const double step = policy_.max_step_tokens > 0 ? policy_.max_step_tokens : o.max_step_tokens;
    double weights = 0, seconds = 0;
    for (const auto& c : load_.lengths) {
      const double full = o.timer->seconds(prefill_step(step, 0));
      seconds += c.weight * full * c.input_tokens / step;
      weights += c.weight;
    }
    return std::max(1, static_cast<int>(std::ceil(bound_margin * load_.requests_per_s * seconds / weights)));
  }

  // Replicas that decode with the largest batch whose step is within the TPOT; 0: not one sequence is.
  [[nodiscard]] int fewest_decode(const replica_offer& o) const {
    const double sequences = policy_.max_sequences > 0 ? policy_.max_sequences : o.max_sequences;
    const double most = std::min(sequences, static_cast<double>(o.kv_tokens) / mean_context_);
    double tokens_per_s = 0;
    for (double n = 1; n <= most; n = std::max(n + 1, std::floor(1.1 * n))) {
      const double s = o.timer->seconds(decode_step(n, mean_context_));
      if (s > slo_.tpot_s) break;
      tokens_per_s = std::max(tokens_per_s, n / s);
    }
    if (tokens_per_s <= 0) return 0;
    const double needed = load_.requests_per_s * mean_output_ / tokens_per_s;
    return std::max(1, static_cast<int>(std::ceil(bound_margin * needed)));
  }

  result<void> find_prefill() {
    prefill_.assign(offers_.size(), 0);
    for (std::size_t i = 0; i < offers_.size(); ++i) {
      if (!offers_[i].refused.empty()) continue;
      for (int x = fewest_prefill(offers_[i]); pool_gpus(i, x) < limits_.gpus; ++x) {
        const auto s = simulate_prefill(offers_[i], x, load_, slo_, policy_, simulation_);
        if (!s) return s.why();
        if (!s->met) continue;
        prefill_[i] = x;
        break;
      }
    }
    return {};
  }

  void collect_pairs() {
    for (std::size_t p = 0; p < offers_.size(); ++p) {
      if (prefill_[p] == 0) continue;
      for (std::size_t d = 0; d < offers_.size(); ++d) {
        if (!offers_[d].refused.empty()) continue;
        const int fewest = fewest_decode(offers_[d]);
        if (fewest == 0) continue;
        pairs_.push_back({p, d, prefill_[p], fewest, pool_cost(p, prefill_[p]) + pool_cost(d, fewest)});
      }
    }
    std::ranges::stable_sort(pairs_, {}, &pool_pair::bound);
  }

  result<void> try_pair(const pool_pair& pair) {
    const double prefill_cost = pool_cost(pair.prefill, pair.replicas);
    const auto gpus = [&](int y) {
      return pool_gpus(pair.prefill, pair.replicas) + pool_gpus(pair.decode, y);
    };
    for (int y = pair.fewest; gpus(y) <= limits_.gpus; ++y) {
      const double cost = prefill_cost + pool_cost(pair.decode, y);
      if (cost >= best_) return {};
      const auto s = simulated(pair, pair.replicas, y, load_, simulation_);
      if (!s) return s.why();
      if (!s->met) continue;
      best_ = cost;
      return keep(pair, y, gpus(y), cost);
    }
    return {};
  }

  result<void> keep(const pool_pair& pair, int y, std::int64_t gpus, double cost) {
    disaggregated_choice c{.prefill = pair.prefill, .decode = pair.decode, .gpus = gpus};
    c.prefill_replicas = pair.replicas + policy_.spare_replicas;
    c.decode_replicas = y + policy_.spare_replicas;
    if (priced()) c.usd_per_hour = cost;
    auto whole = peak_;
    whole.requests_per_s *= whole.peak_factor;
    whole.peak_factor = 1;
    const auto s = simulated(pair, c.prefill_replicas, c.decode_replicas, whole, simulation_);
    if (!s) return s.why();
    c.simulated = *s;
    made_.push_back(c);
    return {};
  }

  result<simulated_choice> simulated(const pool_pair& pair, int x, int y, const serving_load& load,
                                     const choice_simulation& how) {
    const auto link = links_(pair.prefill, pair.decode, y);
    if (!link) return link.why();
    return simulate_disaggregated({&offers_[pair.prefill], x}, {&offers_[pair.decode], y}, *link, load, slo_,
                                  policy_, how);
  }

  const latency_objective& slo_;
  const replica_policy& policy_;
  std::span<const replica_offer> offers_;
  const kv_links& links_;
  disaggregated_limits limits_;
  choice_simulation simulation_;
  serving_load load_, peak_{};  // what the pools are sized for; what was asked
  double mean_output_ = 0, mean_context_ = 0;
  std::vector<int> prefill_{};  // by offer: fewest replicas whose first tokens are in time; 0: none
  std::vector<pool_pair> pairs_{};
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<disaggregated_choice> made_{};
};

}  // namespace

result<std::vector<disaggregated_choice>> size_disaggregated(
    const serving_load& load, const latency_objective& slo, const replica_policy& p,
    std::span<const replica_offer> offers, const kv_links& links, const disaggregated_limits& limits,
    const choice_simulation& simulation) {
  if (const auto asked = size_cluster(load, slo, p, {}); !asked) return asked.why();
  return disaggregated_search(load, slo, p, offers, links, limits, simulation).search();
}

}  // namespace ridge::plan
