// SPDX-License-Identifier: Apache-2.0
#include "input/plan_cluster_input.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/length_classes.hpp>
#include <ridge/plan/number_format.hpp>
#include <ridge/plan/replica_offers.hpp>
#include <ridge/plan/serve/kv_transfer.hpp>

#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

class cluster_asking {
 public:
  explicit cluster_asking(const cluster_input_choice& c) : c_(c) {}

  result<cluster_asked> ask() {
    for (auto step : {&cluster_asking::set_load, &cluster_asking::set_objective, &cluster_asking::set_model,
                      &cluster_asking::set_catalogue, &cluster_asking::set_offers}) {
      if (const auto done = (this->*step)(); !done) return done.why();
    }
    made_.served = std::move(served_);
    return std::move(made_);
  }

 private:
  result<void> set_load() {
    auto lengths = plan::length_classes_of(c_.input, c_.output);
    if (!lengths) return lengths.why();
    made_.load = {.requests_per_s = c_.rate, .peak_factor = c_.peak, .lengths = std::move(lengths).value()};
    made_.policy = {.max_sequences = c_.max_sequences,
                    .max_step_tokens = c_.max_step_tokens,
                    .headroom = c_.headroom,
                    .spare_replicas = c_.spares};
    return {};
  }

  result<void> set_objective() {
    const auto ttft = period_of("--ttft", c_.ttft, millisecond_s),
               tpot = period_of("--tpot", c_.tpot, millisecond_s);
    if (!ttft) return ttft.why();
    if (!tpot) return tpot.why();
    made_.slo = {.ttft_s = *ttft, .tpot_s = *tpot, .quantile = c_.quantile};
    return {};
  }

  result<void> set_model() {
    auto model = decoder_of(c_.model, "the size of a cluster");
    if (!model) return model.why();
    made_.model = model->name;
    made_.doubts = model->doubts;
    for (const auto& c : made_.load.lengths) {
      const auto tokens = static_cast<std::int64_t>(std::ceil(c.input_tokens + c.output_tokens));
      if (const auto fine = check_request(*model, tokens); !fine) return fine.why();
    }
    served_ = {
        .model = std::move(model).value(), .weight_format = c_.timer.weights, .kv_format = c_.timer.kv};
    return {};
  }

  result<void> set_catalogue() {
    auto catalogue = catalogue_of(c_.hardware);
    if (!catalogue) return catalogue.why();
    catalogue_ = std::make_shared<hardware::catalogue>(std::move(catalogue).value());
    auto prices = prices_of(c_.prices, *catalogue_);
    if (!prices) return prices.why();
    prices_ = std::move(prices).value();
    return {};
  }

  // The GPUs asked for, else all with a price.
  [[nodiscard]] std::vector<std::string> gpu_names() const {
    std::vector<std::string> names;
    for (const auto& list : c_.gpus)
      for (const auto name : split(list, ',')) names.emplace_back(trim(name));
    if (!names.empty()) return names;
    for (const auto& g : catalogue_->data().gpus) {
      if (prices_.lowest(g.name) != nullptr) names.push_back(g.name);
    }
    return names;
  }

  result<void> set_offers() {
    if (c_.max_tensor < 1) return error{"--max-tp is below 1", "give a whole number above 0"};
    for (const auto& name : gpu_names()) {
      const auto gpu = plan::accelerator_named(*catalogue_, name);
      if (!gpu) return gpu.why();
      const auto* price = prices_.lowest(gpu->name);
      if (price == nullptr) made_.notes.push_back(fmt::format("No price of {} is known.", gpu->name));
      const auto times = kernel_times_of(c_.timer, *gpu);
      if (!times) return times.why();
      made_.notes.push_back(fmt::format("Kernel times: {}.", times.value()->source()));
      for (const int tensor : plan::tensor_degrees(*gpu, c_.max_tensor))
        made_.offers.push_back(offer(*gpu, tensor, price != nullptr ? price->usd_per_hour : 0)),
            made_.offered_gpus.push_back(*gpu);
    }
    return {};
  }

