// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/gpu_mix.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace ridge::plan {
namespace {

// Classes of one prompt length, whose answers no router knows beforehand.
struct prompt_group {
  double input_tokens = 0, weight = 0;  // weights add up to 1
  std::vector<length_class> classes{};
};

std::vector<prompt_group> groups_of(std::vector<length_class> classes) {
  std::ranges::sort(classes, {}, &length_class::input_tokens);
  double all = 0;
  for (const auto& c : classes) all += c.weight;
  std::vector<prompt_group> groups;
  for (const auto& c : classes) {
    if (groups.empty() || groups.back().input_tokens != c.input_tokens)
      groups.push_back({c.input_tokens, 0, {}});
    groups.back().weight += c.weight / all;
    groups.back().classes.push_back(c);
  }
  return groups;
}

class mix_search {
 public:
  mix_search(const serving_load& load, const latency_objective& slo, const replica_policy& p,
             std::span<const replica_offer> offers, int slices)
      : load_(load),
        slo_(slo),
        policy_(p),
        offers_(offers),
        slices_(slices),
        groups_(groups_of(load.lengths)) {}

  std::optional<gpu_mix> cheapest() {
    const auto n = static_cast<std::size_t>(slices_);
    // Of the requests below each cut: the cheapest pools, of which the last begins at an earlier cut.
    std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
    std::vector<mixed_pool> last(n + 1);
    std::vector<std::size_t> before(n + 1, 0);
    least[0] = 0;
    ceiling_ = cheapest_of(0, n).first;
    for (std::size_t end = 1; end <= n; ++end)
      for (std::size_t begin = 0; begin < end; ++begin) {
        if (!(least[begin] < ceiling_)) continue;
        auto [usd, pool] = cheapest_of(begin, end);
        constexpr double gain = 1 - 1e-9;  // what costs the same with more pools is no gain
        if (!(least[begin] + usd < gain * least[end])) continue;
        least[end] = least[begin] + usd, last[end] = std::move(pool), before[end] = begin;
      }
    if (least[n] == std::numeric_limits<double>::infinity()) return std::nullopt;
    gpu_mix mix{.usd_per_hour = least[n]};
    for (auto at = n; at > 0; at = before[at]) mix.pools.push_back(std::move(last[at]));
    std::ranges::reverse(mix.pools);
    return mix;
  }

 private:
  // The requests between two cuts.
  mixed_pool between(std::size_t begin, std::size_t end) const {
    mixed_pool pool{.lowest_quantile = static_cast<double>(begin) / slices_,
                    .highest_quantile = static_cast<double>(end) / slices_};
    pool.load = {.requests_per_s = load_.requests_per_s * (pool.highest_quantile - pool.lowest_quantile),
                 .peak_factor = load_.peak_factor};
    constexpr double nothing = 1e-9;
    double below = 0;
    for (const auto& g : groups_) {
      const double share =
          (std::min(pool.highest_quantile, below + g.weight) - std::max(pool.lowest_quantile, below)) /
          g.weight;
      below += g.weight;
      if (share <= nothing) continue;
      pool.longest_input = g.input_tokens;
      pool.splits_length = below > pool.highest_quantile + nothing;
      for (auto c : g.classes) {
        c.weight *= share;
        pool.load.lengths.push_back(c);
      }
    }
    return pool;
  }

  std::pair<double, mixed_pool> cheapest_of(std::size_t begin, std::size_t end) {
    std::pair<double, mixed_pool> best{std::numeric_limits<double>::infinity(), between(begin, end)};
    const auto limit = [&] { return std::min(best.first, ceiling_); };
    for (std::size_t i = 0; i < offers_.size(); ++i) {
      const auto& o = offers_[i];
      const double replica_usd = o.usd_per_gpu_hour * o.gpus;
      if (!o.refused.empty() || replica_usd <= 0 || (1 + policy_.spare_replicas) * replica_usd > limit())
        continue;
      const auto sized = size_cluster(best.second.load, slo_, policy_, offers_.subspan(i, 1));
      if (!sized || sized->choices.empty() || !(*sized->choices.front().usd_per_hour < best.first)) continue;
      best.first = *sized->choices.front().usd_per_hour;
      best.second.offer = i, best.second.choice = sized->choices.front();
    }
    return best;
  }

  const serving_load& load_;
  const latency_objective& slo_;
  const replica_policy& policy_;
  std::span<const replica_offer> offers_;
  int slices_;
  std::vector<prompt_group> groups_;
  double ceiling_ = std::numeric_limits<double>::infinity();  // what the best single kind costs
};

}  // namespace

result<gpu_mix> cheapest_mix(const serving_load& load, const latency_objective& slo, const replica_policy& p,
                             std::span<const replica_offer> offers, int slices) {
  if (const auto asked = size_cluster(load, slo, p, {}); !asked) return asked.why();
  if (slices < 1) return error{"prompts are cut into less than one slice", "give 1 or more"};
  auto mix = mix_search(load, slo, p, offers, slices).cheapest();
  if (mix) return std::move(*mix);
  return error{"no priced kinds of GPU serve all requests within the objectives",
               "allow more time, or consider more kinds (--gpu) and prices (--prices)"};
}

}  // namespace ridge::plan
