// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <schema_validator.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;

std::filesystem::path schema_folder() {
  return std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/model/schema";
}

void expect_schema(const std::string& name, const std::string& document) {
  model::tests::validator(json::parse(contents(schema_folder() / (name + ".schema.json"))))
      .check(json::parse(document));
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
  const auto ran = in.ridge("run ch01.batched_gemm --profile minimal --budget 30s --backend cpu").code;
  ASSERT_TRUE(ran == 0 || ran == 2) << ran << " (2: on a disturbed machine a comparison is INVALID)";
  for (const auto& file : std::filesystem::directory_iterator(schema_folder())) {
    const auto name = file.path().stem().stem().string();
    if (tested_with_the_model.contains(name)) continue;
    ASSERT_TRUE(commands.contains(name)) << name << ": which command prints it?";
    const auto seen = in.ridge(commands.at(name));
    ASSERT_EQ(seen.code, 0) << commands.at(name) << ": " << seen.err;
    expect_schema(name, seen.out);
  }
}

TEST(schema, describes_what_programs_were_compared_with) {
  const scene in;
  const auto seen = in.ridge("bench --runs 6 --format json --save saved.json 'sleep 0.001' 'sleep 0.002'");
  ASSERT_EQ(seen.code, 0) << seen.err;
  expect_schema("run", seen.out);
  expect_schema("run", contents(in.folder() / "saved.json"));
  const auto run = json::parse(seen.out);
  EXPECT_EQ(run.at("families").at(0).at("measurements").size(), 2u);
}

TEST(schema, describes_what_a_change_was_measured_as) {
  const scene in;
  const auto line = "cd " + in.folder().string() +
                    " && git init -q -b main . && git config user.email a@b && git config user.name n && "
                    "git commit -q --allow-empty -m one && git checkout -q -b change && "
                    "git commit -q --allow-empty -m two";
  ASSERT_EQ(std::system(line.c_str()), 0);
  const auto seen =
      in.ridge("ci --bench 'sleep 0.001' --bench ./missing --budget 2s --fail-on never --save run.json",
               "GITHUB_ACTIONS= GITLAB_CI=");
  ASSERT_EQ(seen.code, 2) << seen.err << seen.out;  // a program that is missing fails, and is in the document
  expect_schema("run", contents(in.folder() / "run.json"));
}

}  // namespace
}  // namespace ridge::cli
