// SPDX-License-Identifier: Apache-2.0
#include "input/plan_cost_input.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/plan/phase_rates.hpp>

#include "input/plan_held_batch.hpp"

namespace ridge::app_plan {
namespace {

using plan::tenure;

// Median power draw of serving GPUs over their limit: 0.71 on H100, 0.69 on B200; minimum 0.27, maximum 0.99.
constexpr double usual_draw = 0.7;
constexpr const char* draw_source =
    "ML.ENERGY benchmark, 838 serving runs: median 0.71 on H100, 0.69 on B200";

class cost_asking {
 public:
  explicit cost_asking(const cost_input_choice& c) : c_(c) {}

  result<cost_asked> ask() {
    auto& q = made_.question;
    q.gpus = c_.gpus.value_or(static_cast<double>(c_.tensor));
    q.utilization = c_.utilization;
    q.goodput = c_.goodput;
    q.batch_utilization = c_.batch_utilization;
    q.api_usd_per_mtok = c_.api;
    q.api_input_usd_per_mtok = c_.api_input;
    q.api_output_usd_per_mtok = c_.api_output;
    set_owning();
    set_speculation();
    for (auto step : {&cost_asking::set_gpu, &cost_asking::set_rent, &cost_asking::set_power,
                      &cost_asking::set_rates, &cost_asking::set_bands}) {
      if (const auto done = (this->*step)(); !done) return done.why();
    }
    return std::move(made_);
  }
  // Whether the batch does not fit into the memory of its GPUs.
  [[nodiscard]] bool lacks_memory() const { return lacks_memory_; }

 private:
  result<void> set_gpu() {
    if (c_.gpu.name.empty()) return {};
    const auto gpu = gpu_of(c_.gpu);
    if (!gpu) return gpu.why();
    gpu_ = *gpu;
    made_.question.gpu = gpu_.name;
    return {};
  }

  void set_owning() {
    made_.question.own = {.usd_per_gpu = c_.own_usd.value_or(0),
                          .years = c_.years,
                          .interest = c_.interest,
                          .residual_share = c_.residual,
                          .colocation_usd_per_kw_month = c_.colocation,
                          .staff_share = c_.staff};
  }

  void set_speculation() {
    made_.question.speculation = {.drafted = static_cast<int>(c_.drafted),
                                  .acceptance = c_.acceptance,
                                  .draft_cost = c_.draft_cost,
                                  .verify_cost = c_.verify_cost};
  }

  result<void> set_rent() {
    auto& q = made_.question;
    if (c_.own_usd && (c_.spot || c_.reserved))
      return error{fmt::format("--own and {} are both given", c_.spot ? "--spot" : "--reserved"),
                   "GPUs are bought or rented; choose one"};
    if (c_.spot && c_.reserved)
      return error{"--spot and --reserved are both given", "rented GPUs are one or the other; choose one"};
    const auto price = listed_price();
    if (!price) return price.why();
    q.rent.usd_per_gpu_hour = c_.gpu_hour_usd.value_or(price.value());
    q.rent.reserved_discount = c_.reserved.value_or(0);
    q.rent.mean_hours_between_interruptions = c_.interruption_hours.value_or(0);
    if (c_.interruption_hours) q.rent.lost_hours_per_interruption = c_.lost_minutes / 60;
    q.tenure = by();
    // Prices of clouds include power; with a tariff, power is paid separately.
    q.electricity.in_rent = !c_.electricity_usd_per_kwh;
    if (q.tenure == tenure::spot && !c_.interruption_hours)
      made_.notes.emplace_back("Spot without interruptions: give --interruption-hours.");
    return {};
  }

  [[nodiscard]] tenure by() const {
    if (c_.own_usd) return tenure::owned;
    if (made_.question.rent.usd_per_gpu_hour <= 0) return tenure::unpaid;
    if (c_.spot) return tenure::spot;
    return c_.reserved ? tenure::reserved : tenure::on_demand;
  }

  // The price in the list, 0 without one.
  result<double> listed_price() {
    if (c_.gpu_hour_usd || gpu_.name.empty()) return 0.0;
    const auto catalogue = catalogue_of(c_.gpu);
    if (!catalogue) return catalogue.why();
    const auto prices = prices_of(c_.prices, *catalogue);
    if (!prices) return prices.why();
    const auto* price = prices->lowest(gpu_.name, c_.spot);
    if (price == nullptr) return without_price();
    made_.notes.push_back(fmt::format("{} at ${:.2f} per hour: {}{}{}, {}.", price->gpu, price->usd_per_hour,
                                      price->terms, price->region.empty() ? "" : ", ", price->region,
                                      price->date));
    return price->usd_per_hour;
  }

