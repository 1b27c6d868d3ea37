// SPDX-License-Identifier: Apache-2.0
#include "cluster_figures.hpp"

#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan {
namespace {

constexpr double to_ms = 1000;

std::string rate(double v) { return fmt::format("{:.4g} per second", v); }
std::string time(double s) { return format_quantity(s, "s", 4); }

figure closed_form(std::string id, std::string label, double value, std::string unit) {
  return {.id = std::move(id),
          .label = std::move(label),
          .value = value,
          .unit = std::move(unit),
          .basis = basis::fitted,
          .source = "closed form over the times of steps",
          .relative_band = cluster_band};
}

figure running_figure(const cluster_choice& c) {
  auto f = closed_form("running", "Decoding sequences per replica, busiest hour", c.peak.running, "");
  f.formula = "λ · output · TPOT(n) = n";
  f.inputs = {{"λ", rate(c.peak.requests_per_s)}, {"TPOT", time(c.peak.tpot_s)}};
  f.source = "Little's law; " + f.source;
  return f;
}

figure tpot_figure(const latency_objective& slo, const cluster_choice& c) {
  auto f = closed_form("tpot_ms", fmt::format("TPOT, {:g} % of requests, busiest hour", 100 * slo.quantile),
                       to_ms * c.peak.tpot_quantile_s, "ms");
  f.formula =
      "TPOT(n) + √((TPOT(m) - TPOT(n))² + (z · √prompts · prefill/output)²), TPOT(n) = step(n)/(1 - λ · "
      "prefill)";
  f.inputs = {{"n", fmt::format("{:.1f}", c.peak.running)},
              {"m", fmt::format("{:.1f} sequences at the quantile, n + z · √(n/(1 - elasticity))",
                                c.peak.running_quantile)},
              {"objective", time(slo.tpot_s)}};
  return f;
}

figure wait_figure(const cluster_choice& c) {
  auto f = closed_form("wait_ms", "Wait of a prompt, mean, busiest hour", to_ms * c.peak.wait_s, "ms");
  f.formula = "R/(1 - ρ)";
  f.inputs = {{"ρ", format_quantity(c.peak.prefill_load, "1")}, {"prompt", time(c.peak.prefill_s)}};
  f.source = "Pollaczek-Khinchine, a step taking all prompts that fit; " + f.source;
  return f;
}

figure ttft_figure(const latency_objective& slo, const cluster_choice& c) {
  auto f = closed_form("ttft_ms", fmt::format("TTFT, {:g} % of requests, busiest hour", 100 * slo.quantile),
                       to_ms * c.peak.ttft_quantile_s, "ms");
  f.formula = "current step + line · ln(ρ/(1 - q))/ρ + prompt";
  f.inputs = {{"q", fmt::format("{:g}", slo.quantile)},
              {"prompt", time(c.peak.prefill_s)},
              {"objective", time(slo.ttft_s)}};
  return f;
}

figure max_rate_figure(const cluster_choice& c) {
  auto f = closed_form("max_requests_per_s", "Greatest rate per replica within the objectives",
                       c.max_requests_per_s, "requests/s");
  f.formula = "the rate at which the first constraint breaks, by bisection";
  f.inputs = {{"constraint", std::string(name_of(c.limit))}};
  return f;
}

figure replicas_figure(const serving_load& load, const replica_policy& p, const cluster_choice& c) {
  return {.id = "replicas",
          .label = "Replicas",
          .value = static_cast<double>(c.replicas),
          .formula = "⌈rate · peak/(greatest · (1 - headroom))⌉ + spare",
          .inputs = {{"rate", rate(load.requests_per_s)},
                     {"peak", fmt::format("{:g}", load.peak_factor)},
                     {"greatest", rate(c.max_requests_per_s)},
                     {"headroom", format_quantity(p.headroom, "1")},
                     {"spare", fmt::format("{}", p.spare_replicas)}},
          .basis = basis::fitted};
}

figure gpus_figure(const cluster_choice& c) {
  return {.id = "gpus",
          .label = "GPUs",
          .value = static_cast<double>(c.gpus),
          .formula = "replicas · GPUs per replica",
          .inputs = {{"replicas", fmt::format("{}", c.replicas)},
                     {"GPUs per replica", fmt::format("{}", c.gpus_per_replica)}}};
}

void add_cost(derivation& sheet, const replica_offer& o, const cluster_choice& c) {
  if (c.usd_per_hour) {
    sheet.push_back({.id = "usd_per_hour",
                     .label = "Rent per hour",
                     .value = *c.usd_per_hour,
                     .unit = "USD",
                     .formula = "GPUs · price",
                     .inputs = {{"price", fmt::format("${:g} per GPU-hour", o.usd_per_gpu_hour)}},
                     .basis = basis::given});
    sheet.push_back({.id = "usd_per_mtok",
                     .label = "A million output tokens, rent alone",
                     .value = *c.usd_per_mtok,
                     .unit = "USD",
                     .formula = "rent/(3600 · rate · output) · 1e6"});
  }
  if (!c.power_w) return;
  sheet.push_back({.id = "power_w",
                   .label = "Power of the GPUs, mean of the day",
                   .value = *c.power_w,
                   .unit = "W",
                   .formula = "GPUs · (idle + busy share · (busy - idle))",
                   .inputs = {{"busy", format_quantity(o.busy_power_w, "W")},
                              {"idle", format_quantity(o.idle_power_w, "W")}},
                   .basis = basis::assumed,
                   .relative_band = cluster_band});
  sheet.push_back({.id = "joules_per_token",
                   .label = "Energy of an output token, at the GPUs",
                   .value = *c.joules_per_token,
                   .unit = "J",
                   .formula = "power/(rate · output)",
                   .basis = basis::assumed,
                   .relative_band = cluster_band});
}

}  // namespace

derivation cluster_figures(const serving_load& load, const latency_objective& slo, const replica_policy& p,
                           const replica_offer& o, const cluster_choice& c) {
  derivation how{max_rate_figure(c), replicas_figure(load, p, c), gpus_figure(c),
                 running_figure(c),  tpot_figure(slo, c),         wait_figure(c),
                 ttft_figure(slo, c)};
  add_cost(how, o, c);
  return how;
}

}  // namespace ridge::plan
