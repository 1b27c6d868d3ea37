// SPDX-License-Identifier: Apache-2.0
#include "api/series_rows.hpp"

#include <utility>

#include <fmt/format.h>

#include "api/rows.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {

void write_series(model::json_writer& json, const model::measured_series& series,
                  const model::workload& workload) {
  json.begin_object()
      .field("id", series.id)
      .field("workload", series.workload)
      .field("variant", series.variant);
  json.field("role", name(series.role));
  write_metric(json, series.metric);
  json.field("points", series.points).field("machine", workload.machine);
  json.field("experiment", workload.experiment).field("problem", workload.problem);
  json.field("backend", name(workload.backend)).end_object();
}

server::schema series_shape() {
  return object_of({whole("id", "of this store"), whole("workload"), text("variant"), text("role"),
                    text("metric"), text("unit"), text("better", "lower or higher"), whole("points"),
                    text("machine"), text("experiment"), text("problem"), text("backend")});
}

result<model::measured_series> series_named(store::store& store, const server::request& asked) {
  const auto& text = path_value(asked, "id");
  const error none{fmt::format("there is no series {}", text), "see /api/v1/series"};
  const auto id = whole_number(text);
  if (!id) return none;
  auto found = store.series({.series = static_cast<std::int64_t>(*id)});
  if (found.empty()) return none;
  return std::move(found.front());
}

result<void> series_exists(store::store& store, const server::request& asked) {
  const auto found = series_named(store, asked);
  if (!found) return found.why();
  return {};
}

}  // namespace ridge::app_serve
