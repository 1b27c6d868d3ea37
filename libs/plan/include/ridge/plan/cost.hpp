// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>

namespace ridge::plan {

// How the GPUs are paid for.
enum class tenure : std::uint8_t {
  unpaid,     // only electricity is paid: the GPUs are there already
  on_demand,  // rented by the hour
  reserved,   // rented for a term, at a discount, used or not
  spot,       // rented until somebody else wants them
  owned,      // bought
};
// Its name in reports, options and JSON files ("on demand").
[[nodiscard]] std::string_view name_of(tenure t);

// Power and its price. Watts count all GPUs with their share of the host, averaged over a busy hour.
struct electricity_terms {
  double power_w = 0;
  double idle_power_w = -1;  // in hours without load; negative: the same as power_w
  double pue = 1.5;          // of the data centre: power at the meter over power at the rack
  double usd_per_kwh = 0.16;
  double carbon_g_per_kwh = 0;  // 0: emissions are not computed
  bool in_rent = false;         // the rent includes electricity: it is shown, but not added
};

struct rental_terms {
  double usd_per_gpu_hour = 0;   // the price on demand, or the spot price
  double reserved_discount = 0;  // share taken off the price on demand
  // Spot: interruptions are a Poisson process; after each, these hours pass until work goes on.
  double mean_hours_between_interruptions = 0;
  double lost_hours_per_interruption = 0;  // start-up, loading of weights, repeated work
};

struct ownership_terms {
  double usd_per_gpu = 0;  // with its share of server, rack and switches
  double years = 4;
  double interest = 0.08;                  // per year
  double residual_share = 0;               // resale value at the end, as a share of the price
  double colocation_usd_per_kw_month = 0;  // per kW of power_w
  double staff_share = 0;                  // yearly staff, network and spares, as a share of the price
};

// Tokens per second of all GPUs together when they do one kind of work and nothing else.
struct phase_rates {
  double input_per_s = 0;         // prompt tokens computed
  double cached_input_per_s = 0;  // prompt tokens found in the prefix cache; 0: they take no time
  double output_per_s = 0;
};

struct request_lengths {
  double input = 0;         // prompt tokens, cached ones included
  double cached_input = 0;  // prompt tokens found in the prefix cache
  double output = 0;
};

// Speculative decoding: k tokens are drafted, then verified in one step.
struct speculation_terms {
  int drafted = 0;        // k; 0: off
  double acceptance = 0;  // probability that a drafted token is accepted, independent of the others
  double draft_cost = 0;  // time to draft one token, in units of a decode step
  double verify_cost =
      0;  // time that verification adds to a step, in units of a decode step (0 while memory-bound)
};

struct cost_question {
  std::string gpu{};  // shown in reports, not used in the calculation
  double gpus = 1;
  plan::tenure tenure{plan::tenure::unpaid};
  electricity_terms electricity{};
  rental_terms rent{};
  ownership_terms own{};
  double tokens_per_s = 0;  // output tokens of all GPUs under full load, prompts being computed too
  double utilization = 1;   // used share of the capacity of the paid hours
  double goodput = 1;       // share of the output tokens within the objectives
  std::optional<phase_rates> rates{};  // where tokens_per_s is 0, it follows from rates and lengths
  std::optional<request_lengths> lengths{};
  speculation_terms speculation{};
  double batch_utilization = 0;  // utilization with additional jobs without deadline; 0: not computed
  std::optional<double>
      api_usd_per_mtok{};  // API price to break even with, per million output tokens, all in
  std::optional<double> api_input_usd_per_mtok{},
      api_output_usd_per_mtok{};  // or one price each for input and output
  // Relative half-widths of bands by the name of the input (see sensitivity()); inputs not listed vary by 20
  // %.
  std::vector<std::pair<std::string, double>> bands{};
};

// One part of the total cost.
struct cost_line {
  std::string id{};  // "electricity", "rent", "capital", "colocation", "staff"
  std::string label{};
  double usd_per_mtok = 0;
  double share = 0;  // of the total; 0 for lines that are not added
  bool added = true;
};

struct cost_answer {
  std::vector<cost_line> lines{};
  double total_usd_per_mtok = 0;  // per million output tokens within the objectives, all in
  double joules_per_token = 0;    // at the meter
  double tokens_per_s = 0;        // output tokens within the objectives, averaged over the paid time
  std::optional<double> input_usd_per_mtok{}, cached_input_usd_per_mtok{}, output_usd_per_mtok{};
  std::optional<double> usd_per_request{};
  std::optional<double> batch_usd_per_mtok{};
  std::optional<double> carbon_g_per_mtok{};
  // Utilization at which the total equals the price of the API; above 1 it cannot be reached. Empty without
  // such a price, and where the power of the load alone costs more.
  std::optional<double> break_even_utilization{};
  std::optional<double> own_versus_rent_month{};  // when prices of both are given
  plan::derivation derivation{};
};

// Cost and energy per token of a service (formulas: docs/design/plan/cost.md). The error names the field that
// is out of range and the range.
[[nodiscard]] result<cost_answer> cost_per_token(const cost_question& q);

// Yearly payment for a loan of 1 over n years: r (1+r)^n / ((1+r)^n - 1), and 1/n without interest.
[[nodiscard]] double capital_recovery_factor(double interest, double years);

// Share of the rented spot hours in which work gets done: exp(-lost / mean) for exponential times between
// interruptions with the lost hours at the beginning of each.
[[nodiscard]] double spot_working_share(const rental_terms& r);

// Expected tokens per step of speculative decoding: (1 - a^(k+1)) / (1 - a) (Leviathan et al., ICML 2023, eq.
// 1).
[[nodiscard]] double tokens_per_step(const speculation_terms& s);
// Tokens per second with speculative decoding over tokens per second without it.
[[nodiscard]] double speculative_speedup(const speculation_terms& s);

// Month from which owning the GPUs is cheaper than renting them; empty: never within 20 years. Interest is
// paid on what is not yet earned back; the residual value is left out.
[[nodiscard]] std::optional<double> own_versus_rent_month(const cost_question& q);

}  // namespace ridge::plan
