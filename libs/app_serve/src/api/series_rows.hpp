// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/base/result.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/model/measured_series.hpp>
#include <ridge/server/service.hpp>
#include <ridge/store/store.hpp>

#include "api/api.hpp"

// What routes about series share.
namespace ridge::app_serve {

// Writes the object of a series of this workload, and returns its shape.
void write_series(model::json_writer& json, const model::measured_series& series,
                  const model::workload& workload);
[[nodiscard]] server::schema series_shape();

// Returns the series that `{id}` in the path names; an error where there is none.
[[nodiscard]] result<model::measured_series> series_named(store::store& store, const server::request& asked);

// Says whether there is such a series.
[[nodiscard]] result<void> series_exists(store::store& store, const server::request& asked);

// Return the routes of the list of series, and of the samples of one series in several runs.
[[nodiscard]] server::route series_list_route(const api& shared);
[[nodiscard]] server::route series_samples_route(const api& shared);

}  // namespace ridge::app_serve
