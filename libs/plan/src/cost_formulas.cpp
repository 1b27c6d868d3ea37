// SPDX-License-Identifier: Apache-2.0
#include "cost_formulas.hpp"

#include <cmath>

namespace ridge::plan {
namespace {

constexpr double hours_a_year = 8760;
constexpr double hours_a_month = hours_a_year / 12;

double idle_power(const electricity_terms& e) { return e.idle_power_w < 0 ? e.power_w : e.idle_power_w; }

}  // namespace

bool is_rented(tenure t) { return t == tenure::on_demand || t == tenure::reserved || t == tenure::spot; }

bool pays_power(const cost_question& q) { return !(q.electricity.in_rent && is_rented(q.tenure)); }

request_seconds seconds_of(const cost_question& q) {
  const auto& r = *q.rates;
  const auto& l = *q.lengths;
  const auto over = [](double tokens, double rate) { return rate > 0 ? tokens / rate : 0; };
  return {over(l.input - l.cached_input, r.input_per_s), over(l.cached_input, r.cached_input_per_s),
          over(l.output, r.output_per_s * speculative_speedup(q.speculation))};
}

double full_rate(const cost_question& q) {
  if (q.tokens_per_s > 0) return q.tokens_per_s * (q.rates ? 1 : speculative_speedup(q.speculation));
  return q.lengths->output / seconds_of(q).all();
}

double good_rate(const cost_question& q) {
  const double working = q.tenure == tenure::spot ? spot_working_share(q.rent) : 1;
  return full_rate(q) * q.utilization * q.goodput * working;
}

double rent_per_hour(const cost_question& q) {
  const double discount = q.tenure == tenure::reserved ? q.rent.reserved_discount : 0;
  return q.gpus * q.rent.usd_per_gpu_hour * (1 - discount);
}

double capital_per_hour(const cost_question& q) {
  const auto& o = q.own;
  const double left = o.residual_share * std::pow(1 + o.interest, -o.years);
  return q.gpus * o.usd_per_gpu * (1 - left) * capital_recovery_factor(o.interest, o.years) / hours_a_year;
}

double colocation_per_hour(const cost_question& q) {
  return q.electricity.power_w / 1000 * q.own.colocation_usd_per_kw_month / hours_a_month;
}

double staff_per_hour(const cost_question& q) {
  return q.gpus * q.own.usd_per_gpu * q.own.staff_share / hours_a_year;
}

double mean_meter_w(const cost_question& q) {
  const auto& e = q.electricity;
  return e.pue * (q.utilization * e.power_w + (1 - q.utilization) * idle_power(e));
}

double electricity_per_hour(const cost_question& q) {
  return mean_meter_w(q) / 1000 * q.electricity.usd_per_kwh;
}

double all_per_hour(const cost_question& q) {
  double usd = pays_power(q) ? electricity_per_hour(q) : 0;
  if (is_rented(q.tenure)) usd += rent_per_hour(q);
  if (q.tenure == tenure::owned) usd += capital_per_hour(q) + colocation_per_hour(q) + staff_per_hour(q);
  return usd;
}

double per_mtok(double usd_per_hour, double good_rate) {
  return usd_per_hour / (good_rate * seconds_an_hour) * mtok;
}

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

std::optional<double> own_versus_rent_month(const cost_question& q) {
  constexpr double longest_months = 240;
  const double outlay = q.gpus * q.own.usd_per_gpu;
  if (q.rent.usd_per_gpu_hour <= 0) return {};
  const double rent = rent_per_hour(q) + (q.electricity.in_rent ? 0 : electricity_per_hour(q));
  const double running = colocation_per_hour(q) + staff_per_hour(q) + electricity_per_hour(q);
  const double saved = (rent - running) * hours_a_month;
  if (saved <= 0 || outlay <= 0) return {};
  const double monthly = std::pow(1 + q.own.interest, 1.0 / 12) - 1;
  const double owed = outlay * monthly / saved;  // share of the first month's saving that interest takes
  const double months = monthly == 0 ? outlay / saved : -std::log1p(-owed) / std::log1p(monthly);
  if (owed >= 1 || months > longest_months) return {};
  return months;
}

}  // namespace ridge::plan
