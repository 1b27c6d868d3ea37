// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"

namespace ridge::backends::store_sqlite {

// Returns the schema version that this program reads and writes: the number of migrations.
[[nodiscard]] int schema_version();

// Migrates the schema from any older version to `target`, in one transaction; several processes may try at
// once. Throws store_failure: newer_schema, or corrupt where the file is another database.
void migrate(database& connection, int target = schema_version());

}  // namespace ridge::backends::store_sqlite
