// SPDX-License-Identifier: Apache-2.0
#include "input/plan_cost_input.hpp"

#include <charconv>

#include <fmt/format.h>

#include <ridge/plan/phase_rates.hpp>

namespace ridge::app_plan {
namespace {

using plan::tenure;

// Median draw of GPUs that serve, as a share of their limit: 0.71 on H100, 0.69 on B200, least 0.27, most
// 0.99.
constexpr double usual_draw = 0.7;
constexpr const char* draw_source =
    "ML.ENERGY benchmark, 838 serving runs: median 0.71 on H100, 0.69 on B200";

class asking {
 public:
  explicit asking(const cost_input_choice& c) : c_(c) {}

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
    for (auto step :
         {&asking::set_gpu, &asking::set_rent, &asking::set_power, &asking::set_rates, &asking::set_bands}) {
      if (const auto done = (this->*step)(); !done) return done.why();
    }
    return std::move(made_);
  }

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
    const auto price = listed_price();
    if (!price) return price.why();
    q.rent.usd_per_gpu_hour = c_.gpu_hour_usd.value_or(price.value());
    q.rent.reserved_discount = c_.reserved.value_or(0);
    q.rent.mean_hours_between_interruptions = c_.interruption_hours.value_or(0);
    if (c_.interruption_hours) q.rent.lost_hours_per_interruption = c_.lost_minutes / 60;
    q.by = by();
    // Clouds' prices include power; who names a tariff pays it.
    q.electricity.in_rent = !c_.electricity_usd_per_kwh;
    if (q.by == tenure::spot && !c_.interruption_hours)
      made_.notes.emplace_back("Spot without interruptions: give --interruption-hours.");
    return {};
  }

  [[nodiscard]] tenure by() const {
    if (c_.own_usd) return tenure::owned;
    if (made_.question.rent.usd_per_gpu_hour <= 0) return tenure::unpaid;
    if (c_.spot) return tenure::spot;
    return c_.reserved ? tenure::reserved : tenure::on_demand;
  }

