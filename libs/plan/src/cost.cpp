// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cost.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cost_checks.hpp"
#include "cost_figures.hpp"

namespace ridge::plan {
namespace {

constexpr double hours_a_year = 8760;
constexpr double hours_a_month = hours_a_year / 12;
constexpr double seconds_an_hour = 3600;
constexpr double joules_a_kwh = 3.6e6;
constexpr double mtok = 1e6;

bool is_rented(tenure t) { return t == tenure::on_demand || t == tenure::reserved || t == tenure::spot; }

bool pays_power(const cost_question& q) { return !(q.electricity.in_rent && is_rented(q.by)); }

double idle_power(const electricity_terms& e) { return e.idle_power_w < 0 ? e.power_w : e.idle_power_w; }

// What a request takes of the GPUs' time when they do nothing else; speculation shortens decoding.
struct request_seconds {
  double input = 0, cached = 0, output = 0;
  [[nodiscard]] double all() const { return input + cached + output; }
};

request_seconds seconds_of(const cost_question& q) {
  const auto& r = *q.rates;
  const auto& l = *q.lengths;
  const auto over = [](double tokens, double rate) { return rate > 0 ? tokens / rate : 0; };
  return {over(l.input - l.cached_input, r.input_per_s), over(l.cached_input, r.cached_input_per_s),
          over(l.output, r.output_per_s * speculative_speedup(q.speculation))};
}

// Output tokens a second under full load. Given rates stand over a given throughput's own speculation.
double full_rate(const cost_question& q) {
  if (q.tokens_per_s > 0) return q.tokens_per_s * (q.rates ? 1 : speculative_speedup(q.speculation));
  return q.lengths->output / seconds_of(q).all();
}

// Good output tokens in an average paid second.
double good_rate(const cost_question& q) {
  const double working = q.by == tenure::spot ? spot_working_share(q.rent) : 1;
  return full_rate(q) * q.utilization * q.goodput * working;
}

double rent_per_hour(const cost_question& q) {
  const double discount = q.by == tenure::reserved ? q.rent.reserved_discount : 0;
  return q.gpus * q.rent.usd_per_gpu_hour * (1 - discount);
}

double capital_per_hour(const ownership_terms& o, double gpus) {
  const double left = o.residual_share * std::pow(1 + o.interest, -o.years);
  return gpus * o.usd_per_gpu * (1 - left) * capital_recovery_factor(o.interest, o.years) / hours_a_year;
}

double colocation_per_hour(const cost_question& q) {
  return q.electricity.power_w / 1000 * q.own.colocation_usd_per_kw_month / hours_a_month;
}

double staff_per_hour(const cost_question& q) {
  return q.gpus * q.own.usd_per_gpu * q.own.staff_share / hours_a_year;
}

// At the meter, in an average paid hour.
double mean_meter_w(const cost_question& q) {
  const auto& e = q.electricity;
  return e.pue * (q.utilization * e.power_w + (1 - q.utilization) * idle_power(e));
}

double electricity_per_hour(const cost_question& q) {
  return mean_meter_w(q) / 1000 * q.electricity.usd_per_kwh;
}

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
  [[nodiscard]] double per_mtok(double usd_per_hour) const {
    return usd_per_hour / (rate_ * seconds_an_hour) * mtok;
  }

  void add_line(const std::string& id, const std::string& label, double usd_per_hour, bool added = true) {
    a_.lines.push_back({id, label, per_mtok(usd_per_hour), 0, added});
  }

  void add_lines() {
    a_.how = throughput_figures(q_, full_rate(q_), rate_);
    if (is_rented(q_.by)) add_line("rent", fmt::format("rent, {}", name_of(q_.by)), rent_per_hour(q_));
    if (q_.by == tenure::owned) {
      add_line("capital", "capital", capital_per_hour(q_.own, q_.gpus));
      if (q_.own.colocation_usd_per_kw_month > 0)
        add_line("colocation", "colocation", colocation_per_hour(q_));
      if (q_.own.staff_share > 0) add_line("staff", "staff, network, spares", staff_per_hour(q_));
    }
    if (q_.electricity.power_w > 0)
      add_line("electricity", "electricity", electricity_per_hour(q_), pays_power(q_));
    for (const auto& line : a_.lines) a_.how.push_back(line_figure(q_, line, rate_));
  }

