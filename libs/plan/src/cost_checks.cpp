// SPDX-License-Identifier: Apache-2.0
#include "cost_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/cost_uncertainty.hpp>

#include "cost_inputs.hpp"

namespace ridge::plan {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double tiny = std::numeric_limits<double>::min();

// Keeps the first complaint.
class checking {
 public:
  void within(const char* name, double value, double least, double most, const char* wanted) {
    if (why_.ok() && !(value >= least && value <= most && std::isfinite(value)))
      why_ = error{fmt::format("{} is {:g}", name, value), fmt::format("give {}", wanted)};
  }
  void positive(const char* name, double v) { within(name, v, tiny, infinite, "a number above 0"); }
  void natural(const char* name, double v) { within(name, v, 0, infinite, "a number not below 0"); }
  void share(const char* name, double v) { within(name, v, 0, 1, "a share from 0 to 1"); }
  void used_share(const char* name, double v) { within(name, v, tiny, 1, "a share above 0, at most 1"); }
  void need(bool fine, const std::string& complaint, const std::string& remedy) {
    if (why_.ok() && !fine) why_ = error{complaint, remedy};
  }
  [[nodiscard]] result<void> verdict() const { return why_; }

 private:
  result<void> why_{};
};

void check_electricity(checking& c, const electricity_terms& e) {
  c.natural("average power", e.power_w);
  c.within("idle power", e.idle_power_w, -infinite, std::max(e.power_w, 0.0), "at most the average power");
  c.within("PUE", e.pue, 1, 10, "a number from 1 (1.1 modern, 1.5 usual, 1.7 old)");
  c.natural("electricity cost", e.usd_per_kwh);
  c.natural("carbon intensity", e.carbon_g_per_kwh);
}

void check_rent(checking& c, const cost_question& q) {
  c.positive("price per GPU-hour", q.rent.usd_per_gpu_hour);
  c.share("discount of a reservation", q.rent.reserved_discount);
  c.natural("time between interruptions", q.rent.mean_hours_between_interruptions);
  c.natural("time lost by an interruption", q.rent.lost_hours_per_interruption);
  c.need(q.tenure != tenure::spot || q.rent.mean_hours_between_interruptions > 0 ||
             q.rent.lost_hours_per_interruption == 0,
         "time is lost by interruptions that never come", "give the mean hours between interruptions");
}

void check_ownership(checking& c, const ownership_terms& o) {
  c.positive("price per GPU", o.usd_per_gpu);
  c.within("years of use", o.years, 0.1, 50, "0.1 to 50 years");
  c.within("interest", o.interest, 0, 10, "a share per year: 0.08");
  c.share("residual value", o.residual_share);
  c.natural("colocation", o.colocation_usd_per_kw_month);
  c.natural("share of staff and network", o.staff_share);
}

void check_rates(checking& c, const cost_question& q) {
  if (q.lengths) {
    c.positive("output tokens per request", q.lengths->output);
    c.natural("input tokens per request", q.lengths->input);
    c.within("cached input tokens per request", q.lengths->cached_input, 0, q.lengths->input,
             "0 to the input tokens");
  }
  if (q.rates) {
    c.need(q.lengths.has_value(), "rates of prefill and decoding are given without lengths",
           "give the input and output tokens per request too");
    if (q.lengths && q.lengths->input > q.lengths->cached_input)
      c.positive("prefill rate", q.rates->input_per_s);
    c.positive("decoding rate", q.rates->output_per_s);
    c.natural("rate of cached input", q.rates->cached_input_per_s);
  }
  c.natural("throughput", q.tokens_per_s);
  c.need(q.tokens_per_s > 0 || q.rates, "no throughput is given",
         "give output tokens per second, or the rates of prefill and decoding with the lengths of a request");
}

void check_speculation(checking& c, const speculation_terms& s) {
  c.within("drafted tokens", s.drafted, 0, 64, "0 to 64");
  c.share("acceptance", s.acceptance);
  c.natural("cost of drafting", s.draft_cost);
  c.natural("cost of verifying", s.verify_cost);
}

void check_bands(checking& c, const cost_question& q) {
  for (const auto& [name, half_width] : q.bands) {
    const auto known = std::ranges::find(cost_inputs(), name, &cost_input::name) != cost_inputs().end();
    c.need(known, fmt::format("a band is given for \"{}\", which is not an input", name),
           fmt::format("give one of {}", join(names_of_cost_inputs(), ", ")));
    c.share(("band of " + name).c_str(), half_width);
  }
}

}  // namespace

result<void> check_cost_question(const cost_question& q) {
  checking c;
  c.positive("number of GPUs", q.gpus);
  check_electricity(c, q.electricity);
  if (q.tenure == tenure::owned)
    check_ownership(c, q.own);
  else if (q.tenure != tenure::unpaid)
    check_rent(c, q);
  else
    c.need(q.electricity.power_w > 0, "nothing costs anything here",
           "give the average power, a price of rent or a price of the GPUs");
  check_rates(c, q);
  check_speculation(c, q.speculation);
  c.used_share("utilization", q.utilization);
  c.used_share("goodput", q.goodput);
  c.share("utilization with batch jobs", q.batch_utilization);
  c.natural("API price", q.api_usd_per_mtok.value_or(0));
  c.natural("API price of input", q.api_input_usd_per_mtok.value_or(0));
  c.natural("API price of output", q.api_output_usd_per_mtok.value_or(0));
  check_bands(c, q);
  return c.verdict();
}

}  // namespace ridge::plan
