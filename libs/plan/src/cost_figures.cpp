// SPDX-License-Identifier: Apache-2.0
#include "cost_figures.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan {
namespace {

std::string text(double v, std::string_view unit) { return format_quantity(v, unit, 4); }
std::string text(double v) { return fmt::format("{:g}", v); }
std::string usd(double v) { return fmt::format("${:g}", v); }

figure full_rate_figure(const cost_question& q, double rate) {
  figure f{
      .id = "full_tokens_per_s", .label = "Output tokens under full load", .value = rate, .unit = "tokens/s"};
  const bool faster = q.speculation.drafted > 0;
  if (q.tokens_per_s > 0) {
    f.basis = faster && !q.rates ? basis::derived : basis::given;
    f.formula = f.basis == basis::given ? "T" : "T · (1 - a^(k+1))/(1 - a)/(1 + k·c + v)";
    f.inputs = {{"T", text(q.tokens_per_s, "tokens/s")}};
  } else {
    f.formula = faster ? "out/((in - cached)/Rin + cached/Rcached + out/(Rout·s))"
                       : "out/((in - cached)/Rin + cached/Rcached + out/Rout)";
    f.inputs = {{"in", text(q.lengths->input)},
                {"cached", text(q.lengths->cached_input)},
                {"out", text(q.lengths->output)},
                {"Rin", text(q.rates->input_per_s, "tokens/s")},
                {"Rout", text(q.rates->output_per_s, "tokens/s")}};
    if (q.lengths->cached_input > 0)
      f.inputs.push_back({"Rcached", q.rates->cached_input_per_s > 0
                                         ? text(q.rates->cached_input_per_s, "tokens/s")
                                         : "endless: cached tokens take no time"});
  }
  if (faster) {
    f.inputs.push_back({"s", text(speculative_speedup(q.speculation))});
    f.source =
        "Leviathan et al., Fast inference from transformers via speculative decoding, ICML 2023, eq. 1";
  }
  return f;
}

figure rent_figure(const cost_question& q, figure f) {
  f.formula = q.tenure == tenure::reserved ? "n · p · (1 - d)/(3600 · T) · 1e6" : "n · p/(3600 · T) · 1e6";
  f.inputs.insert(f.inputs.begin(), {{"n", text(q.gpus)}, {"p", usd(q.rent.usd_per_gpu_hour) + " per hour"}});
  if (q.tenure == tenure::reserved) f.inputs.push_back({"d", text(q.rent.reserved_discount, "1")});
  f.basis = basis::given;
  return f;
}

figure capital_figure(const cost_question& q, figure f) {
  const auto& o = q.own;
  f.formula = "n · C · (1 - v/(1+r)^y) · r(1+r)^y/((1+r)^y - 1)/(8760 · 3600 · T) · 1e6";
  f.inputs.insert(f.inputs.begin(), {{"n", text(q.gpus)},
                                     {"C", usd(o.usd_per_gpu)},
                                     {"r", text(o.interest, "1")},
                                     {"y", text(o.years)},
                                     {"v", text(o.residual_share, "1")}});
  f.source = "capital recovery factor";
  return f;
}

figure colocation_figure(const cost_question& q, figure f) {
  f.formula = "P/1000 · m/730/(3600 · T) · 1e6";
  f.inputs.insert(f.inputs.begin(), {{"P", text(q.electricity.power_w, "W")},
                                     {"m", usd(q.own.colocation_usd_per_kw_month) + " a kW and month"}});
  return f;
}

figure staff_figure(const cost_question& q, figure f) {
  f.formula = "n · C · s/(8760 · 3600 · T) · 1e6";
  f.inputs.insert(f.inputs.begin(), {{"n", text(q.gpus)},
                                     {"C", usd(q.own.usd_per_gpu)},
                                     {"s", text(q.own.staff_share, "1") + " per year"}});
  return f;
}

std::vector<input> power_inputs(const cost_question& q) {
  const auto& e = q.electricity;
  std::vector<input> all{{"P", text(e.power_w, "W")}, {"PUE", text(e.pue)}};
  if (e.idle_power_w < 0) return all;
  all.push_back({"P0", text(e.idle_power_w, "W")});
  all.push_back({"u", text(q.utilization, "1")});
  return all;
}

std::string power_formula(const cost_question& q) {
  return q.electricity.idle_power_w < 0 ? "P · PUE" : "(u·P + (1 - u)·P0) · PUE";
}

figure electricity_figure(const cost_question& q, figure f) {
  f.formula = power_formula(q) + " · e/(3.6e6 · T) · 1e6";
  auto inputs = power_inputs(q);
  inputs.push_back({"e", usd(q.electricity.usd_per_kwh) + " per kWh"});
  f.inputs.insert(f.inputs.begin(), inputs.begin(), inputs.end());
  return f;
}

}  // namespace

