// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"

namespace ridge::backends::store_sqlite {

// The schema this program reads and writes: the number of migrations.
[[nodiscard]] int schema_version();

// Brings the schema from whatever older version to `target`, in one transaction; several processes may try at
// once. Throws store_failure: newer_schema, or corrupt where the file is a database of something else.
void migrate(database& connection, int target = schema_version());

}  // namespace ridge::backends::store_sqlite
