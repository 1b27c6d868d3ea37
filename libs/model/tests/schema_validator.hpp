// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ridge::model::tests {

// The part of JSON Schema that our schemas use, made strict: a property that the schema does not list is an
// error, and unseen() names the properties that no example had.
class validator {
 public:
  using json = nlohmann::json;

  explicit validator(json root) : root_(std::move(root)) {}

  // Adds a failure of the test for each place of the document that the schema does not describe.
  void check(const json& value) { check(value, root_, ""); }

  // Returns the properties, as "definition.name", that no document had.
  [[nodiscard]] std::set<std::string> unseen() const {
    std::set<std::string> left;
    listed(root_, "", left);
    for (const auto& [name, definition] : root_["$defs"].items()) listed(definition, name, left);
    for (const auto& one : seen_) left.erase(one);
    return left;
  }

 private:
  static void listed(const json& node, const std::string& owner, std::set<std::string>& names) {
    const auto properties = node.value("properties", json::object());
    for (const auto& [name, property] : properties.items()) {
      EXPECT_TRUE(property.is_object());
      names.insert(owner + "." + name);
    }
  }

  static bool is_type(const json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "null") return value.is_null();
    return value.type_name() == type;
  }

  void check(const json& value, const json& node, const std::string& owner, const std::string& path = "") {
    if (node.contains("$ref")) {
      const auto name = node["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
      ASSERT_TRUE(root_["$defs"].contains(name)) << name;
      return check(value, root_["$defs"][name], name, path);
    }
    if (node.contains("oneOf")) {  // null, or the one of the two that a reference names
      return value.is_null() ? void() : check(value, node["oneOf"][1], owner, path);
    }
    if (node.contains("const")) {
      EXPECT_EQ(value, node["const"]) << path;
    }
    if (node.contains("enum")) {
      EXPECT_NE(std::ranges::find(node["enum"], value), node["enum"].end()) << path << value;
    }
    if (node.contains("type")) check_type(value, node["type"], path);
    const auto required = node.value("required", json::array());
    for (const auto& name : required) EXPECT_TRUE(value.contains(name)) << path << name;
    if (value.is_array()) {
      for (const auto& item : value) check(item, node["items"], owner, path + "/0");
    }
    if (value.is_object()) check_object(value, node, owner, path);
  }

  static void check_type(const json& value, const json& type, const std::string& path) {
    const auto types = type.is_array() ? type : json::array({type});
    const bool holds = std::ranges::any_of(types, [&](const json& t) { return is_type(value, t); });
    EXPECT_TRUE(holds) << path << ": " << value << " is no " << type;
  }

  void check_object(const json& value, const json& node, const std::string& owner, const std::string& path) {
    const auto known = node.value("properties", json::object());
    for (const auto& [name, item] : value.items()) {
      if (known.contains(name)) {
        seen_.insert(owner + "." + name);
        check(item, known[name], owner, path + "/" + name);
      } else if (node.contains("additionalProperties")) {
        check(item, node["additionalProperties"], owner, path + "/" + name);
      } else {
        ADD_FAILURE() << path << "/" << name << " is not in the schema";
      }
    }
  }

  json root_;
  std::set<std::string> seen_{};
};

}  // namespace ridge::model::tests
