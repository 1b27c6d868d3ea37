// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/scaling_page.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

using report::unit;

std::string_view formula_of(stats::scaling_law law) {
  switch (law) {
    case stats::scaling_law::amdahl:
      return "l N / (1 + s (N - 1))";
    case stats::scaling_law::gustafson:
      return "l (N - s (N - 1))";
    case stats::scaling_law::usl:
      return "l N / (1 + s (N - 1) + k N (N - 1))";
    case stats::scaling_law::power:
      return "l N^b";
  }
  return "";
}

std::string coefficients_text(const stats::scaling_fit& f) {
  if (f.law == stats::scaling_law::power) return fmt::format("b = {:.4g}", f.exponent);
  auto text = fmt::format("s = {:.3g} %", f.serial * 100);
  if (f.law == stats::scaling_law::usl) text += fmt::format(", k = {:.3g}", f.crosstalk);
  return text;
}

report::value finite(double v) { return std::isfinite(v) ? report::value(v) : report::value(); }

bool by_aicc(const scaling_answer& a) { return stats::compared_by_aicc(a.fits); }

// Why the best law comes first, with the errors of the others.
std::string choice_text(const scaling_answer& a) {
  const auto& best = a.fits.front();
  if (!std::isfinite(best.left_out_error))
    return "too few points to choose between laws: the one with the fewest coefficients comes first";
  auto text = fmt::format("{} is chosen: fitted to the other points, it misses each by {:.2g} %",
                          name_of(best.law), best.left_out_error * 100);
  for (std::size_t i = 1; i < a.fits.size(); ++i) {
    const auto& f = a.fits[i];
    text += std::isfinite(f.left_out_error)
                ? fmt::format("; {} by {:.2g} %", name_of(f.law), f.left_out_error * 100)
                : fmt::format("; {} has as many coefficients as there are points", name_of(f.law));
  }
  return text;
}

report::sheet laws_sheet(const scaling_answer& a) {
  report::sheet s{
      .key = "laws",
      .title = by_aicc(a) ? "Laws, the best first (AICc)" : "Laws, the best first (error at points left out)",
      .fields = {{"law", "law"},
                 {"formula", "throughput"},
                 {"coefficients", "coefficients"},
                 {"single", "one worker", unit::long_number},
                 {"serial", ""},
                 {"crosstalk", ""},
                 {"exponent", ""},
                 {"relative_error_pct", "error", unit::percent},
                 {"left_out_error_pct", "left out", unit::percent},
                 {"aicc", "AICc", unit::number},
                 {"peak_workers", "peak at", unit::number}}};
  for (const auto& f : a.fits) {
    const auto peak = f.peak_workers();
    s.rows.push_back({.values = {std::string(name_of(f.law)), std::string(formula_of(f.law)),
                                 coefficients_text(f), f.single, f.serial, f.crosstalk, f.exponent,
                                 f.relative_error * 100, finite(f.left_out_error * 100), finite(f.aicc),
                                 peak ? report::value(*peak) : report::value()}});
  }
  return s;
}

report::sheet predictions_sheet(const scaling_answer& a) {
  const auto percent = fmt::format("{:g} % band", a.level * 100);
  report::sheet s{.key = "predictions",
                  .title = fmt::format("Predicted by {}", name_of(a.fits.front().law)),
                  .fields = {{"workers", "workers", unit::long_number},
                             {"throughput", a.unit.empty() ? "throughput" : a.unit, unit::long_number},
                             {"low", percent + " from", unit::long_number},
                             {"high", "to", unit::long_number},
                             {"efficiency_pct", "efficiency", unit::percent},
                             {"extrapolated", "beyond the points"}}};
  for (const auto& p : a.predictions)
    s.rows.push_back({.values = {p.workers, p.throughput, p.band.lo, p.band.hi,
                                 100 * a.fits.front().efficiency(p.workers), p.extrapolated}});
  return s;
}

plan::figure coefficient(std::string id, std::string label, double value, const interval& band,
                         const scaling_answer& a) {
  return {.id = std::move(id),
          .label = std::move(label),
          .value = value,
          .formula = std::string(formula_of(a.fits.front().law)),
          .inputs = {{"points", std::to_string(a.points.size())}},
          .basis = plan::basis::fitted,
          .source = fmt::format("least squares of relative residuals; bootstrap {:g} % {:.4g} to {:.4g}",
                                a.level * 100, band.lo, band.hi),
          .relative_band = value == 0 ? 0 : band.width() / 2 / value};
}

