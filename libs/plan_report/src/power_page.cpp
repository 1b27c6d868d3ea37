// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/power_page.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

using report::unit;

double one_gpu_w(const power_answer& a) { return a.model.at(a.memory_share, a.compute_share); }

bool limited(const power_answer& a) {
  return a.model.idle_w + a.model.memory_w * a.memory_share + a.model.compute_w * a.compute_share >
         a.model.limit_w;
}

plan::figure fitted_figure(std::string id, std::string label, double value, std::string unit_name,
                           std::string formula, const power_answer& a) {
  return {.id = std::move(id),
          .label = std::move(label),
          .value = value,
          .unit = std::move(unit_name),
          .formula = std::move(formula),
          .inputs = {{"memory share", format_quantity(a.memory_share, "1")},
                     {"matrix share", format_quantity(a.compute_share, "1")},
                     {"GPUs", std::to_string(a.gpus)}},
          .basis = plan::basis::fitted,
          .source = fmt::format("{}; {} rows", a.model.source, a.model.rows),
          .relative_band = a.model.p90_error};
}

}  // namespace

report::document power_page(const power_answer& a) {
  report::document d{
      .schema = "ridge.plan.power/1",
      .title = fmt::format("{} x {}: {}", a.gpus, a.model.gpu, format_quantity(a.gpus * one_gpu_w(a), "W"))};
  const double idle = a.model.idle_w, memory = a.model.memory_w * a.memory_share,
               compute = a.model.compute_w * a.compute_share;
  report::sheet parts{.key = "parts",
                      .fields = {{"part", "of one GPU"},
                                 {"watts", "power", unit::watts},
                                 {"of_limit_pct", "of its limit", unit::percent}}};
  const auto part = [&](const char* name, double watts) {
    parts.rows.push_back({.values = {std::string(name), watts, 100 * watts / a.model.limit_w}});
  };
  part("idle", idle);
  part("memory", memory);
  part("matrix units", compute);
  part("limit", a.model.limit_w);
  d.sheets = {std::move(parts)};
  d.facts = {{"gpu", a.model.gpu}, {"limited", limited(a)}};
  if (limited(a))
    d.notes.push_back(
        fmt::format("the parts come to {}: at its limit the GPU lowers clocks, and the work takes longer",
                    format_quantity(idle + memory + compute, "W")));
  return d;
}

plan::derivation power_derivation(const power_answer& a) {
  const double watts = a.gpus * one_gpu_w(a);
  plan::derivation all{fitted_figure("power_w", "Power of all GPUs", watts, "W",
                                     "GPUs · min(limit, idle + memory · m + matrix units · c)", a)};
  if (a.tokens_per_s)
    all.push_back(fitted_figure("joules_per_token", "Energy per token", watts / *a.tokens_per_s, "J",
                                "power / tokens per second", a));
  if (a.flop_per_s)
    all.push_back(fitted_figure("flop_per_joule", "Work per joule", *a.flop_per_s / watts, "FLOP/J",
                                "FLOP per second / power", a));
  return all;
}

report::document power_models_page(std::span<const analysis::power_model> all) {
  report::sheet s{.key = "models",
                  .fields = {{"gpu", "GPU"},
                             {"idle_w", "idle", unit::watts},
                             {"memory_w", "memory", unit::watts},
                             {"compute_w", "matrix units", unit::watts},
                             {"limit_w", "limit", unit::watts},
                             {"rows", "rows", unit::count},
                             {"median_error_pct", "median error", unit::percent},
                             {"p90_error_pct", "p90", unit::percent},
                             {"source", ""}}};
  for (const auto& m : all)
    s.rows.push_back(
        {.values = {m.gpu, m.idle_w, m.memory_w, m.compute_w, m.limit_w, static_cast<std::int64_t>(m.rows),
                    100 * m.median_error, 100 * m.p90_error, m.source},
         .note = m.source});
  s.notes.emplace_back(
      "Errors are of loads that the fit did not see. Other GPUs: --rows FILE.csv fits your own "
      "measurements.");
  return {.schema = "ridge.plan.power-models/1",
          .title = "Power of GPUs: what was fitted, to what, and how well",
          .sheets = {std::move(s)}};
}

}  // namespace ridge::plan_report
