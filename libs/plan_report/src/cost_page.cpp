// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/cost_page.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::sheet;
using report::unit;
using report::value;

std::string usd(double v) { return report::shown(v, unit::dollars); }

sheet lines_sheet(const plan::cost_answer& a) {
  sheet made{.key = "lines",
             .fields = {{"line"},
                        {"label", "a million output tokens"},
                        {"usd_per_mtok", "USD", unit::dollars},
                        {"share_pct", "share", unit::percent},
                        {"added"}}};
  for (const auto& line : a.lines) {
    report::row row{.values = {line.id, line.added ? line.label : line.label + " (in the rent)",
                               line.usd_per_mtok, line.added ? value(100 * line.share) : value(),
                               line.added}};
    if (!line.added) row.look = report::tone::dim;
    made.rows.push_back(std::move(row));
  }
  made.rows.push_back({.values = {"total", "all in", a.total_usd_per_mtok, 100.0, false}});
  return made;
}

sheet split_sheet(const cost_view& v) {
  sheet made{.key = "split",
             .title = "Cost by kind of token",
             .fields = {{"tokens", "tokens"},
                        {"count", "per request", unit::number},
                        {"usd_per_mtok", "a million", unit::dollars},
                        {"share_pct", "share", unit::percent}}};
  const auto& a = *v.answer;
  if (!a.output_usd_per_mtok) return made;
  const auto& l = *v.asked->lengths;
  const auto add = [&](const char* label, double tokens, const std::optional<double>& price) {
    if (price)
      made.rows.push_back({.values = {label, tokens, *price, tokens * *price / 1e4 / *a.usd_per_request}});
  };
  add("input", l.input - l.cached_input, a.input_usd_per_mtok);
  add("cached input", l.cached_input, a.cached_input_usd_per_mtok);
  add("output", l.output, a.output_usd_per_mtok);
  return made;
}

sheet sensitivity_sheet(const cost_view& v) {
  sheet made{.key = "sensitivity",
             .title = v.show_sensitivity ? "What moves the total, one input at a time" : "",
             .fields = {{"input"},
                        {"label", "input"},
                        {"value", "value", unit::number},
                        {"low", "from", unit::number},
                        {"high", "to", unit::number},
                        {"unit", "unit"},
                        {"low_usd_per_mtok", "total from", unit::dollars},
                        {"high_usd_per_mtok", "to", unit::dollars},
                        {"swing_usd_per_mtok", "swing", unit::dollars}}};
  if (!v.show_sensitivity) {
    for (auto& f : made.fields) f.header.clear();
  }
  for (const auto& r : v.sensitivity)
    made.rows.push_back({.values = {r.input, r.label, r.value, r.low, r.high, r.unit == "1" ? "" : r.unit,
                                    r.low_usd_per_mtok, r.high_usd_per_mtok, r.swing_usd_per_mtok()}});
  return made;
}

void add_facts(report::document& d, const cost_view& v) {
  const auto& a = *v.answer;
  const auto electricity = [&]() -> value {
    for (const auto& line : a.lines) {
      if (line.id == "electricity") return line.usd_per_mtok;
    }
    return {};
  };
  d.facts = {{"total_usd_per_mtok", a.total_usd_per_mtok},
             {"electricity_usd_per_mtok", electricity()},
             {"input_usd_per_mtok", real_or_empty(a.input_usd_per_mtok)},
             {"cached_input_usd_per_mtok", real_or_empty(a.cached_input_usd_per_mtok)},
             {"output_usd_per_mtok", real_or_empty(a.output_usd_per_mtok)},
             {"joules_per_token", v.asked->electricity.power_w > 0 ? value(a.joules_per_token) : value()},
             {"total_p5_usd_per_mtok", v.bands.p5_usd_per_mtok},
             {"total_p50_usd_per_mtok", v.bands.p50_usd_per_mtok},
             {"total_p95_usd_per_mtok", v.bands.p95_usd_per_mtok},
             {"draws", v.bands.draws},
             {"tenure", std::string(name_of(v.asked->tenure))},
             {"gpu", v.asked->gpu},
             {"gpus", v.asked->gpus},
             {"pue", v.asked->electricity.pue},
             {"usd_per_kwh", v.asked->electricity.usd_per_kwh},
             {"power_w", v.asked->electricity.power_w}};
}

void add_notes(report::document& d, const cost_view& v) {
  const auto& a = *v.answer;
  d.notes.push_back(
      fmt::format("If every input is off by its band: {} to {} (5 to 95 % of {} draws), median {}.",
                  usd(v.bands.p5_usd_per_mtok), usd(v.bands.p95_usd_per_mtok), v.bands.draws,
                  usd(v.bands.p50_usd_per_mtok)));
  if (v.asked->electricity.power_w > 0)
    d.notes.push_back(fmt::format("Electricity: {} per token at the meter, PUE {:g}, ${:g} per kWh.",
                                  format_quantity(a.joules_per_token, "J"), v.asked->electricity.pue,
                                  v.asked->electricity.usd_per_kwh));
  if (a.usd_per_request) d.notes.push_back(fmt::format("A request costs {}.", usd(*a.usd_per_request)));
  if (a.batch_usd_per_mtok)
    d.notes.push_back(fmt::format("With jobs without deadline in idle hours: {} ({:.0f} % less).",
                                  usd(*a.batch_usd_per_mtok),
                                  100 * (1 - *a.batch_usd_per_mtok / a.total_usd_per_mtok)));
  if (a.carbon_g_per_mtok)
    d.notes.push_back(fmt::format("Carbon dioxide: {:.3g} g a million tokens.", *a.carbon_g_per_mtok));
  if (a.break_even_utilization && *a.break_even_utilization <= 1)
    d.notes.push_back(
        fmt::format("Cheaper than the API from a utilization of {:.1f} %.", 100 * *a.break_even_utilization));
  else if (v.asked->api_usd_per_mtok || v.asked->api_output_usd_per_mtok)
    d.notes.emplace_back("The API is cheaper at any utilization.");
  if (a.own_versus_rent_month)
    d.notes.push_back(
        fmt::format("Bought is cheaper than rented from month {:.1f}.", *a.own_versus_rent_month));
}

}  // namespace

report::document cost_page(const cost_view& v) {
  report::document d{.schema = "ridge.plan.cost-per-token/1",
                     .title = fmt::format("{} a million output tokens", usd(v.answer->total_usd_per_mtok))};
  add_facts(d, v);
  d.sheets = {lines_sheet(*v.answer), split_sheet(v), sensitivity_sheet(v)};
  d.notes = v.notes;
  add_notes(d, v);
  return d;
}

}  // namespace ridge::plan_report