  result<double> without_price() {
    if (c_.own_usd || (c_.avg_power_w && !c_.spot)) return 0.0;
    return error{fmt::format("no {} price of {} is known", c_.spot ? "spot" : "rental", gpu_.name),
                 "give --gpu-hour, --prices or --own"};
  }

  result<void> set_power() {
    auto& e = made_.question.electricity;
    e.pue = c_.pue;
    e.usd_per_kwh = c_.electricity_usd_per_kwh.value_or(e.usd_per_kwh);
    e.carbon_g_per_kwh = c_.carbon_g_per_kwh;
    e.idle_power_w = c_.idle_power_w.value_or(e.idle_power_w);
    e.power_w = c_.avg_power_w.value_or(0);
    if (c_.avg_power_w || gpu_.power_w <= 0) return {};
    e.power_w = usual_draw * gpu_.power_w * made_.question.gpus;
    made_.notes.push_back(
        fmt::format("Power taken for {:g} of the limit of {:g} W ({}); --avg-power tells yours.", usual_draw,
                    gpu_.power_w, draw_source));
    return {};
  }

  result<void> set_rates() {
    auto& q = made_.question;
    q.tokens_per_s = c_.throughput.value_or(0);
    if (c_.input || c_.output || c_.cached > 0) {
      if (!c_.input || !c_.output)
        return error{"the lengths of a request are incomplete", "give --input and --output"};
      q.lengths = plan::request_lengths{*c_.input, c_.cached, *c_.output};
    }
    if (c_.prefill_per_s || c_.decode_per_s)
      q.rates = plan::phase_rates{c_.prefill_per_s.value_or(0), c_.cached_per_s.value_or(0),
                                  c_.decode_per_s.value_or(0)};
    return c_.model.given() ? timed_rates() : result<void>();
  }

  result<void> timed_rates() {
    auto& q = made_.question;
    if (gpu_.name.empty()) return error{"--model is given without --gpu", "give --gpu NAME"};
    if (!q.lengths) return error{"--model is given without lengths", "give --input and --output"};
    if (c_.batch < 1 || c_.tensor < 1)
      return error{"--batch and --tp are 1 at least", "give whole numbers above 0"};
    const auto model = decoder_of(c_.model, "the rate of a model");
    if (!model) return model.why();
    const auto engine = engine_of(*model);
    if (!engine) return engine.why();
    const auto timer = step_timer_of(c_.timer, *model, gpu_, static_cast<int>(c_.tensor));
    if (!timer) return timer.why();
    made_.doubts = model->doubts;
    const auto times = kernel_times_of(c_.timer, gpu_);
    if (!times) return times.why();
    made_.notes.push_back(fmt::format("Kernel times: {}.", times.value()->source()));
    auto rates = plan::rates_of(**timer, *q.lengths, c_.batch, engine->setup.max_batched_tokens);
    made_.kv_tokens = engine->kv_tokens;
    const double replicas = q.gpus / static_cast<double>(c_.tensor);
    q.rates = plan::phase_rates{rates.input_per_s * replicas, rates.cached_input_per_s * replicas,
                                rates.output_per_s * replicas};
    made_.notes.push_back(
        fmt::format("{} on {} (TP {}), batch {}: {:.0f} input and {:.0f} output tokens per second of "
                    "one engine that does nothing else.",
                    model->name, gpu_.name, c_.tensor, c_.batch, rates.input_per_s, rates.output_per_s));
    return {};
  }

  // What can run: whole engines, a layout that divides the model, requests within its context, and the batch
  // within the room that the engine leaves to its KV cache.
  result<held_batch> engine_of(const plan::model_shape& model) {
    const auto& q = made_.question;
    const double engines = q.gpus / static_cast<double>(c_.tensor);
    if (!(engines >= 1) || engines != std::floor(engines))
      return error{fmt::format("{:g} GPUs are not whole engines of --tp {}", q.gpus, c_.tensor),
                   "give --gpus as a multiple of --tp"};
    plan::inference_setup asked{.model = model, .weight_format = c_.timer.weights, .kv_format = c_.timer.kv};
    asked.layout.tensor = static_cast<int>(c_.tensor);
    const auto tokens = static_cast<std::int64_t>(std::ceil(q.lengths->input + q.lengths->output));
    auto held = hold(std::move(asked), gpu_, {c_.batch, tokens});
    if (!held) return held;
    lacks_memory_ = held->lacking_bytes > 0;
    if (lacks_memory_) return does_not_fit(*held, gpu_);
    return held;
  }

  result<void> set_bands() {
    for (const auto& text : c_.bands) {
      const auto at = text.find('=');
      double width = 0;
      const auto* end = text.data() + text.size();
      if (at == std::string::npos || std::from_chars(text.data() + at + 1, end, width).ptr != end)
        return error{fmt::format("--band {} is not a band", text),
                     "write it as usd_per_kwh=0.3: from 30 % less to 30 % more"};
      made_.question.bands.emplace_back(text.substr(0, at), width);
    }
    return {};
  }