  void add_total() {
    for (const auto& line : a_.lines) a_.total_usd_per_mtok += line.added ? line.usd_per_mtok : 0;
    for (auto& line : a_.lines) {
      if (line.added && a_.total_usd_per_mtok > 0) line.share = line.usd_per_mtok / a_.total_usd_per_mtok;
    }
    a_.how.push_back(total_figure(a_));
  }

  void add_energy() {
    a_.joules_per_token = mean_meter_w(q_) / rate_;
    if (q_.electricity.power_w > 0) a_.how.push_back(energy_figure(q_, a_));
    if (q_.electricity.carbon_g_per_kwh <= 0) return;
    a_.carbon_g_per_mtok = a_.joules_per_token * mtok / joules_a_kwh * q_.electricity.carbon_g_per_kwh;
    a_.how.push_back(carbon_figure(q_, a_));
  }

  // By the seconds of the GPUs that each kind of token takes; their sum is the whole again.
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
    for (auto& f : split_figures(q_, a_)) a_.how.push_back(std::move(f));
  }

  void add_batch() {
    if (q_.batch_utilization <= 0) return;
    auto busier = q_;
    busier.utilization = q_.batch_utilization;
    busier.batch_utilization = 0;
    a_.batch_usd_per_mtok = answering(busier).take().total_usd_per_mtok;
    a_.how.push_back(batch_figure(q_, a_));
  }

  // What an API asks for as many requests as give a million output tokens.
  [[nodiscard]] std::optional<double> api_price() const {
    if (q_.api_usd_per_mtok) return q_.api_usd_per_mtok;
    if (!q_.api_output_usd_per_mtok || !q_.lengths) return {};
    return *q_.api_output_usd_per_mtok +
           q_.api_input_usd_per_mtok.value_or(0) * q_.lengths->input / q_.lengths->output;
  }

  // Idle hours cost what the paid ones do, less the power that load adds.
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
    a_.how.push_back(break_even_figure(*price, *a_.break_even_utilization));
  }

  void add_own_or_rent() {
    a_.own_versus_rent_month = own_versus_rent_month(q_);
    if (a_.own_versus_rent_month) a_.how.push_back(own_or_rent_figure(q_, *a_.own_versus_rent_month));
  }

  const cost_question& q_;
  double rate_;
  cost_answer a_{};
};

}  // namespace

std::string_view name_of(tenure t) {
  constexpr std::string_view names[] = {"unpaid", "on demand", "reserved", "spot", "owned"};
  return names[static_cast<std::size_t>(t)];
}

double capital_recovery_factor(double interest, double years) {
  if (interest == 0) return 1 / years;
  return interest / -std::expm1(-years * std::log1p(interest));
}

double spot_working_share(const rental_terms& r) {
  if (r.mean_hours_between_interruptions <= 0) return 1;
  return std::exp(-r.lost_hours_per_interruption / r.mean_hours_between_interruptions);
}

double tokens_per_step(const speculation_terms& s) {
  if (s.drafted <= 0) return 1;
  if (s.acceptance >= 1) return s.drafted + 1;
  return (1 - std::pow(s.acceptance, s.drafted + 1)) / (1 - s.acceptance);
}

double speculative_speedup(const speculation_terms& s) {
  if (s.drafted <= 0) return 1;
  return tokens_per_step(s) / (1 + s.drafted * s.draft_cost + s.verify_cost);
}

result<cost_answer> cost_per_token(const cost_question& q) {
  if (const auto fine = check_cost_question(q); !fine) return fine.why();
  return answering(q).take();
}

std::optional<double> own_versus_rent_month(const cost_question& q) {
  constexpr double longest_months = 240;
  const double outlay = q.gpus * q.own.usd_per_gpu;
  if (q.rent.usd_per_gpu_hour <= 0) return {};
  const double rent = rent_per_hour(q) + (q.electricity.in_rent ? 0 : electricity_per_hour(q));
  const double running = colocation_per_hour(q) + staff_per_hour(q) + electricity_per_hour(q);
  const double saved = (rent - running) * hours_a_month;
  if (saved <= 0 || outlay <= 0) return {};
  const double monthly = std::pow(1 + q.own.interest, 1.0 / 12) - 1;
  const double owed = outlay * monthly / saved;  // of the first month's saving, what interest takes
  const double months = monthly == 0 ? outlay / saved : -std::log1p(-owed) / std::log1p(monthly);
  if (owed >= 1 || months > longest_months) return {};
  return months;
}

}  // namespace ridge::plan
