// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "connection.hpp"

namespace ridge::backends::store_postgresql {

// Returns the schema version that this program reads and writes: the number of migrations.
[[nodiscard]] int schema_version();

// Makes the schema "ridge" where it is missing, and migrates it from any older version in one transaction;
// several processes may try at once. Throws store_failure: newer_schema, or corrupt where something else has
// a schema of this name.
void migrate(connection& database);

}  // namespace ridge::backends::store_postgresql
