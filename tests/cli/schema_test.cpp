// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;

// Complains of every property that the schema does not list, lacks though it is required, or has as another
// type.
void check(const json& value, const json& node, const std::string& path) {
  if (node.contains("const")) {
    EXPECT_EQ(value, node["const"]) << path;
  }
  auto types = node.value("type", json::array());
  if (types.is_string()) types = json::array({types});
  bool fits = types.empty();
  for (const auto& type : types) {
    const auto name = type.get<std::string>();
    fits = fits || value.type_name() == name || (name == "integer" && value.is_number_integer());
  }
  EXPECT_TRUE(fits) << path << " is a " << value.type_name();
  for (const auto& name : node.value("required", json::array()))
    EXPECT_TRUE(value.contains(name)) << path << name;
  if (value.is_array()) {
    for (const auto& item : value) check(item, node.at("items"), path + "[]");
  }
  if (!value.is_object() || !node.contains("properties")) return;
  for (const auto& [name, property] : value.items()) {
    const bool listed = node["properties"].contains(name);
    EXPECT_TRUE(listed) << path << '.' << name << " is not in the schema";
    if (listed) check(property, node["properties"][name], path + '.' + name);
  }
}

void expect_schema(const scene& in, const std::string& name, const std::string& words) {
  const auto file =
      std::string(std::getenv("RIDGE_SOURCE_DIR")) + "/libs/model/schema/" + name + ".schema.json";
  const auto schema = json::parse(contents(file));
  EXPECT_EQ(schema.at("$id"), "https://ridge.invalid/schema/" + name + "/1");
  const auto seen = in.ridge(words);
  ASSERT_EQ(seen.code, 0) << words << ": " << seen.err;
  check(json::parse(seen.out), schema, name);
}

TEST(schema, lists_everything_that_the_command_prints) {
  const scene in;
  expect_schema(in, "doctor", "doctor --json");
  expect_schema(in, "verify", "verify ch01.coalescing --json --axis stride=2 --axis elements=17");
  expect_schema(in, "peak", "peak --quick --only cpu.triad --json");
  ASSERT_EQ(in.ridge("run ch01.batched_gemm --profile minimal --budget 30s --backend cpu").code, 0);
  expect_schema(in, "roofline", "roofline --json");
}

}  // namespace
}  // namespace ridge::cli
