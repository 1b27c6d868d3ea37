// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string against = " --against ch01.coalescing:contiguous --axis stride=2 --axis elements=2^12 ";

TEST(judge, a_judgement_is_printed_and_written_with_all_it_rests_on) {
  const scene in;
  const auto seen =
      in.ridge("judge ch01.coalescing:contiguous" + against + "--budget 200ms --seed 7 --json out.json");
  EXPECT_EQ(seen.code, 0) << seen.err << seen.out;
  EXPECT_THAT(seen.out, HasSubstr("timed_results"));
  EXPECT_THAT(seen.out, HasSubstr("sandbox granted"));
  const auto made = json::parse(contents(in.folder() / "out.json"));
  EXPECT_EQ(made["schema"], "ridge.judgement/1");
  EXPECT_EQ(made["seed"], 7);
  EXPECT_EQ(made["refused"], "");
  EXPECT_EQ(made["problem"]["elements"], 4096);
  EXPECT_EQ(made["samples"][0]["arm"], "baseline");
  EXPECT_GE(made["samples"][1]["seconds_per_call"].size(), 6U);
  EXPECT_FALSE(made["checks"].empty());
  EXPECT_FALSE(made["sandbox"].empty());
  EXPECT_EQ(made["environment"]["digest"].get<std::string>().size(), 16U);
}

TEST(judge, a_refused_candidate_exits_1_with_its_reason) {
  const scene in;
  std::ofstream(in.folder() / "candidate.so") << "text";
  const auto seen = in.ridge("judge candidate.so" + against + "--json out.json");
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("cannot be loaded"));
  const auto made = json::parse(contents(in.folder() / "out.json"));
  EXPECT_EQ(made["verdict"], "INVALID");
  EXPECT_THAT(made["refused"].get<std::string>(), HasSubstr("cannot be loaded"));
}

TEST(judge, a_source_that_does_not_compile_is_refused) {
  const scene in;
  std::ofstream(in.folder() / "candidate.cpp") << "int ridge_candidate( {";
  const auto seen = in.ridge("judge candidate.cpp" + against);
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("does not compile"));
}

TEST(judge, wrong_usage_exits_64_and_what_is_missing_69) {
  const scene in;
  EXPECT_EQ(in.ridge("judge nowhere.so" + against).code, 64);
  EXPECT_EQ(in.ridge("judge x.so --against ch01.colescing").code, 64);
  EXPECT_EQ(in.ridge("judge x.so --against ch01.coalescing:none").code, 64);
  EXPECT_EQ(in.ridge("judge x.so").code, 64);
  EXPECT_EQ(in.ridge("judge x.cu" + against).code, 69);
  EXPECT_EQ(in.ridge("judge-runner").code, 64);
}

}  // namespace
}  // namespace ridge::cli
