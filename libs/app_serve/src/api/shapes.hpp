// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <ridge/server/schema.hpp>

// Short words for the shapes of answers. Every list is {"items": [...], "next": ...}.
namespace ridge::app_serve {

using server::array_of;
using server::object_of;
using server::open_object;
using server::plain;

// Return a member that is a text, a number, a whole number, or a number that may be unknown (null).
[[nodiscard]] inline server::schema_member text(std::string name, std::string description = {}) {
  return {std::move(name), plain(server::value_type::text, std::move(description))};
}
// Returns a member that is a number; null where it is not known.
[[nodiscard]] inline server::schema_member number(std::string name, std::string description = {}) {
  return {std::move(name), plain(server::value_type::number, std::move(description), true)};
}
// Returns a member that is a whole number.
[[nodiscard]] inline server::schema_member whole(std::string name, std::string description = {}) {
  return {std::move(name), plain(server::value_type::integer, std::move(description))};
}

// Returns the shape of a list of such items.
[[nodiscard]] inline server::schema page_of_items(server::schema item) {
  return object_of({{"items", array_of(std::move(item))},
                    {"next", plain(server::value_type::text, "what the next page is asked for with", true)}});
}

}  // namespace ridge::app_serve
