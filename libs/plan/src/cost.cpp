// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cost.hpp>

#include <utility>

#include <fmt/format.h>

#include "cost_checks.hpp"
#include "cost_figures.hpp"
#include "cost_formulas.hpp"

namespace ridge::plan {
namespace {

class answering {
 public:
  explicit answering(const cost_question& q) : q_(q), rate_(good_rate(q)) {
    a_.tokens_per_s = rate_;
    add_lines();
    add_total();
    add_energy();
    add_split();
    add_batch();
    add_break_even();
    add_own_or_rent();
  }
  [[nodiscard]] cost_answer take() { return std::move(a_); }

 private:
  void add_line(const std::string& id, const std::string& label, double usd_per_hour, bool added = true) {
    a_.lines.push_back({id, label, per_mtok(usd_per_hour, rate_), 0, added});
  }

  void add_lines() {
    a_.derivation = throughput_figures(q_, full_rate(q_), rate_);
    if (is_rented(q_.tenure))
      add_line("rent", fmt::format("rent, {}", name_of(q_.tenure)), rent_per_hour(q_));
    if (q_.tenure == tenure::owned) {
      add_line("capital", "capital", capital_per_hour(q_));
      if (q_.own.colocation_usd_per_kw_month > 0)
        add_line("colocation", "colocation", colocation_per_hour(q_));
      if (q_.own.staff_share > 0) add_line("staff", "staff, network, spares", staff_per_hour(q_));
    }
    if (q_.electricity.power_w > 0)
      add_line("electricity", "electricity", electricity_per_hour(q_), pays_power(q_));
    for (const auto& line : a_.lines) a_.derivation.push_back(line_figure(q_, line, rate_));
  }

  void add_total() {
    for (const auto& line : a_.lines) a_.total_usd_per_mtok += line.added ? line.usd_per_mtok : 0;
    for (auto& line : a_.lines) {
      if (line.added && a_.total_usd_per_mtok > 0) line.share = line.usd_per_mtok / a_.total_usd_per_mtok;
    }
    a_.derivation.push_back(total_figure(a_));
  }

  void add_energy() {
    a_.joules_per_token = mean_meter_w(q_) / rate_;
    if (q_.electricity.power_w > 0) a_.derivation.push_back(energy_figure(q_, a_));
    if (q_.electricity.carbon_g_per_kwh <= 0) return;
    a_.carbon_g_per_mtok = a_.joules_per_token * mtok / joules_a_kwh * q_.electricity.carbon_g_per_kwh;
    a_.derivation.push_back(carbon_figure(q_, a_));
  }

  // Divides the total by the GPU seconds of each kind of token; the parts add up to the total.
  void add_split() {
    if (!q_.lengths) return;
    const auto& l = *q_.lengths;
    a_.usd_per_request = a_.total_usd_per_mtok * l.output / mtok;
    if (q_.rates) {
      const auto s = seconds_of(q_);
      const auto each = [&](double seconds, double tokens) -> std::optional<double> {
        if (tokens <= 0) return {};
        return *a_.usd_per_request * seconds / s.all() / tokens * mtok;
      };
      a_.input_usd_per_mtok = each(s.input, l.input - l.cached_input);
      a_.cached_input_usd_per_mtok = each(s.cached, l.cached_input);
      a_.output_usd_per_mtok = each(s.output, l.output);
    }
    for (auto& f : split_figures(q_, a_)) a_.derivation.push_back(std::move(f));
  }

  void add_batch() {
    if (q_.batch_utilization <= 0) return;
    auto busier = q_;
    busier.utilization = q_.batch_utilization;
    busier.batch_utilization = 0;
    a_.batch_usd_per_mtok = answering(busier).take().total_usd_per_mtok;
    a_.derivation.push_back(batch_figure(q_, a_));
  }

  // The price of an API for as many requests as produce a million output tokens.
  [[nodiscard]] std::optional<double> api_price() const {
    if (q_.api_usd_per_mtok) return q_.api_usd_per_mtok;
    if (!q_.api_output_usd_per_mtok || !q_.lengths) return {};
    return *q_.api_output_usd_per_mtok +
           q_.api_input_usd_per_mtok.value_or(0) * q_.lengths->input / q_.lengths->output;
  }

  // An idle hour costs as much as a paid one without the additional power under load.
  void add_break_even() {
    const auto price = api_price();
    if (!price) return;
    auto idle = q_, busy = q_;
    idle.utilization = 0;
    busy.utilization = 1;
    const double metered = pays_power(q_) ? 1 : 0;
    double fixed = metered * electricity_per_hour(idle);
    for (const auto& line : a_.lines) {
      if (line.id != "electricity") fixed += line.usd_per_mtok * rate_ * seconds_an_hour / mtok;
    }
    const double earned = *price * good_rate(busy) * seconds_an_hour / mtok;
    const double by_load = metered * (electricity_per_hour(busy) - electricity_per_hour(idle));
    if (earned <= by_load) return;
    a_.break_even_utilization = fixed / (earned - by_load);
    a_.derivation.push_back(break_even_figure(*price, *a_.break_even_utilization));
  }

  void add_own_or_rent() {
    a_.own_versus_rent_month = own_versus_rent_month(q_);
    if (a_.own_versus_rent_month) a_.derivation.push_back(own_or_rent_figure(q_, *a_.own_versus_rent_month));
  }

  const cost_question& q_;
  double rate_;
  cost_answer a_{};
};

}  // namespace

result<cost_answer> cost_per_token(const cost_question& q) {
  if (const auto fine = check_cost_question(q); !fine) return fine.why();
  return answering(q).take();
}

}  // namespace ridge::plan
