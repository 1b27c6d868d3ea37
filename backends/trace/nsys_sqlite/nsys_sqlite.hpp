// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_nsys_sqlite {

// Returns the importer of what any version of `nsys export --type sqlite` writes; tables and columns that are
// missing count as not recorded. Times are on the clock of the export; a damaged table gives its first rows.
[[nodiscard]] const trace::importer& nsys_sqlite();

}  // namespace ridge::backends::trace_nsys_sqlite
