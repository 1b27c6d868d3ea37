// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ridge::server {

// The types of values in JSON. `anything` is for members whose shape depends on what is stored.
enum class value_type : std::uint8_t { object, array, text, number, integer, truth, anything };

struct schema_member;

// The shape of a JSON value, as the OpenAPI document states it. An object without `members` and an array
// without `items` may hold anything.
struct schema {
  value_type type = value_type::object;
  std::string description{};
  bool nullable = false;
  bool open = false;                   // an object may have further members
  std::vector<schema_member> members;  // of an object
  std::vector<schema> items;           // of an array: one schema, that of every element
};

// A member of an object. One that is not required may be missing.
struct schema_member {
  std::string name{};
  schema shape{};
  bool required = true;
};

// Returns the shape of an object with these members.
[[nodiscard]] inline schema object_of(std::vector<schema_member> members) {
  schema made;
  made.members = std::move(members);
  return made;
}
// Returns the shape of an object that has these members and may have others.
[[nodiscard]] inline schema open_object(std::vector<schema_member> members = {}) {
  auto made = object_of(std::move(members));
  made.open = true;
  return made;
}
// Returns the shape of an array of such elements.
[[nodiscard]] inline schema array_of(schema element) {
  schema made;
  made.type = value_type::array;
  made.items.push_back(std::move(element));
  return made;
}
// Returns the shape of a value that is neither; null where nothing is known, when `nullable`.
[[nodiscard]] inline schema plain(value_type type, std::string description = {}, bool nullable = false) {
  schema made;
  made.type = type;
  made.description = std::move(description);
  made.nullable = nullable;
  return made;
}

}  // namespace ridge::server