  // Of the list, 0 without one.
  result<double> listed_price() {
    if (c_.gpu_hour_usd || gpu_.name.empty()) return 0.0;
    const auto catalogue = catalogue_of(c_.gpu);
    if (!catalogue) return catalogue.why();
    const auto prices = prices_of(c_.prices, *catalogue);
    if (!prices) return prices.why();
    const auto* price = prices->lowest(gpu_.name, c_.spot);
    if (price == nullptr) return without_price();
    made_.notes.push_back(fmt::format("{} at ${:.2f} an hour: {}{}{}, {}.", price->gpu, price->usd_per_hour,
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
    const auto model = model_of(c_.model);
    if (!model) return model.why();
    const auto timer = step_timer_of(c_.timer, *model, gpu_, static_cast<int>(c_.tensor));
    if (!timer) return timer.why();
    auto rates = plan::rates_of(**timer, *q.lengths, c_.batch);
    const double replicas = q.gpus / static_cast<double>(c_.tensor);
    q.rates = plan::phase_rates{rates.input_per_s * replicas, rates.cached_input_per_s * replicas,
                                rates.output_per_s * replicas};
    made_.notes.push_back(
        fmt::format("{} on {} (TP {}), batch {}: {:.0f} input and {:.0f} output tokens a second of "
                    "one engine that does nothing else.",
                    model->name, gpu_.name, c_.tensor, c_.batch, rates.input_per_s, rates.output_per_s));
    return {};
  }

  result<void> set_bands() {
    for (const auto& text : c_.bands) {
      const auto at = text.find('=');
      double width = 0;
      const auto* end = text.data() + text.size();
      if (at == std::string::npos || std::from_chars(text.data() + at + 1, end, width).ptr != end)
        return error{fmt::format("--band {} is no band", text),
                     "write it as usd_per_kwh=0.3: 30 % either way"};
      made_.question.bands.emplace_back(text.substr(0, at), width);
    }
    return {};
  }

  const cost_input_choice& c_;
  plan::accelerator gpu_{};
  cost_asked made_{};
};

}  // namespace

void add_cost_input(app::command& to, cost_input_choice& of) {
  to.option("--throughput", of.throughput, "TOK/S", "Output tokens a second of all GPUs")
      .option("--avg-power", of.avg_power_w, "W",
              "Drawn by all GPUs with their share of the host, under load")
      .option("--electricity-cost", of.electricity_usd_per_kwh, "USD",
              "A kWh (0.16; cheap 0.08, dear 0.25 to 0.30); given, it is paid on top of the rent")
      .option("--pue", of.pue, "N", "Power at the meter by power at the rack (1.5; modern 1.1, old 1.7)")
      .option("--idle-power", of.idle_power_w, "W", "Power in hours without load (as under load)")
      .option("--carbon", of.carbon_g_per_kwh, "G", "Grams of carbon dioxide a kWh");
  add_gpu_choice(to, of.gpu);
  add_price_choice(to, of.prices);
  to.option("--gpus", of.gpus, "N", "GPUs (those of --tp)")
      .option("--gpu-hour", of.gpu_hour_usd, "USD", "Rent of one GPU (the list's lowest)")
      .option("--reserved", of.reserved, "SHARE", "Discount of a reservation")
      .flag("--spot", of.spot, "Rented until somebody else wants it")
      .option("--interruption-hours", of.interruption_hours, "H", "Mean time between interruptions of spot")
      .option("--lost-minutes", of.lost_minutes, "MIN", "Lost by each: start, loading, work done again (10)")
      .option("--own", of.own_usd, "USD",
              "Price of a GPU with its share of server and network: bought, not rented")
      .option("--years", of.years, "N", "Years of use (4)")
      .option("--interest", of.interest, "SHARE", "Interest per year (0.08)")
      .option("--residual", of.residual, "SHARE", "Share of the price that is left at the end (0)")
      .option("--colocation", of.colocation, "USD", "Price of colocation per kW and month (0)")
      .option("--staff", of.staff, "SHARE", "Staff, network and spares per year, as a share of the price (0)")
      .option("--utilization", of.utilization, "SHARE", "Share of the paid capacity that is used (1)")
      .option("--goodput", of.goodput, "SHARE", "Share of tokens that meet the objectives (1)")
      .option("--batch-utilization", of.batch_utilization, "SHARE",
              "Share of capacity used when jobs without deadline fill idle hours")
      .option("--input", of.input, "N", "Tokens of a prompt, cached ones included")
      .option("--cached", of.cached, "N", "Tokens of the prompt that the prefix cache holds (0)")
      .option("--output", of.output, "N", "Tokens of an answer")
      .option("--prefill-throughput", of.prefill_per_s, "TOK/S",
              "Prompt tokens per second when doing nothing else")
      .option("--cached-throughput", of.cached_per_s, "TOK/S", "Cached prompt tokens per second (unlimited)")
      .option("--decode-throughput", of.decode_per_s, "TOK/S",
              "Output tokens per second when doing nothing else");
  add_model_choice(to, of.model);
  add_step_timer_choice(to, of.timer);
  to.option("--batch", of.batch, "N", "Sequences of a decode step, with --model (64)")
      .option("--tp", of.tensor, "N", "Tensor-parallel GPUs of an engine, with --model (1)")
      .option("--speculate", of.drafted, "N", "Number of tokens drafted per step (0)")
      .option("--acceptance", of.acceptance, "SHARE", "Probability that a drafted token is accepted (0.7)")
      .option("--draft-cost", of.draft_cost, "N", "Cost of drafting one token, in decode steps (0.05)")
      .option("--verify-cost", of.verify_cost, "N",
              "Cost of verifying all drafted tokens, in decode steps (0)")
      .option("--api-price", of.api, "USD",
              "Price per million output tokens, input included, to break even with")
      .option("--api-input-price", of.api_input, "USD", "Price per million input tokens to break even with")
      .option("--api-output-price", of.api_output, "USD",
              "Price per million output tokens to break even with")
      .option("--band", of.bands, "NAME=SHARE",
              "Half-width of an input's band (0.2 of each); --json names inputs");
}

result<cost_asked> cost_question_of(const cost_input_choice& c) { return asking(c).ask(); }

}  // namespace ridge::app_plan
