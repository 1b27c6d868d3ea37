// SPDX-License-Identifier: Apache-2.0
// How does a variant scale with the size of its problem? A law is fitted to sizes that were measured and says
// nothing of others; the law is that which foretells points left out of its fit best.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/results/parameters.hpp>
#include <ridge/results/timed.hpp>
#include <ridge/stats/size_law.hpp>

#include "gains.hpp"
#include "sweeps.hpp"

namespace ridge::analyses::scaling {

results::analysis make();

namespace {

using results::known_or_unknown;
using stats::size_fit;
using stats::size_law;

constexpr std::size_t most_charts = 6;
constexpr double most_error =
    0.25;  // of the logarithm at a left-out point: a law that is further off is none

std::vector<report::field> fields() {
  using report::unit;
  return {{.key = "workload", .header = "workload"},
          {.key = "machine", .header = "machine"},
          {.key = "backend", .header = "backend"},
          {.key = "axis", .header = "axis"},
          {.key = "variant", .header = "variant"},
          {.key = "metric", .header = "metric"},
          {.key = "sizes", .header = "sizes", .unit = unit::count},
          {.key = "from", .header = "from", .unit = unit::number},
          {.key = "up_to", .header = "up to", .unit = unit::number},
          {.key = "law", .header = "law"},
          {.key = "left_out_pct", .header = "left-out error", .unit = unit::percent},
          {.key = "at", .header = "at", .unit = unit::number},
          {.key = "predicted", .header = "", .unit = unit::number},
          {.key = "predicted_lo", .header = "", .unit = unit::number},
          {.key = "predicted_hi", .header = "", .unit = unit::number},
          {.key = "prediction", .header = "value"},
          {.key = "run", .header = "newest run"},
          {.key = "runs", .header = "runs", .unit = unit::count},
          {.key = "first"},
          {.key = "first_lo"},
          {.key = "first_hi"},
          {.key = "second"},
          {.key = "second_lo"},
          {.key = "second_hi"},
          {.key = "reads", .header = "reads"}};
}

std::vector<stats::size_point> points_of(const swept_variant& v) {
  std::vector<stats::size_point> all;
  for (const auto& p : v.points) all.push_back({p.size, p.measured->point.median});
  return all;
}

// A time starts up, a rate saturates; either may be a power of the size.
std::optional<std::vector<size_fit>> fits_of(const swept_variant& v) {
  const bool is_rate = v.series->metric.better == model::better::higher;
  const std::array laws{is_rate ? size_law::saturating : size_law::start_up, size_law::power};
  auto fits = stats::fit_size_laws(laws, points_of(v));
  return fits ? std::optional(std::move(*fits)) : std::nullopt;
}

std::string with_interval(double value, interval ci, std::string_view unit) {
  const auto text = [&](double x) { return std::isfinite(x) ? format_quantity(x, unit) : "unlimited"; };
  return fmt::format("{} [{}, {}]", text(value), text(ci.lo), text(ci.hi));
}

// "49.3 µs [48, 51] + 1.2 ns [1, 1.4] × tokens"
std::string reading(const size_fit& f, const std::string& axis, std::string_view unit) {
  switch (f.law) {
    case size_law::power:
      return fmt::format("{}^{:.3g} [{:.3g}, {:.3g}]", axis, f.second, f.second_ci.lo, f.second_ci.hi);
    case size_law::start_up:
      // Held at zero, where the points would have it below: nothing is known of how far.
      if (f.first == 0) return with_interval(f.second, f.second_ci, unit) + " × " + axis;
      return fmt::format("{} + {} × {}", with_interval(f.first, f.first_ci, unit),
                         with_interval(f.second, f.second_ci, unit), axis);
    case size_law::saturating:
      return fmt::format("up to {}, half of it at {} {}", with_interval(f.first, f.first_ci, unit), axis,
                         with_interval(f.second, f.second_ci, ""));
  }
  return {};
}

// What the law says of a size that was asked for, in numbers and as text.
struct prediction {
  std::optional<double> value{}, lo{}, hi{};
  std::string text{};
};

prediction predict(const size_fit* fit, std::optional<double> size, std::string_view unit) {
  if (fit == nullptr || !size) return {};
  const auto value = fit->at(*size);
  if (!value) return {.text = "outside of what was measured"};
  const auto band = *fit->band(*size);
  return {value, band.lo, band.hi, with_interval(*value, band, unit)};
}

std::pair<std::string, std::int64_t> runs_of(const swept_variant& v) {
  std::vector<std::string> ids;
  for (const auto& p : v.points) ids.push_back(p.measured->point.run);
  std::ranges::sort(ids);
  const auto newest = ids.back();
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return {newest, static_cast<std::int64_t>(ids.size())};
}

report::row row_of(const sweep& s, const swept_variant& v, const std::vector<size_fit>& fits,
                   std::optional<double> size) {
  const auto& w = v.points.front().seen->workload;
  const auto& best = fits.front();
  const bool fitting = best.left_out_error <= most_error;
  const auto& unit = v.series->metric.unit;
  const auto said = predict(fitting ? &best : nullptr, size, unit);
  const auto [run, runs] = runs_of(v);
  const auto known = [&](double x) {
    return fitting ? known_or_unknown(x) : report::value(std::monostate{});
  };
  return {.values = {s.title,
                     w.machine,
                     std::string(name(w.backend)),
                     s.axis,
                     v.series->variant,
                     v.series->metric.name,
                     static_cast<std::int64_t>(v.points.size()),
                     best.sizes.lo,
                     best.sizes.hi,
                     fitting ? std::string(name_of(best.law)) : std::string("none"),
                     known_or_unknown(100 * best.left_out_error),
                     known_or_unknown(size),
                     known_or_unknown(said.value),
                     known_or_unknown(said.lo),
                     known_or_unknown(said.hi),
                     said.text,
                     run,
                     runs,
                     known(best.first),
                     best.first == 0 ? report::value(std::monostate{}) : known(best.first_ci.lo),
                     best.first == 0 ? report::value(std::monostate{}) : known(best.first_ci.hi),
                     known(best.second),
                     known(best.second_ci.lo),
                     known(best.second_ci.hi),
                     fitting ? reading(best, s.axis, unit) : "no law foretells a point left out within 25 %"},
          .look = fitting ? report::tone::plain : report::tone::doubtful};
}

// The law as a line with its band, within the sizes that were measured.
report::chart_series line_of(const size_fit& f, std::size_t key) {
  constexpr int steps = 40;
  report::chart_series line{.mark = report::chart_mark::line, .key = key};
  for (int i = 0; i <= steps; ++i) {
    const double x =
        i == steps ? f.sizes.hi : f.sizes.lo * std::pow(f.sizes.hi / f.sizes.lo, double(i) / steps);
    const auto y = f.at(x);
    const auto band = f.band(x);
    if (!y || !band) continue;
    line.points.push_back({x, *y, {}});
    line.low.push_back(band->lo);
    line.high.push_back(band->hi);
  }
  return line;
}

report::chart_series marks_of(const swept_variant& v, std::size_t key) {
  report::chart_series marks{.name = v.series->variant, .mark = report::chart_mark::points, .key = key};
  for (const auto& p : v.points) {
    marks.points.push_back({p.size, p.measured->point.median,
                            fmt::format("{}: {}", v.series->variant,
                                        format_quantity(p.measured->point.median, v.series->metric.unit))});
    marks.low.push_back(p.measured->point.ci.lo);
    marks.high.push_back(p.measured->point.ci.hi);
  }
  return marks;
}

report::chart chart_of(const sweep& s, const swept_variant& first) {
  const auto& w = first.points.front().seen->workload;
  return {.title = s.title,
          .subtitle = fmt::format("{}, {}; lines: laws with their bands", w.machine, name(w.backend)),
          .x = {.label = s.axis, .unit = "n", .scale = report::chart_scale::logarithmic},
          .y = {.label = first.series->metric.name,
                .unit = first.series->metric.unit,
                .scale = report::chart_scale::logarithmic}};
}

void add_sweep(results::answer& found, report::sheet& sheet, const sweep& s, std::optional<double> size) {
  const auto variants = variants_of(s);
  auto chart = chart_of(s, variants.front());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto fits = fits_of(variants[i]);
    if (!fits) continue;
    sheet.rows.push_back(row_of(s, variants[i], *fits, size));
    if (variants[i].series->metric.name != chart.y.label) continue;
    chart.series.push_back(marks_of(variants[i], i));
    if (fits->front().left_out_error <= most_error) chart.series.push_back(line_of(fits->front(), i));
  }
  if (!chart.series.empty() && found.charts.size() < most_charts) found.charts.push_back(std::move(chart));
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  const auto latest = store.latest(query);
  const auto swept = sweeps_of(latest);
  std::optional<double> size;
  if (const auto at = given.count("at")) size = static_cast<double>(*at);
  results::answer found;
  report::sheet sheet{
      .key = "fits", .title = "Laws", .fields = fields(), .grouped_by = results::workload_field_count};
  auto gained = gain_sheet();
  for (const auto& s : swept) {
    if (!given.text("axis").empty() && given.text("axis") != s.axis) continue;
    add_sweep(found, sheet, s, size);
    add_gains(gained, s);
  }
  sheet.empty =
      latest.empty()
          ? results::nothing_measured(query)
          : "No variant was measured at three sizes; `ridge run ID --axis n=2^10..20:2` sweeps an axis.";
  gained.empty = latest.empty()
                     ? results::nothing_measured(query)
                     : "No variant was compared with its baseline at two sizes; `ridge run ID --axis "
                       "n=2^10..20:2` sweeps an axis.";
  results::fold_common(sheet, {"machine", "backend", "axis", "metric", "run", "runs"});
  results::fold_common(gained, {"machine", "backend", "axis"});
  found.document = {
      .schema = "ridge.scaling/1",
      .title = "Scaling with the size of the problem",
      .sheets = {std::move(sheet), std::move(gained)},
      .notes = {
          "power: y = f x^e; start_up: y = a + b x; saturating: y = r x / (x + h). Intervals are of 95 %. "
          "The law is the one with the least error at points left out of its fit. A law holds between "
          "the sizes that were measured, and says nothing outside. Where sizes come from several runs, more "
          "than their size may differ."}};
  return found;
}

}  // namespace

results::analysis make() {
  return {.name = "scaling",
          .command = "scaling",
          .title = "Scaling",
          .question = "How do time, throughput and gain of a variant grow with the size of its problem?",
          .parameters = results::workload_parameters_and(
              {{.key = "axis", .placeholder = "NAME", .help = "Only sweeps over this axis"},
               {.key = "at",
                .kind = results::parameter_kind::count,
                .placeholder = "SIZE",
                .help = "What each law says of this size, where it lies among those measured"}}),
          .run = run};
}

}  // namespace ridge::analyses::scaling
