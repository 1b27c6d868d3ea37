// SPDX-License-Identifier: Apache-2.0
#include "cost_inputs.hpp"

#include <algorithm>
#include <limits>

#include "cost_formulas.hpp"

namespace ridge::plan {
namespace {

constexpr double usual_half_width = 0.2;
constexpr double small = 1e-9;

// A share of 1 means a full machine rather than an estimate, so it has no band unless the question gives one.
double unsure_share(const cost_question& q, std::string_view name, double share) {
  const auto banded =
      std::ranges::find(q.bands, name, &std::pair<std::string, double>::first) != q.bands.end();
  return share == 1 && !banded ? 0 : share;
}

bool owned(const cost_question& q) { return q.tenure == tenure::owned; }
bool meters(const cost_question& q) { return q.electricity.power_w > 0 && pays_power(q); }

constexpr cost_input inputs[] = {
    {"tokens_per_s", "throughput", "tokens/s", [](const cost_question& q) { return q.tokens_per_s; },
     [](cost_question& q, double v) { q.tokens_per_s = v; }},
    {"input_tokens_per_s", "prefill rate", "tokens/s",
     [](const cost_question& q) { return q.rates && q.tokens_per_s <= 0 ? q.rates->input_per_s : 0; },
     [](cost_question& q, double v) { q.rates->input_per_s = v; }},
    {"output_tokens_per_s", "decoding rate", "tokens/s",
     [](const cost_question& q) { return q.rates && q.tokens_per_s <= 0 ? q.rates->output_per_s : 0; },
     [](cost_question& q, double v) { q.rates->output_per_s = v; }},
    {"utilization", "utilization", "1",
     [](const cost_question& q) { return unsure_share(q, "utilization", q.utilization); },
     [](cost_question& q, double v) { q.utilization = v; }, small, 1},
    {"goodput", "goodput", "1", [](const cost_question& q) { return unsure_share(q, "goodput", q.goodput); },
     [](cost_question& q, double v) { q.goodput = v; }, small, 1},
    {"usd_per_gpu_hour", "price per GPU-hour", "USD",
     [](const cost_question& q) { return is_rented(q.tenure) ? q.rent.usd_per_gpu_hour : 0; },
     [](cost_question& q, double v) { q.rent.usd_per_gpu_hour = v; }},
    {"reserved_discount", "discount", "1",
     [](const cost_question& q) { return q.tenure == tenure::reserved ? q.rent.reserved_discount : 0; },
     [](cost_question& q, double v) { q.rent.reserved_discount = v; }, 0, 1},
    {"interruption_hours", "hours between interruptions", "h",
     [](const cost_question& q) {
       return q.tenure == tenure::spot ? q.rent.mean_hours_between_interruptions : 0;
     },
     [](cost_question& q, double v) { q.rent.mean_hours_between_interruptions = v; }},
    {"lost_hours", "hours lost by an interruption", "h",
     [](const cost_question& q) { return q.tenure == tenure::spot ? q.rent.lost_hours_per_interruption : 0; },
     [](cost_question& q, double v) { q.rent.lost_hours_per_interruption = v; }},
    {"usd_per_gpu", "price per GPU", "USD",
     [](const cost_question& q) { return owned(q) ? q.own.usd_per_gpu : 0; },
     [](cost_question& q, double v) { q.own.usd_per_gpu = v; }},
    {"years", "years of use", "years", [](const cost_question& q) { return owned(q) ? q.own.years : 0; },
     [](cost_question& q, double v) { q.own.years = v; }},
    {"interest", "interest", "1", [](const cost_question& q) { return owned(q) ? q.own.interest : 0; },
     [](cost_question& q, double v) { q.own.interest = v; }},
    {"residual_share", "residual value", "1",
     [](const cost_question& q) { return owned(q) ? q.own.residual_share : 0; },
     [](cost_question& q, double v) { q.own.residual_share = v; }, 0, 1},
    {"colocation_usd_per_kw_month", "colocation", "USD",
     [](const cost_question& q) { return owned(q) ? q.own.colocation_usd_per_kw_month : 0; },
     [](cost_question& q, double v) { q.own.colocation_usd_per_kw_month = v; }},
    {"staff_share", "staff, network, spares", "1",
     [](const cost_question& q) { return owned(q) ? q.own.staff_share : 0; },
     [](cost_question& q, double v) { q.own.staff_share = v; }},
    {"power_w", "power", "W", [](const cost_question& q) { return meters(q) ? q.electricity.power_w : 0; },
     [](cost_question& q, double v) { q.electricity.power_w = std::max(v, q.electricity.idle_power_w); }},
    {"pue", "PUE", "", [](const cost_question& q) { return meters(q) ? q.electricity.pue : 0; },
     [](cost_question& q, double v) { q.electricity.pue = v; }, 1, 10},
    {"usd_per_kwh", "tariff", "USD",
     [](const cost_question& q) { return meters(q) ? q.electricity.usd_per_kwh : 0; },
     [](cost_question& q, double v) { q.electricity.usd_per_kwh = v; }},
};

}  // namespace

std::span<const cost_input> cost_inputs() { return inputs; }

double half_width(const cost_question& q, const cost_input& input) {
  const auto own = std::ranges::find(q.bands, input.name, &std::pair<std::string, double>::first);
  return own != q.bands.end() ? own->second : usual_half_width;
}

double possible(const cost_input& input, double value) {
  return std::clamp(value, input.least, input.most > 0 ? input.most : std::numeric_limits<double>::max());
}

}  // namespace ridge::plan
