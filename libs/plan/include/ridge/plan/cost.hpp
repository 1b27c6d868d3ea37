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
  unpaid,     // electricity alone: the GPUs are there already
  on_demand,  // rented by the hour
  reserved,   // rented for a term, at a discount, used or not
  spot,       // rented until somebody else wants them
  owned,      // bought
};
[[nodiscard]] std::string_view name_of(tenure t);

// Power and what it costs. Watts are of all GPUs with their share of the host, averaged over a busy hour.
struct electricity_terms {
  double power_w = 0;
  double idle_power_w = -1;  // in hours without load; below 0: as busy
  double pue = 1.5;          // of the data centre: power at the meter per power at the rack
  double usd_per_kwh = 0.16;
  double carbon_g_per_kwh = 0;  // 0: not asked
  bool in_rent = false;         // whoever lets the GPUs pays for it: shown, not added to rent
};

struct rental_terms {
  double usd_per_gpu_hour = 0;   // on demand; of spot, the spot price
  double reserved_discount = 0;  // share off the price of demand
  // Spot: interruptions are a Poisson process; behind each, a new machine works only after so long.
  double mean_hours_between_interruptions = 0;
  double lost_hours_per_interruption = 0;  // start-up, loading of weights, work done again
};

struct ownership_terms {
  double usd_per_gpu = 0;  // with its share of server, rack and switches
  double years = 4;
  double interest = 0.08;                  // a year
  double residual_share = 0;               // of the price, left at the end
  double colocation_usd_per_kw_month = 0;  // of power_w
  double staff_share = 0;                  // staff, network, spares a year, as a share of the price
};

// What one kind of work needs when the GPUs do nothing else, tokens a second of all of them.
struct phase_rates {
  double input_per_s = 0;         // prompt tokens computed
  double cached_input_per_s = 0;  // prompt tokens found in the cache; 0: they take no time
  double output_per_s = 0;
};

struct request_lengths {
  double input = 0;         // tokens of the prompt, cached ones included
  double cached_input = 0;  // of these, found in the prefix cache
  double output = 0;
};

// Speculative decoding: k tokens are drafted, then verified in one step.
struct speculation_terms {
  int drafted = 0;         // k; 0: off
  double acceptance = 0;   // of one token, independent
  double draft_cost = 0;   // seconds of drafting one token, in decode steps
  double verify_cost = 0;  // what verifying adds to a step, in decode steps (0 while memory-bound)
};

struct cost_question {
  std::string gpu{};  // for people
  double gpus = 1;
  tenure by{tenure::unpaid};
  electricity_terms electricity{};
  rental_terms rent{};
  ownership_terms own{};
  double tokens_per_s = 0;             // output tokens of all GPUs under full load, prompts' work included
  double utilization = 1;              // share of the paid hours' capacity that is used
  double goodput = 1;                  // share of the tokens that are within the objectives
  std::optional<phase_rates> rates{};  // tokens_per_s 0: follows from rates and lengths
  std::optional<request_lengths> lengths{};
  speculation_terms speculation{};
  double batch_utilization = 0;  // what jobs without deadline would raise utilization to; 0: not asked
  std::optional<double> api_usd_per_mtok{};  // to break even with, per million output tokens all in
  std::optional<double> api_input_usd_per_mtok{}, api_output_usd_per_mtok{};  // or as APIs price
  // Half-widths of bands as shares, by the name of the input (sensitivity()); others vary by 20 %.
  std::vector<std::pair<std::string, double>> bands{};
};

// A part of the whole.
struct cost_line {
  std::string id{};  // "electricity", "rent", "capital", "colocation", "staff"
  std::string label{};
  double usd_per_mtok = 0;
  double share = 0;  // of the total; 0 of lines that are not added
  bool added = true;
};

struct cost_answer {
  std::vector<cost_line> lines{};
  double total_usd_per_mtok = 0;  // per million good output tokens, all in
  double joules_per_token = 0;    // at the meter
  double tokens_per_s = 0;        // good output tokens in an average paid second
  std::optional<double> input_usd_per_mtok{}, cached_input_usd_per_mtok{}, output_usd_per_mtok{};
  std::optional<double> usd_per_request{};
  std::optional<double> batch_usd_per_mtok{};
  std::optional<double> carbon_g_per_mtok{};
  // At which the API's price is met: above 1 it never is; empty also where the power of load alone costs
  // more.
  std::optional<double> break_even_utilization{};
  std::optional<double> own_versus_rent_month{};  // where prices of both are given
  derivation how{};
};

// The error names the field that cannot be, and what it must be.
[[nodiscard]] result<cost_answer> cost_per_token(const cost_question& q);

// C = P · r(1+r)^n/((1+r)^n - 1): the yearly payment of a loan of 1 over n years; 1/n without interest.
[[nodiscard]] double capital_recovery_factor(double interest, double years);

// Share of rented spot hours that work gets done in: exp(-lost/mean) for exponential times between
// interruptions, the lost hours at the beginning of each.
[[nodiscard]] double spot_working_share(const rental_terms& r);

// Tokens a step of speculative decoding yields: (1 - a^(k+1))/(1 - a) (Leviathan et al., ICML 2023, eq. 1).
[[nodiscard]] double tokens_per_step(const speculation_terms& s);
// Against decoding without it.
[[nodiscard]] double speculative_speedup(const speculation_terms& s);

// Own or rent, for the same GPUs: the month from which having bought is cheaper; empty: never in 20 years.
// Interest on what is not yet earned back; the residual value is left out.
[[nodiscard]] std::optional<double> own_versus_rent_month(const cost_question& q);

}  // namespace ridge::plan
