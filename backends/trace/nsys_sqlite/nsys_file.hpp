// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sqlite_file.hpp"

namespace ridge::backends::trace_nsys_sqlite {

using nsys_file = trace_sqlite_tables::sqlite_file;
using trace_sqlite_tables::table_rows;

}  // namespace ridge::backends::trace_nsys_sqlite
