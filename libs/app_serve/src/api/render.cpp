// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/report/chart.hpp>
#include <ridge/results/analysis.hpp>

#include "api/api.hpp"
#include "api/rows.hpp"

// Charts as SVG files: those that reports and `--output` draw.
namespace ridge::app_serve {
namespace {

using server::value_type;

constexpr std::string_view own_parameters[] = {"analysis", "chart", "series", "format"};

bool is_own(std::string_view name) { return std::ranges::count(own_parameters, name) > 0; }

result<std::uint64_t> number_given(const server::request& asked, std::string_view name) {
  const auto text = query_value(asked, name).value_or("");
  if (const auto number = whole_number(text)) return *number;
  return error{fmt::format("the parameter \"{}\" is \"{}\"", name, text), "give a whole number from 0"};
}

result<std::string> drawn(const report::chart& one) {
  auto svg = report::chart_svg(one);
  if (svg.empty())
    return error{"nothing is left to draw: no point of it is a number", "choose another chart"};
  return svg;
}

result<std::string> chart_of_analysis(store::store& store, const server::request& asked,
                                      const std::string& analysis) {
  std::uint64_t number = 0;
  if (!query_value(asked, "chart").value_or("").empty()) {
    const auto given = number_given(asked, "chart");
    if (!given) return given.why();
    number = *given;
  }
  std::map<std::string, std::string> arguments;
  for (const auto& [key, value] : asked.query)
    if (!is_own(key)) arguments.emplace(key, value);
  const auto found = results::answer_of(analysis, store, arguments);
  if (!found) return found.why();
  const auto& charts = found->charts;
  if (number >= charts.size())
    return error{fmt::format("\"{}\" has no chart {} of these results", analysis, number),
                 charts.empty() ? "it has none: choose other results or another analysis"
                                : fmt::format("give 0 to {}", charts.size() - 1)};
  return drawn(charts[number]);
}

report::chart chart_of(const model::workload& workload, const model::measured_series& series,
                       const std::vector<model::measured_point>& points) {
  report::chart made{
      .title = fmt::format("{} {}", workload.experiment, series.variant),
      .subtitle = fmt::format("{} on {}, {}", workload.problem, workload.machine, name(workload.backend)),
      .x = {.label = "run, the oldest first"},
      .y = {.label = series.metric.name, .unit = series.metric.unit}};
  auto& line = made.series.emplace_back();
  for (std::size_t i = 0; i < points.size(); ++i) {
    line.points.push_back({.x = static_cast<double>(i),
                           .y = points[i].median,
                           .says = fmt::format("{} {}", points[i].run, points[i].started)});
    line.low.push_back(points[i].ci.lo);
    line.high.push_back(points[i].ci.hi);
  }
  return made;
}

result<std::string> chart_of_series(store::store& store, const server::request& asked) {
  const auto given = number_given(asked, "series");
  if (!given) return given.why();
  const auto id = static_cast<std::int64_t>(*given);
  const auto series = store.series({.series = id});
  if (series.empty()) return error{fmt::format("there is no series {}", id), "see /api/v1/series"};
  const auto workload = store.workloads({.series = id}).at(0);
  return drawn(chart_of(workload, series.front(), store.points({.series = id, .limit = 10'000})));
}

result<std::string> requested_chart(store::store& store, const server::request& asked) {
  const auto analysis = query_value(asked, "analysis").value_or("");
  if (query_value(asked, "chart") == "series" && analysis.empty()) return chart_of_series(store, asked);
  if (analysis.empty())
    return error{"it is not said what to draw", "give analysis=NAME&chart=0, or chart=series&series=ID"};
  return chart_of_analysis(store, asked, analysis);
}

// Those of every analysis: each analysis refuses those that it does not have.
std::vector<server::parameter> render_parameters() {
  server::parameter analysis{.name = "analysis", .description = "whose chart is drawn", .may_be_empty = true};
  for (const auto& one : results::analyses()) analysis.choices.emplace_back(one.name);
  std::vector<server::parameter> all{
      std::move(analysis),
      {.name = "chart", .description = "which of the analysis, from 0 (0); or series", .may_be_empty = true},
      {.name = "series",
       .type = value_type::integer,
       .description = "with chart=series: the id of the series, whose newest 10000 points are drawn",
       .may_be_empty = true},
      {.name = "format", .description = "svg", .choices = {"svg"}, .may_be_empty = true}};
  for (const auto& one : results::analyses())
    for (const auto& p : one.parameters)
      if (std::ranges::find(all, p.key, &server::parameter::name) == all.end())
        all.push_back({.name = std::string(p.key),
                       .description = "of the analysis: see /api/v1/analyses",
                       .may_be_empty = true});
  return all;
}

// A file to keep or to show as an image. Opened by itself it may run nothing, whatever names it holds.
server::response as_file(server::response answer) {
  if (answer.status != 200) return answer;
  answer.content_type = "image/svg+xml";
  answer.fields.push_back({"Content-Security-Policy",
                           "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"});
  answer.fields.push_back({"Content-Disposition", "attachment; filename=\"ridge-chart.svg\""});
  return answer;
}

}  // namespace

std::vector<server::route> render_routes(const api& shared) {
  const auto draw = asking(shared, requested_chart);
  std::vector<server::route> made;
  made.push_back({.pattern = "/api/v1/render",
                  .answer = [draw](const server::request& asked) { return as_file(draw(asked)); },
                  .summary = "A chart of an analysis or of a series as an SVG file",
                  .parameters = render_parameters(),
                  .content_type = "image/svg+xml"});
  return made;
}

}  // namespace ridge::app_serve
