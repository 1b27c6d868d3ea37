// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/base/read_file.hpp>
#include <ridge/model/json.hpp>

#include "full_run.hpp"

namespace ridge::model {
namespace {

using nlohmann::json;

std::filesystem::path schema_folder() {
  return std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/model/schema";
}

json schema(const std::string& name) { return json::parse(read_file(schema_folder() / name).value()); }

// The part of JSON Schema that our schemas use, made strict: a property that the schema does not list is an
// error, and every property it lists must be seen once in the examples.
class validator {
 public:
  explicit validator(json root) : root_(std::move(root)) {}

  void check(const json& value) { check(value, root_, ""); }

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

TEST(schema, documents_every_field_of_a_run_and_no_other) {
  validator v(schema("run.schema.json"));
  v.check(json::parse(to_json(tests::full_run())));
  EXPECT_EQ(v.unseen(), std::set<std::string>{});
}

TEST(schema, documents_every_field_of_a_machine_and_no_other) {
  machine_node machine{.kind = "machine", .name = "box", .children = {{.kind = "isa", .name = "x"}}};
  machine.add("memory", "1 KiB", 1024, "B").add("container", "Docker");
  validator v(schema("probe.schema.json"));
  v.check(json::parse(probe_json(machine)));
}

TEST(schema, documents_every_field_of_an_audit_and_no_other) {
  validator v(schema("audit.schema.json"));
  v.check(json::parse(audit_json({{{.id = "memory.thp", .severity = severity::warning}}})));
  EXPECT_EQ(v.unseen(), std::set<std::string>{});
}

TEST(schema, documents_every_field_of_the_catalogue_and_no_other) {
  const experiment_description e{.id = "ch01.x",
                                 .goal = goal::latency,
                                 .tags = {"t"},
                                 .answers = {"a"},
                                 .axes = {{"n", {std::int64_t{1}, 0.5, std::string("x")}}},
                                 .metrics = {{}},
                                 .phases = {"load"},
                                 .variants = {{}}};
  validator v(schema("catalogue.schema.json"));
  v.check(json::parse(catalogue_json(std::span(&e, 1))));
  EXPECT_EQ(v.unseen(), std::set<std::string>{});
}

// A relative id leaves validators nothing to resolve `#/$defs/...` against (jsonschema 4.10.3 refuses it).
TEST(schema, each_id_is_an_absolute_uri) {
  std::size_t schemas = 0;
  for (const auto& file : std::filesystem::directory_iterator(schema_folder())) {
    const auto name = file.path().stem().stem().string();
    EXPECT_EQ(file.path().filename(), name + ".schema.json");
    EXPECT_EQ(schema(file.path().filename())["$id"], "https://ridge.invalid/schema/" + name + "/1");
    ++schemas;
  }
  EXPECT_GE(schemas, 8U);
}

}  // namespace
}  // namespace ridge::model
