// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/store/store_failure.hpp>

namespace ridge::backends::store_postgresql {

// Returns what an error of the server means for a store. `code` is its SQLSTATE, empty where none came;
// `connected`: the connection still stands.
[[nodiscard]] store::trouble kind_of(std::string_view code, std::string_view message, bool connected);

// Returns the failure of a store at this place: what the server or the library said, on one line, and what to
// do.
[[nodiscard]] store::store_failure failure_of(store::trouble kind, std::string_view action,
                                              const std::string& place, std::string_view message);

}  // namespace ridge::backends::store_postgresql
