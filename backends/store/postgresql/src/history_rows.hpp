// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <ridge/model/run.hpp>
#include <ridge/store/stored_rows.hpp>

#include "connection.hpp"

// The rows that results are followed by from run to run: workloads, their series, and a point a measurement.
namespace ridge::backends::store_postgresql {

// Enters the rows of the families of one run; `numbers` are those of the families' own rows. The statements
// are as many for a thousand families as for one, and a row that several of them share is written once.
void enter_history_rows(session& statements, const store::run_columns& run,
                        std::span<const std::int64_t> numbers, std::span<const model::family> families);

}  // namespace ridge::backends::store_postgresql
