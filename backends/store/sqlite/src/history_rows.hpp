// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/model/run.hpp>

#include "database.hpp"

// The rows that results are followed by from run to run: workloads, their series, and a point a measurement.
namespace ridge::backends::store_sqlite {

// What the rows of a family take from its run.
struct run_columns {
  std::string id{};
  std::string started{};
  std::string machine{};
  std::int64_t environment = 0;  // the row of its document
};

// Enters the rows of one family, whose own row has this id.
void enter_history_rows(database& connection, const run_columns& run, std::int64_t family_id,
                        const model::family& finished);

// Enters the rows of all families of a store whose schema had none: part of the migration to schema 3.
void fill_history_rows(database& connection);

}  // namespace ridge::backends::store_sqlite
