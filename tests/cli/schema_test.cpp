// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

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

std::filesystem::path schema_folder() {
  return std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/model/schema";
}

void expect_schema(const scene& in, const std::string& name, const std::string& words) {
  const auto schema = json::parse(contents(schema_folder() / (name + ".schema.json")));
  const auto seen = in.ridge(words);
  ASSERT_EQ(seen.code, 0) << words << ": " << seen.err;
  check(json::parse(seen.out), schema, name);
}

// The documents whose examples the schema test of the model makes itself, with every field.
const std::set<std::string> tested_with_the_model{"run", "probe", "audit", "catalogue"};

// Every schema of the folder has a command that prints what it describes.
const std::map<std::string, std::string> commands{
    {"doctor", "doctor --json"},
    {"peak", "peak --quick --only cpu.triad --json"},
    {"roofline", "roofline --json"},
    {"verify", "verify ch01.coalescing --json --axis stride=2 --axis elements=17"},
};

TEST(schema, lists_everything_that_the_command_prints) {
  const scene in;
  ASSERT_EQ(in.ridge("run ch01.batched_gemm --profile minimal --budget 30s --backend cpu").code, 0);
  for (const auto& file : std::filesystem::directory_iterator(schema_folder())) {
    const auto name = file.path().stem().stem().string();
    if (tested_with_the_model.contains(name)) continue;
    ASSERT_TRUE(commands.contains(name)) << name << ": which command prints it?";
    expect_schema(in, name, commands.at(name));
  }
}

}  // namespace
}  // namespace ridge::cli
