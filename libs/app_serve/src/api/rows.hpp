// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/model/measured_series.hpp>
#include <ridge/model/measurement.hpp>
#include <ridge/server/service.hpp>
#include <ridge/store/store.hpp>

// What several answers hold, written and described beside each other.
namespace ridge::app_serve {

// Writes the object of a run in a list, and returns its shape.
void write_run_entry(model::json_writer& json, const store::run_entry& entry);
[[nodiscard]] server::schema run_entry_shape();

// Writes the members of a workload into the object that is open, and returns the object's shape.
void write_workload_members(model::json_writer& json, const model::workload& workload);
[[nodiscard]] server::schema workload_shape();

// Writes the members `metric`, `unit` and `better` into the object that is open.
void write_metric(model::json_writer& json, const model::metric& metric);

// Writes samples as the columns `value`, `round`, `position` and `marked` into the object that is open.
void write_samples(model::json_writer& json, const model::series& samples);

// Writes a member that is null where it is not known.
void write_optional(model::json_writer& json, std::string_view name, const std::optional<double>& value);

// Returns the whole number from 0 that a text is; nothing where it is none, or too large.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text);

// Returns the whole number that a parameter is given; nothing where it is not given or empty, and an error
// where it is none from 0.
[[nodiscard]] result<std::optional<std::uint64_t>> whole_number_given(const server::request& asked,
                                                                      std::string_view name);

// Returns the parameters that choose workloads, with `variant` where series are chosen.
[[nodiscard]] std::vector<server::parameter> workload_parameters(bool with_variant);

// Returns the query that they ask for; an error for a backend that there is none of.
[[nodiscard]] result<store::workload_query> workload_query_of(const server::request& asked);

}  // namespace ridge::app_serve
