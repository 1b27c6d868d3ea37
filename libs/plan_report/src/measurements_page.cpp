// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/measurements_page.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace ridge::plan_report {
namespace {

using plan::kernels::efficiency_entry;
using plan::kernels::kernel_measurements;
using report::unit;

// What ran the kernel, by its first row.
std::string implementation_of(const kernel_measurements& m, const efficiency_entry& e) {
  for (const auto& row : m.rows)
    if (row.call.kernel == e.kernel && row.call.format == e.format) return row.implementation;
  return {};
}

std::string name_of(const efficiency_entry& e) {
  return e.format.empty() ? e.kernel : e.kernel + " " + e.format;
}

report::value share_of_peak(const efficiency_entry& e) {
  const bool has_work = e.kernel == "product" || e.kernel == "experts" || e.kernel.ends_with("_attention");
  return has_work ? report::value(100 * e.curve.flop_share) : report::value{};
}

// No coefficients of a CPU ship.
std::pair<report::value, report::value> shipped_errors(const kernel_measurements& m,
                                                       const plan::accelerator& gpu,
                                                       const efficiency_entry& e) {
  if (m.generation == plan::kernels::cpu_generation) return {};
  const auto off = error_on_rows(m, gpu, e, plan::kernels::embedded_efficiencies());
  return {100 * off.median, 100 * off.p90};
}

report::sheet curves_of(const kernel_measurements& m, const plan::accelerator& gpu) {
  report::sheet s{.key = "curves",
                  .title = "Kernels, fitted to half of the rows and judged on the other half",
                  .fields = {{"kernel", "kernel", unit::text},
                             {"format", "format", unit::text},
                             {"rows", "rows", unit::count},
                             {"floor_s", "floor", unit::seconds},
                             {"peak_share_pct", "of peak", unit::percent},
                             {"bandwidth_share_pct", "bandwidth", unit::percent},
                             {"median_error_pct", "error", unit::percent},
                             {"p90_error_pct", "p90", unit::percent},
                             {"shipped_median_error_pct", "shipped", unit::percent},
                             {"shipped_p90_error_pct", "p90", unit::percent},
                             {"implementation", "", unit::text}},
                  .empty = "too few rows to fit any kernel"};
  for (const auto& e : m.curves) {
    const auto [shipped_median, shipped_p90] = shipped_errors(m, gpu, e);
    s.rows.push_back({.values = {e.kernel, e.format, e.rows, e.curve.floor_s, share_of_peak(e),
                                 100 * e.curve.bandwidth_share, 100 * e.median_error, 100 * e.p90_error,
                                 shipped_median, shipped_p90, implementation_of(m, e)}});
  }
  for (const auto& e : m.curves) {
    auto ran = implementation_of(m, e);
    if (!ran.empty()) s.notes.push_back(fmt::format("{} by {}", name_of(e), ran));
  }
  return s;
}

report::sheet launches_of(const kernel_measurements& m) {
  report::sheet s{.key = "launches",
                  .title = "An empty kernel",
                  .fields = {{"where", "launched", unit::text}, {"seconds", "time", unit::seconds}}};
  for (const auto& row : m.rows)
    if (row.call.kernel == "launch")
      s.rows.push_back({.values = {row.call.format == "graph" ? "in a graph" : "one by one", row.seconds}});
  return s;
}

report::sheet refusals_of(const kernel_measurements& m) {
  report::sheet s{
      .key = "refused",
      .title = "Not measured: the shipped coefficients stay",
      .fields = {
          {"kernel", "kernel", unit::text}, {"format", "format", unit::text}, {"why", "why", unit::text}}};
  for (const auto& r : m.refused) s.rows.push_back({.values = {r.kernel, r.format, r.why}});
  return s;
}

}  // namespace

report::document measurements_page(const kernel_measurements& m, const plan::accelerator& gpu,
                                   std::span<const model::kernel_call> asked) {
  const auto measured = std::ranges::count_if(asked, [&](const auto& call) { return m.has(call); });
  report::document d;
  d.schema = "ridge.plan.measure/1";
  d.title = fmt::format("{}: {} of {} kernel calls asked for are measured; {} are kept, the last of {}",
                        m.gpu, measured, asked.size(), m.rows.size(), m.date);
  d.facts = {{"gpu", m.gpu},
             {"device", m.device},
             {"driver", m.driver},
             {"runtime", m.runtime},
             {"date", m.date},
             {"rows", static_cast<std::int64_t>(m.rows.size())},
             {"asked", static_cast<std::int64_t>(asked.size())},
             {"measured", static_cast<std::int64_t>(measured)}};
  d.sheets = {curves_of(m, gpu), launches_of(m), refusals_of(m)};
  d.notes = {
      "Errors are medians and 90 % quantiles of |predicted / measured - 1| over rows that the fit has not "
      "seen; \"shipped\" are those of the coefficients in the program on the same rows."};
  if (!std::ranges::all_of(m.curves, plan::kernels::answers_use))
    d.notes.push_back(
        "Products in fp8 are timed without the quantization of their inputs: answers keep the shipped "
        "curve.");
  return d;
}

}  // namespace ridge::plan_report
