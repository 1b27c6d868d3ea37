// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/store/stored_rows.hpp>

#include "database.hpp"

// The rows that results are followed by from run to run: workloads, their series, and a point a measurement.
namespace ridge::backends::store_sqlite {

using store::run_columns;

// Enters the rows of one family, whose own row has this id.
void enter_history_rows(database& connection, const run_columns& run, std::int64_t family_id,
                        const model::family& finished);

// Enters the rows of all families of a store whose schema had none: part of the migration to schema 3.
void fill_history_rows(database& connection);

}  // namespace ridge::backends::store_sqlite
