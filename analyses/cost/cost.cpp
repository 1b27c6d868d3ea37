// SPDX-License-Identifier: Apache-2.0
// What do a million calls cost? A time is priced on the hardware that it was measured on; on another GPU only
// where a ceiling held the variant, whose specified ratio carries it there. Everything else has no price.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/parameters.hpp>

#include "pricing.hpp"

namespace ridge::analyses::cost {

results::analysis make();

namespace {

using model::latest_measurement;
using model::workload_result;
using results::known_or_unknown;

constexpr double million = 1e6;
constexpr std::size_t most_charts = 6;

std::vector<report::field> fields() {
  using report::unit;
  return results::workload_fields_and(
      {{.key = "variant", .header = "variant"},
       {.key = "role", .header = "role"},
       {.key = "hardware", .header = "on"},
       {.key = "basis", .header = "basis"},
       {.key = "time_s", .header = "time", .unit = unit::seconds},
       {.key = "usd_per_million_calls", .header = "per M calls", .unit = unit::dollars},
       {.key = "usd_per_million_items", .header = "per M items", .unit = unit::dollars},
       {.key = "ratio", .header = "× cheaper", .unit = unit::number},
       {.key = "ratio_lo", .header = "from", .unit = unit::number},
       {.key = "ratio_hi", .header = "up to", .unit = unit::number},
       {.key = "saved_usd", .header = "saved", .unit = unit::dollars},
       {.key = "verdict", .header = "verdict"},
       {.key = "run", .header = "run"},
       {.key = "model", .header = "model"}});
}

struct priced_variant {
  const latest_measurement* measured = nullptr;
  priced_time time{};
};

report::row row_of(const workload_result& seen, const priced_variant& v, const priced_variant* baseline) {
  const auto& w = seen.workload;
  const auto usd = v.time.usd_per_call();
  std::optional<double> ratio, lo, hi, saved;
  if (baseline != nullptr && baseline->measured != v.measured) {
    ratio = baseline->time.usd_per_call() / usd;
    saved = million * (baseline->time.usd_per_call() - usd);
    // At one price, money is time, and pairs say how the times differ: also where one model carries both
    // elsewhere.
    const auto pairs =
        results::time_ratio(seen, baseline->measured->series.variant, v.measured->series.variant);
    if (pairs && v.time.model == baseline->time.model)
      ratio = pairs->ratio, lo = pairs->ci.lo, hi = pairs->ci.hi;
  }
  return {
      .values = results::workload_values_and(
          w, {v.measured->series.variant, std::string(name(v.measured->series.role)), v.time.hardware,
              std::string(v.time.measured ? "measured" : "modelled"), v.time.seconds, million * usd,
              w.items > 0 ? report::value(million * usd / w.items) : report::value(std::monostate{}),
              known_or_unknown(ratio), known_or_unknown(lo), known_or_unknown(hi), known_or_unknown(saved),
              v.time.measured ? results::verdict_in_time(seen, v.measured->series.variant)
                              : report::value(std::monostate{}),
              seen.run, v.time.model}),
      .look = v.time.measured ? report::tone::plain : report::tone::dim};
}

// What has no price, by machine and reason.
class unpriced final {
 public:
  void add(const model::workload& w, const std::string& why) {
    ++counts_[{w.machine, std::string(name(w.backend)), why}];
  }
  [[nodiscard]] report::sheet sheet() const {
    report::sheet s{.key = "unpriced",
                    .title = "Variants without a price",
                    .fields = {{.key = "machine", .header = "machine"},
                               {.key = "backend", .header = "backend"},
                               {.key = "variants", .header = "variants", .unit = report::unit::count},
                               {.key = "why", .header = "because"}}};
    for (const auto& [place, count] : counts_)
      s.rows.push_back({.values = {std::get<0>(place), std::get<1>(place), count, std::get<2>(place)},
                        .look = report::tone::dim});
    return s;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> counts_{};
};

report::sheet price_sheet(const pricing& prices) {
  report::sheet s{.key = "prices",
                  .title = "Prices",
                  .fields = {{.key = "hardware", .header = "hardware"},
                             {.key = "usd_per_hour", .header = "an hour", .unit = report::unit::dollars},
                             {.key = "terms", .header = "terms"},
                             {.key = "date", .header = "date"},
                             {.key = "source", .header = "source"}}};
  for (const auto& [hardware, price] : prices.used())
    s.rows.push_back({.values = {hardware, price.usd_per_hour, price.terms, price.date, price.source}});
  return s;
}

std::optional<report::chart> chart_of(const workload_result& seen, const std::vector<priced_variant>& all) {
  if (all.size() < 2) return std::nullopt;
  report::chart c{.title = results::workload_text(seen.workload),
                  .subtitle = fmt::format("on {}", all.front().time.hardware),
                  .x = {.label = "variant"},
                  .y = {.label = "USD per million calls"}};
  report::chart_series series{.mark = report::chart_mark::points};
  for (const auto& v : all) {
    const double usd = million * v.time.usd_per_call();
    const auto& point = v.measured->point;
    series.points.push_back({static_cast<double>(c.x.categories.size()), usd, v.measured->series.variant});
    series.low.push_back(usd * point.ci.lo / point.median);
    series.high.push_back(usd * point.ci.hi / point.median);
    c.x.categories.push_back(v.measured->series.variant);
  }
  c.series.push_back(std::move(series));
  return c;
}

// The variants of a workload that have a price, the cheapest first.
std::vector<priced_variant> priced(const workload_result& seen, const model::environment& environment,
                                   pricing& prices, unpriced& without) {
  std::vector<priced_variant> all;
  for (const auto* m : results::timed(seen)) {
    if (results::is_invalid(seen, m->series.variant)) {
      without.add(seen.workload, "its comparison is INVALID");
      continue;
    }
    auto answer = prices.price(seen.workload, environment, m->point);
    if (auto* const time = std::get_if<priced_time>(&answer))
      all.push_back({m, std::move(*time)});
    else
      without.add(seen.workload, std::get<std::string>(answer));
  }
  std::ranges::stable_sort(all, {}, [](const priced_variant& v) { return v.time.usd_per_call(); });
  return all;
}

void add_rows(report::sheet& sheet, const workload_result& seen, const std::vector<priced_variant>& all,
              std::size_t top) {
  const auto* const baseline = results::timed_baseline(seen);
  const auto found = std::ranges::find(all, baseline, &priced_variant::measured);
  for (std::size_t i = 0; i < all.size() && i < top; ++i)
    sheet.rows.push_back(row_of(seen, all[i], found == all.end() ? nullptr : &*found));
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  auto prices = pricing::make(given.text("gpu"), given.quantity("rate"), given.flag("spot"));
  if (!prices) return prices.why();
  const auto query = results::workloads_asked_for(given);
  const auto latest = store.latest(query);
  results::answer found;
  report::sheet sheet{.key = "variants",
                      .title = "Cost of calls",
                      .fields = fields(),
                      .grouped_by = results::workload_field_count};
  unpriced without;
  std::map<std::int64_t, model::environment> environments;  // most results of a machine share one
  for (const auto& seen : latest) {
    // Experiments that teach have variants that nobody would choose among.
    if (seen.workload.goal == model::goal::informational) continue;
    if (!environments.contains(seen.environment)) {
      auto read = store.environment(seen.environment);
      if (!read) return read.why();
      environments.emplace(seen.environment, std::move(*read));
    }
    const auto all = priced(seen, environments.at(seen.environment), *prices, without);
    add_rows(sheet, seen, all, *given.count("top"));
    if (found.charts.size() == most_charts) continue;
    if (auto chart = chart_of(seen, all)) found.charts.push_back(std::move(*chart));
  }
  sheet.empty = latest.empty() ? results::nothing_measured(query)
                               : "No stored result has a price; `ridge cost --rate 2.5` gives one.";
  results::fold_common(sheet, {"machine", "backend", "hardware", "basis", "run", "model"});
  found.document = {.schema = "ridge.cost/1",
                    .title = "Cost",
                    .sheets = {std::move(sheet)},
                    .notes = {"Money while the hardware is busy with these calls: idle hours are not in it. "
                              "\"measured\": timed on that hardware. \"modelled\": timed on another GPU; its "
                              "time moves with the specified ceiling that held it."}};
  if (!latest.empty()) {
    found.document.sheets.push_back(price_sheet(*prices));
    found.document.sheets.push_back(without.sheet());
  }
  return found;
}

}  // namespace

results::analysis make() {
  using results::parameter_kind;
  return {.name = "cost",
          .command = "cost",
          .title = "Cost",
          .question = "What do a million calls or items cost, and what does a variant save?",
          .parameters = results::workload_parameters_and(
              {{.key = "gpu",
                .placeholder = "NAME",
                .help = "Price on this GPU: H100, A100, ...; without it, on the one measured on"},
               {.key = "rate",
                .kind = parameter_kind::quantity,
                .placeholder = "USD",
                .help = "Price of an hour of the machine instead of the catalogue's",
                .unit = "$/h"},
               {.key = "spot", .kind = parameter_kind::flag, .help = "Spot prices of the catalogue"},
               {.key = "top",
                .kind = parameter_kind::count,
                .placeholder = "N",
                .help = "Greatest number of variants of a workload",
                .preset = "5"}}),
          .run = run};
}

}  // namespace ridge::analyses::cost