  [[nodiscard]] plan::replica_offer offer(const plan::accelerator& gpu, int tensor, double usd) const {
    double longest = 0;
    for (const auto& c : made_.load.lengths) longest = std::max(longest, c.input_tokens + c.output_tokens);
    double request_s = 0;
    const auto timers = [&](const plan::accelerator& g, const plan::parallel_layout& layout)
        -> result<std::shared_ptr<const plan::serve::iteration_timer>> {
      auto timer = step_timer_of(c_.timer, served_.model, g, layout.tensor);
      if (!timer) return timer.why();
      request_s = timer.value()->engine().outside_steps_s();
      return std::shared_ptr<const plan::serve::iteration_timer>(std::move(timer).value());
    };
    auto made = plan::replica_of(served_, gpu, tensor, usd, made_.policy, longest, timers);
    made.request_s = request_s;
    return made;
  }

  const cluster_input_choice& c_;
  cluster_asked made_{};
  plan::served_model served_{};
  std::shared_ptr<hardware::catalogue> catalogue_{};
  plan::price_list prices_{};
};

}  // namespace

void add_cluster_input(app::command& command, cluster_input_choice& choice) {
  add_model_choice(command, choice.model);
  command.option("--rate", choice.rate, "REQ/S", "Requests per second, mean over a day")
      .required()
      .option("--input", choice.input, "N",
              "Tokens of prompts: 1024, uniform:100:900, lognormal:512:200 (1024)")
      .option("--output", choice.output, "N", "Tokens of answers, written like --input (256)")
      .option("--peak", choice.peak, "N", "Rate of the busiest hour over the mean (1)")
      .option("--ttft", choice.ttft, "MS", "Time to first token at the quantile: 500 (ms), 2s (500ms)")
      .option("--tpot", choice.tpot, "MS", "Time per further token at the quantile (40ms)")
      .option("--quantile", choice.quantile, "SHARE",
              "Share of the requests that must meet the objectives (0.95)")
      .option("--gpu", choice.gpus, "NAME",
              "GPUs to consider: H100,L40S (repeats; all with a price); of several, the cheapest mix is "
              "found too")
      .option("--max-tp", choice.max_tensor, "N", "Greatest number of tensor-parallel GPUs per replica (8)")
      .option("--headroom", choice.headroom, "SHARE",
              "Share of the greatest rate of a replica that stays free at peak load (0.2)")
      .option("--spares", choice.spares, "N", "Number of spare replicas (1)")
      .option("--max-sequences", choice.max_sequences, "N",
              "Greatest number of sequences per step (the engine's default)")
      .option("--max-step-tokens", choice.max_step_tokens, "N",
              "Greatest number of tokens per step (the engine's default)");
  command
      .flag("--disaggregate", choice.disaggregate,
            "Search also the layouts and numbers of replicas that prefill and that decode")
      .option("--gpu-budget", choice.gpu_budget, "N", "Most GPUs of both pools together (64)")
      .option("--link", choice.link, "GB/s|NAME",
              "Link of each GPU between both: GB/s, network (a port of 400 Gbit/s), scale-up, host (50)");
  add_step_timer_choice(command, choice.timer);
  add_price_choice(command, choice.prices);
  add_hardware_file(command, choice.hardware);
}

result<cluster_asked> cluster_question_of(const cluster_input_choice& c) { return cluster_asking(c).ask(); }

bool has_several_kinds(const cluster_asked& asked) {
  std::set<std::string> kinds;
  for (const auto& o : asked.offers)
    if (o.usd_per_gpu_hour > 0) kinds.insert(o.gpu);
  return kinds.size() > 1;
}

result<plan::serve::disaggregation_settings> link_between(const cluster_asked& asked, const std::string& link,
                                                          std::size_t prefill, std::size_t decode,
                                                          int decoding) {
  const auto speed =
      plan::serve::link_bytes_per_s(link, asked.offered_gpus[prefill], asked.offered_gpus[decode]);
  if (!speed) return speed.why();
  const auto kv = plan::number_format_named(asked.served.kv_format);
  if (!kv) return kv.why();
  const auto& model = asked.served.model;
  const auto way = plan::serve::kv_transfer_of(model, {.tensor = asked.offers[prefill].gpus},
                                               {.tensor = asked.offers[decode].gpus});
  return plan::serve::disaggregation_of(model, *kv, way, *speed, decoding);
}

}  // namespace ridge::app_plan
