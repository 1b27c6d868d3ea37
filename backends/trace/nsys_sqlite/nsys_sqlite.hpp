// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_nsys_sqlite {

// Reads what `nsys export --type sqlite` writes, of any version: tables and columns that are not there are
// not told. Times are on the clock of the export; a table that is damaged gives its first rows.
[[nodiscard]] const trace::importer& nsys_sqlite();

}  // namespace ridge::backends::trace_nsys_sqlite