  bool lacks_memory_ = false;
  const cost_input_choice& c_;
  plan::accelerator gpu_{};
  cost_asked made_{};
};

}  // namespace

void add_cost_input(app::command& command, cost_input_choice& choice) {
  command.option("--throughput", choice.throughput, "TOK/S", "Output tokens per second of all GPUs together")
      .option("--avg-power", choice.avg_power_w, "W",
              "Power of all GPUs with their share of the host, under load")
      .option("--electricity-cost", choice.electricity_usd_per_kwh, "USD",
              "Price per kWh (0.16; cheap 0.08, expensive 0.25 to 0.30); when given, it is added to the rent")
      .option("--pue", choice.pue, "N",
              "Power at the meter over power at the rack (1.5; modern 1.1, old 1.7)")
      .option("--idle-power", choice.idle_power_w, "W", "Power in hours without load (as under load)")
      .option("--carbon", choice.carbon_g_per_kwh, "G", "Grams of carbon dioxide per kWh");
  add_gpu_choice(command, choice.gpu);
  add_price_choice(command, choice.prices);
  command.option("--gpus", choice.gpus, "N", "Number of GPUs (those of --tp)")
      .option("--gpu-hour", choice.gpu_hour_usd, "USD", "Rent per GPU and hour (the lowest of the list)")
      .option("--reserved", choice.reserved, "SHARE", "Discount for a reservation")
      .flag("--spot", choice.spot, "Spot price: the GPUs can be taken away at any time")
      .option("--interruption-hours", choice.interruption_hours, "H",
              "Mean time between interruptions of spot GPUs")
      .option("--lost-minutes", choice.lost_minutes, "MIN",
              "Time lost per interruption: start, loading, repeated work (10)")
      .option("--own", choice.own_usd, "USD",
              "Buy instead of rent: price per GPU with its share of server and network")
      .option("--years", choice.years, "N", "Years of use (4)")
      .option("--interest", choice.interest, "SHARE", "Interest per year (0.08)")
      .option("--residual", choice.residual, "SHARE", "Share of the price that is left at the end (0)")
      .option("--colocation", choice.colocation, "USD", "Price of colocation per kW and month (0)")
      .option("--staff", choice.staff, "SHARE",
              "Staff, network and spares per year, as a share of the price (0)")
      .option("--utilization", choice.utilization, "SHARE", "Share of the paid capacity that is used (1)")
      .option("--goodput", choice.goodput, "SHARE", "Share of tokens that meet the objectives (1)")
      .option("--batch-utilization", choice.batch_utilization, "SHARE",
              "Share of capacity used when jobs without deadline fill idle hours")
      .option("--input", choice.input, "N", "Tokens per prompt, cached ones included")
      .option("--cached", choice.cached, "N", "Tokens of the prompt that the prefix cache holds (0)")
      .option("--output", choice.output, "N", "Tokens per answer")
      .option("--prefill-throughput", choice.prefill_per_s, "TOK/S",
              "Prompt tokens per second when doing nothing else")
      .option("--cached-throughput", choice.cached_per_s, "TOK/S",
              "Cached prompt tokens per second (unlimited)")
      .option("--decode-throughput", choice.decode_per_s, "TOK/S",
              "Output tokens per second when doing nothing else");
  add_model_choice(command, choice.model);
  add_step_timer_choice(command, choice.timer);
  command.option("--batch", choice.batch, "N", "Sequences per decode step, with --model (64)")
      .option("--tp", choice.tensor, "N", "Tensor-parallel GPUs per engine, with --model (1)")
      .option("--speculate", choice.drafted, "N", "Number of tokens drafted per step (0)")
      .option("--acceptance", choice.acceptance, "SHARE",
              "Probability that a drafted token is accepted (0.7)")
      .option("--draft-cost", choice.draft_cost, "N", "Cost of drafting one token, in decode steps (0.05)")
      .option("--verify-cost", choice.verify_cost, "N",
              "Cost of verifying all drafted tokens, in decode steps (0)")
      .option("--api-price", choice.api, "USD",
              "Price per million output tokens, input included, to break even with")
      .option("--api-input-price", choice.api_input, "USD",
              "Price per million input tokens to break even with")
      .option("--api-output-price", choice.api_output, "USD",
              "Price per million output tokens to break even with")
      .option("--band", choice.bands, "NAME=SHARE",
              "Relative half-width of the band of an input (0.2); --json lists the names");
}

result<cost_asked> cost_question_of(const cost_input_choice& c) { return cost_asking(c).ask(); }

bool lacks_memory(const cost_input_choice& c) {
  cost_asking asking(c);
  return !asking.ask() && asking.lacks_memory();
}

}  // namespace ridge::app_plan
