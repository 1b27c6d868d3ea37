// SPDX-License-Identifier: Apache-2.0
// usage: plan_cluster_accuracy [HEADROOM SPARES]   (0.2 and 1, as `ridge plan cluster`)
// Collects the results of `ridge plan cluster --simulate 4 --requests 6000` for several kinds of loads.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/choice_simulation.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/length_classes.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/plan/replica_offers.hpp>
#include <ridge/stats/quantile.hpp>

namespace {

using namespace ridge;

constexpr const char* models[] = {"llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b", "gpt-oss-120b"};
constexpr std::pair<const char*, const char*> lengths[] = {
    {"1024", "256"}, {"4096", "128"}, {"256", "512"}, {"lognormal:1000:800", "lognormal:200:150"}};
constexpr double rates[] = {5, 50};
constexpr plan::latency_objective objectives[] = {{.ttft_s = 0.5, .tpot_s = 0.04},
                                                  {.ttft_s = 2, .tpot_s = 0.1}};

struct tally {
  std::vector<double> ttft{}, tpot{};  // closed form / simulation - 1
  int met = 0, choices = 0;
};

result<std::shared_ptr<const plan::serve::iteration_timer>> timer_of(const plan::model_shape& model,
                                                                     const plan::accelerator& gpu,
                                                                     const plan::parallel_layout& layout) {
  const plan::kernels::step_request asked{.model = model, .gpu = gpu, .layout = layout};
  auto made = plan::kernels::make_step_timer(asked, *plan::kernels::analytic_times(gpu));
  if (!made) return made.why();
  return std::shared_ptr<const plan::serve::iteration_timer>(std::move(made).value());
}

std::vector<plan::replica_offer> offers_of(const plan::served_model& m, double longest,
                                           const plan::replica_policy& policy) {
  const auto& catalogue = hardware::catalogue::embedded();
  const auto prices = plan::prices_in(catalogue);
  std::vector<plan::replica_offer> all;
  for (const auto& g : catalogue.data().gpus) {
    const auto* price = prices.lowest(g.name);
    const auto gpu = plan::accelerator_named(catalogue, g.name);
    if (price == nullptr || !gpu) continue;
    const auto timers = [&](const plan::accelerator& device, const plan::parallel_layout& layout) {
      return timer_of(m.model, device, layout);
    };
    for (const int tensor : plan::tensor_degrees(*gpu))
      all.push_back(plan::replica_of(m, *gpu, tensor, price->usd_per_hour, policy, longest, timers));
  }
  return all;
}

void judge(const plan::served_model& m, const plan::serving_load& load, const plan::latency_objective& slo,
           const plan::replica_policy& policy, tally& score) {
  constexpr std::size_t first = 4;
  double longest = 0;
  for (const auto& c : load.lengths) longest = std::max(longest, c.input_tokens + c.output_tokens);
  const auto offers = offers_of(m, longest, policy);
  const auto answer = plan::size_cluster(load, slo, policy, offers).value();
  for (std::size_t i = 0; i < std::min(first, answer.choices.size()); ++i) {
    const auto& c = answer.choices[i];
    const auto offer = std::ranges::find_if(
        offers, [&](const auto& o) { return o.gpu == c.gpu && o.gpus == c.gpus_per_replica; });
    const auto s = plan::simulate_choice(c, *offer, load, slo, policy, {.requests = 6000}).value();
    score.ttft.push_back(c.peak.ttft_quantile_s / s.ttft_quantile_s - 1);
    score.tpot.push_back(c.peak.tpot_quantile_s / s.tpot_quantile_s - 1);
    score.met += s.met ? 1 : 0;
    ++score.choices;
  }
}

void print(const char* label, std::vector<double> errors) {
  std::ranges::sort(errors);
  const double middle = stats::sorted_quantile(errors, 0.5);
  for (auto& e : errors) e = std::abs(e);
  std::ranges::sort(errors);
  fmt::print("{}: median error {:+.1f} %, median size {:.1f} %, 90 % within {:.1f} %\n", label, 100 * middle,
             100 * stats::sorted_quantile(errors, 0.5), 100 * stats::sorted_quantile(errors, 0.9));
}

}  // namespace

int main(int argc, char** argv) {
  plan::replica_policy policy;
  if (argc > 2) {
    policy.headroom = std::atof(argv[1]);
    policy.spare_replicas = std::atoi(argv[2]);
  }
  tally all;
  for (const auto* name : models) {
    const plan::served_model m{.model = plan::model_named(name).value()};
    for (const auto& [input, output] : lengths) {
      for (const double rate : rates) {
        const plan::serving_load load{.requests_per_s = rate,
                                      .lengths = plan::length_classes_of(input, output).value()};
        for (const auto& slo : objectives) judge(m, load, slo, policy, all);
      }
    }
  }
  print("TTFT, p95", all.ttft);
  print("TPOT, p95", all.tpot);
  fmt::print("objectives met in the simulator: {} of {} choices\n", all.met, all.choices);
}
