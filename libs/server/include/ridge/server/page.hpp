// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/request.hpp>
#include <ridge/server/service.hpp>

// Lists in pages: `?limit=` entries from `?cursor=` on, which the page before named.
namespace ridge::server {

// Which page of a list is asked for.
struct page_request {
  std::size_t limit = 100;
  std::optional<std::string> after{};  // the key of the last entry of the page before; empty: the first page
};

// Returns the two parameters that a list with pages has: `limit` (1 to 1000) and `cursor`.
[[nodiscard]] std::vector<parameter> page_parameters();

// Reads them; an error for a limit outside its range or a cursor that next_cursor() never returned.
[[nodiscard]] result<page_request> page_of(const request& asked);

// Returns the cursor of the page after an entry with this key: letters, digits, `-` and `_`, whatever the
// key.
[[nodiscard]] std::string next_cursor(std::string_view last_key);

}  // namespace ridge::server
