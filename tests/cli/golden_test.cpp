// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "program.hpp"

namespace ridge::cli {
namespace {

std::filesystem::path golden_folder() {
  const char* root = std::getenv("RIDGE_SOURCE_DIR");
  return std::filesystem::path(root == nullptr ? "." : root) / "tests/cli/golden";
}

// Replaces what changes from build to build and from machine to machine.
std::string normal(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(ridge \d+\.\d+\.\d+( \([0-9a-f+]+\))?)"), "ridge VERSION");
}

void expect_approved(const std::string& name, const std::string& words) {
  const scene in;
  const auto text = normal(in.ridge(words).out);
  const auto file = golden_folder() / (name + ".approved");
  if (std::filesystem::exists(file) && contents(file) == text) return;
  std::ofstream(golden_folder() / (name + ".received")) << text;
  ADD_FAILURE() << "`ridge " << words << "` prints something else than " << file
                << "; look at the .received beside it and accept it with tools/approve";
}

TEST(golden, help) { expect_approved("help", "--help"); }
TEST(golden, run_help) { expect_approved("run_help", "run --help"); }
TEST(golden, bench_help) { expect_approved("bench_help", "bench --help"); }
TEST(golden, compare_help) { expect_approved("compare_help", "compare --help"); }
TEST(golden, probe_help) { expect_approved("probe_help", "probe --help"); }
TEST(golden, new_help) { expect_approved("new_help", "new experiment --help"); }
TEST(golden, new_experiment) { expect_approved("new_experiment", "new experiment ch07.mine"); }

}  // namespace
}  // namespace ridge::cli
