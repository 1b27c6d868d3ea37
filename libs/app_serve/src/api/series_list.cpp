// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/server/page.hpp>

#include "api/rows.hpp"
#include "api/series_rows.hpp"
#include "api/shapes.hpp"

// The list of series: every one in the store's order, or the first of another.
namespace ridge::app_serve {
namespace {

struct row {
  model::measured_series series{};
  const model::workload* workload{};
};

// How two rows are ordered: negative where the first comes first.
using order = int (*)(const row&, const row&);
struct named_order {
  std::string_view name;
  order compare;
};

int compared(const std::string& first, const std::string& second) { return first.compare(second); }

constexpr std::array<named_order, 5> orders{{
    {"points",
     [](const row& a, const row& b) {
       return a.series.points < b.series.points ? -1 : a.series.points > b.series.points ? 1 : 0;
     }},
    {"experiment",
     [](const row& a, const row& b) { return compared(a.workload->experiment, b.workload->experiment); }},
    {"machine",
     [](const row& a, const row& b) { return compared(a.workload->machine, b.workload->machine); }},
    {"variant", [](const row& a, const row& b) { return compared(a.series.variant, b.series.variant); }},
    {"metric",
     [](const row& a, const row& b) { return compared(a.series.metric.name, b.series.metric.name); }},
}};

std::vector<std::string> names_of_orders() {
  std::vector<std::string> all;
  for (const auto& one : orders) {
    all.emplace_back(one.name);
    all.push_back("-" + std::string(one.name));
  }
  return all;
}

// Sorts by "points" or "-points"; equal rows keep the store's order either way.
void sort_by(std::vector<row>& rows, std::string_view name) {
  const bool descending = name.starts_with('-');
  if (descending) name.remove_prefix(1);
  const auto found = std::ranges::find(orders, name, &named_order::name);
  if (found == orders.end()) return;
  std::ranges::stable_sort(rows, [&](const row& a, const row& b) {
    return descending ? found->compare(b, a) < 0 : found->compare(a, b) < 0;
  });
}

// Where the page begins: behind the series that the cursor names.
result<std::size_t> begin_of(const std::vector<row>& rows, const server::page_request& page) {
  if (!page.after) return std::size_t{0};
  const auto id = whole_number(*page.after);
  const auto last = std::ranges::find_if(
      rows, [&](const row& one) { return id && one.series.id == static_cast<std::int64_t>(*id); });
  if (last == rows.end())
    return error{"the parameter \"cursor\" names a series that this list does not hold",
                 "begin with its first page"};
  return static_cast<std::size_t>(last - rows.begin()) + 1;
}

result<std::string> list_of_series(store::store& store, const server::request& asked) {
  const auto query = workload_query_of(asked);
  if (!query) return query.why();
  const auto page = server::page_of(asked);
  if (!page) return page.why();
  std::map<std::int64_t, model::workload> workloads;
  auto every_variant = *query;
  every_variant.variant.reset();
  for (auto& one : store.workloads(every_variant)) workloads.emplace(one.id, std::move(one));
  std::vector<row> rows;
  for (auto& one : store.series(*query)) {
    const auto workload = workloads.find(one.workload);
    if (workload != workloads.end()) rows.push_back({std::move(one), &workload->second});
  }  // others are beyond the limit of the query
  sort_by(rows, query_value(asked, "sort").value_or(""));
  const auto begin = begin_of(rows, *page);
  if (!begin) return begin.why();
  const auto end = query_value(asked, "limit") ? std::min(rows.size(), *begin + page->limit) : rows.size();
  model::json_writer json;
  json.begin_object().key("items").begin_array();
  for (auto at = *begin; at < end; ++at) write_series(json, rows[at].series, *rows[at].workload);
  json.end_array().key("next");
  if (end < rows.size() && end > *begin)
    json.value(server::next_cursor(std::to_string(rows[end - 1].series.id)));
  else
    json.null();
  json.end_object();
  return std::move(json).take();
}

}  // namespace

server::route series_list_route(const api& shared) {
  auto parameters = workload_parameters(true);
  parameters.push_back({.name = "sort",
                        .description = "the order, with - before it the other way; else the store's",
                        .choices = names_of_orders(),
                        .may_be_empty = true});
  parameters.push_back({.name = "limit",
                        .type = server::value_type::integer,
                        .description = "series of a page, 1 to 1000; without it all"});
  parameters.push_back({.name = "cursor", .description = "`next` of the page before"});
  return read_route("/api/v1/series", "Metrics that are followed from run to run", std::move(parameters),
                    page_of_items(series_shape()), asking(shared, list_of_series));
}

}  // namespace ridge::app_serve
