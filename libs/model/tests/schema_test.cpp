// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/base/read_file.hpp>
#include <ridge/model/json.hpp>

#include "full_run.hpp"
#include "schema_validator.hpp"

namespace ridge::model {
namespace {

using nlohmann::json;
using tests::validator;

std::filesystem::path schema_folder() {
  return std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/model/schema";
}

json schema(const std::string& name) { return json::parse(read_file(schema_folder() / name).value()); }

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