report::chart_series curve(const stats::scaling_fit& f, double least, double greatest, bool first) {
  report::chart_series s{.name = std::string(name_of(f.law)),
                         .mark = first ? report::chart_mark::line : report::chart_mark::dashed};
  constexpr int steps = 80;
  for (int i = 0; i <= steps; ++i) {
    const double n = least * std::pow(greatest / least, static_cast<double>(i) / steps);
    s.points.push_back({n, f.at(n)});
  }
  return s;
}

}  // namespace

report::document scaling_page(const scaling_answer& a) {
  const auto& best = a.fits.front();
  report::document d{
      .schema = "ridge.plan.scaling/1",
      .title = fmt::format("{} from {} points: {}, off by {:.2g} %", name_of(best.law), a.points.size(),
                           coefficients_text(best), best.relative_error * 100)};
  d.facts = {{"law", std::string(name_of(best.law))}, {"points", static_cast<std::int64_t>(a.points.size())}};
  d.sheets = {laws_sheet(a), predictions_sheet(a)};
  if (a.fits.size() > 1 && by_aicc(a) && a.fits[1].aicc - best.aicc < 2)
    d.notes.push_back(fmt::format(
        "{} explains the points nearly as well (AICc {:.1f} above): what they say beyond the points may "
        "differ; measure farther out to tell them apart",
        name_of(a.fits[1].law), a.fits[1].aicc - best.aicc));
  if (!by_aicc(a)) d.notes.push_back(choice_text(a));
  return d;
}

plan::derivation scaling_derivation(const scaling_answer& a) {
  const auto& f = a.fits.front();
  plan::derivation all;
  if (!a.intervals) return all;
  all.push_back(coefficient("single", "Throughput of one worker", f.single, a.intervals->single, a));
  if (f.law == stats::scaling_law::power) {
    all.push_back(coefficient("exponent", "Exponent", f.exponent, a.intervals->exponent, a));
    return all;
  }
  all.push_back(coefficient("serial", "Serial share, contention", f.serial, a.intervals->serial, a));
  if (f.law == stats::scaling_law::usl)
    all.push_back(coefficient("crosstalk", "Crosstalk", f.crosstalk, a.intervals->crosstalk, a));
  if (const auto peak = f.peak_workers())
    all.push_back(coefficient("peak_workers", "Workers at the peak: sqrt((1 - s)/k)", *peak,
                              a.intervals->peak_workers.value_or(interval{*peak, *peak}), a));
  return all;
}

report::chart scaling_chart(const scaling_answer& a, std::span<const stats::scaling_prediction> band) {
  report::chart c{
      .title = "Throughput by workers",
      .subtitle = fmt::format("{} fitted to {} points", name_of(a.fits.front().law), a.points.size()),
      .x = {.label = "workers", .scale = report::chart_scale::logarithmic},
      .y = {.label = a.unit.empty() ? "throughput" : a.unit, .scale = report::chart_scale::logarithmic}};
  double least = 1e300, greatest = 1;
  for (const auto& p : a.points) least = std::min(least, p.workers), greatest = std::max(greatest, p.workers);
  for (const auto& p : band) least = std::min(least, p.workers), greatest = std::max(greatest, p.workers);
  report::chart_series best{.name = std::string(name_of(a.fits.front().law))};
  for (const auto& p : band) {
    best.points.push_back({p.workers, p.throughput});
    best.low.push_back(p.band.lo);
    best.high.push_back(p.band.hi);
  }
  c.series.push_back(best.points.empty() ? curve(a.fits.front(), least, greatest, true) : std::move(best));
  for (std::size_t i = 1; i < a.fits.size(); ++i)
    c.series.push_back(curve(a.fits[i], least, greatest, false));
  report::chart_series measured{.name = "measured", .mark = report::chart_mark::points};
  for (const auto& p : a.points)
    measured.points.push_back(
        {p.workers, p.throughput, fmt::format("{:g} workers: {:.6g}", p.workers, p.throughput)});
  c.series.push_back(std::move(measured));
  return c;
}

}  // namespace ridge::plan_report
