// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ridge::model {

// Returns a new id of 26 characters that sorts by time: 10 of milliseconds since 1970 and 16 random ones, in
// base 32 of Crockford (a ULID).
[[nodiscard]] std::string new_run_id();

// Returns the present time in UTC: "2026-11-21T12:00:00Z".
[[nodiscard]] std::string now_utc();

}  // namespace ridge::model