derivation throughput_figures(const cost_question& q, double full_rate, double good_rate) {
  derivation how{full_rate_figure(q, full_rate)};
  figure good{
      .id = "tokens_per_s",
      .label = "Good output tokens in an average paid second",
      .value = good_rate,
      .unit = "tokens/s",
      .formula = "T · u · g",
      .inputs = {
          {"T", text(full_rate, "tokens/s")}, {"u", text(q.utilization, "1")}, {"g", text(q.goodput, "1")}}};
  if (q.tenure == tenure::spot) {
    good.formula += " · exp(-L/M)";
    good.inputs.push_back({"L", text(q.rent.lost_hours_per_interruption) + " h"});
    good.inputs.push_back({"M", text(q.rent.mean_hours_between_interruptions) + " h"});
    good.source = "interruptions taken for a Poisson process";
  }
  how.push_back(std::move(good));
  return how;
}

figure line_figure(const cost_question& q, const cost_line& line, double good_rate) {
  figure f{.id = line.id + "_usd_per_mtok",
           .label = "Per million tokens: " + line.label,
           .value = line.usd_per_mtok,
           .unit = "USD",
           .inputs = {{"T", text(good_rate, "tokens/s")}}};
  if (line.id == "rent") return rent_figure(q, std::move(f));
  if (line.id == "capital") return capital_figure(q, std::move(f));
  if (line.id == "colocation") return colocation_figure(q, std::move(f));
  if (line.id == "staff") return staff_figure(q, std::move(f));
  return electricity_figure(q, std::move(f));
}

figure total_figure(const cost_answer& a) {
  figure f{.id = "total_usd_per_mtok",
           .label = "Per million output tokens, all in",
           .value = a.total_usd_per_mtok,
           .unit = "USD"};
  for (const auto& line : a.lines) {
    if (!line.added) continue;
    f.formula += (f.formula.empty() ? "" : " + ") + line.id;
    f.inputs.push_back({line.id, usd(line.usd_per_mtok)});
  }
  return f;
}

figure energy_figure(const cost_question& q, const cost_answer& a) {
  auto inputs = power_inputs(q);
  inputs.push_back({"T", text(a.tokens_per_s, "tokens/s")});
  return {.id = "joules_per_token",
          .label = "Energy of an output token, at the meter",
          .value = a.joules_per_token,
          .unit = "J",
          .formula = power_formula(q) + "/T",
          .inputs = std::move(inputs)};
}

figure carbon_figure(const cost_question& q, const cost_answer& a) {
  return {.id = "carbon_g_per_mtok",
          .label = "Carbon dioxide per million tokens, in operation",
          .value = *a.carbon_g_per_mtok,
          .unit = "g",
          .formula = "J/3.6e6 · c · 1e6",
          .inputs = {{"J", text(a.joules_per_token, "J")},
                     {"c", text(q.electricity.carbon_g_per_kwh) + " g per kWh"}}};
}

derivation split_figures(const cost_question& q, const cost_answer& a) {
  derivation how{{.id = "usd_per_request",
                  .label = "A request",
                  .value = *a.usd_per_request,
                  .unit = "USD",
                  .formula = "total · out/1e6",
                  .inputs = {{"total", usd(a.total_usd_per_mtok)}, {"out", text(q.lengths->output)}}}};
  const auto add = [&](const char* id, const char* label, const std::optional<double>& v, const char* rate) {
    if (!v) return;
    how.push_back({.id = id,
                   .label = label,
                   .value = *v,
                   .unit = "USD",
                   .formula = fmt::format("request · t/Σt/tokens · 1e6, t = tokens/{}", rate),
                   .inputs = {{"request", usd(*a.usd_per_request)}}});
  };
  add("input_usd_per_mtok", "Per million input tokens that are computed", a.input_usd_per_mtok, "Rin");
  add("cached_input_usd_per_mtok", "Per million cached input tokens", a.cached_input_usd_per_mtok, "Rcached");
  add("output_usd_per_mtok", "Per million output tokens", a.output_usd_per_mtok, "Rout");
  return how;
}

figure batch_figure(const cost_question& q, const cost_answer& a) {
  return {.id = "batch_usd_per_mtok",
          .label = "Per million tokens, with jobs without deadline in the idle hours",
          .value = *a.batch_usd_per_mtok,
          .unit = "USD",
          .formula = "the same at utilization u",
          .inputs = {{"u", text(q.batch_utilization, "1")}}};
}

figure break_even_figure(double api_usd_per_mtok, double utilization) {
  return {.id = "break_even_utilization",
          .label = "Utilization from which this is cheaper than the API",
          .value = utilization,
          .unit = "1",
          .formula = "fixed cost per hour/(API price of a full hour - power of load)",
          .inputs = {{"API", usd(api_usd_per_mtok) + " per million output tokens, all in"}}};
}

figure own_or_rent_figure(const cost_question& q, double month) {
  return {.id = "own_versus_rent_month",
          .label = "Month from which having bought is cheaper than renting",
          .value = month,
          .unit = "months",
          .formula = "-ln(1 - C·i/s)/ln(1 + i): outlay C, interest i per month, s saved per month",
          .inputs = {{"C", usd(q.gpus * q.own.usd_per_gpu)},
                     {"rent", usd(q.rent.usd_per_gpu_hour) + " per GPU-hour"},
                     {"i", text(q.own.interest, "1") + " per year"}}};
}

}  // namespace ridge::plan
