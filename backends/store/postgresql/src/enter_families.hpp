// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/model/run.hpp>
#include <ridge/store/stored_rows.hpp>

#include "connection.hpp"

namespace ridge::backends::store_postgresql {

// Enters families of one run with all that is kept of them: by COPY, whatever is many rows.
void enter_families(session& statements, const store::run_columns& run,
                    std::span<const model::family> families);

}  // namespace ridge::backends::store_postgresql
