// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/page.hpp>

#include <charconv>

#include "text/base64url.hpp"

namespace ridge::server {
namespace {

constexpr std::size_t most = 1000;
constexpr std::string_view mark = "after:";  // tells a cursor from other base64

}  // namespace

std::vector<parameter> page_parameters() {
  return {{.name = "limit", .type = value_type::integer, .description = "entries of a page, 1 to 1000; 100"},
          {.name = "cursor", .description = "`next_cursor` of the page before"}};
}

result<page_request> page_of(const request& asked) {
  page_request made;
  if (const auto limit = value_of(asked.query, "limit")) {
    const auto [end, code] = std::from_chars(limit->data(), limit->data() + limit->size(), made.limit);
    if (code != std::errc{} || end != limit->data() + limit->size() || made.limit < 1 || made.limit > most)
      return error{"the parameter \"limit\" is \"" + std::string(*limit) + "\"",
                   "give a whole number from 1 to 1000"};
  }
  if (const auto cursor = value_of(asked.query, "cursor")) {
    auto key = base64url_decoded(*cursor);
    if (!key || !key->starts_with(mark))
      return error{"the parameter \"cursor\" is not one of this server",
                   "take `next_cursor` of the page before"};
    made.after = key->substr(mark.size());
  }
  return made;
}

std::string next_cursor(std::string_view last_key) {
  return base64url(std::string(mark) + std::string(last_key));
}

}  // namespace ridge::server
