// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;

const std::string against = " --against ch01.coalescing:contiguous --axis stride=2 --axis elements=2^12 ";

TEST(judge, a_judgement_is_printed_and_written_with_all_it_rests_on) {
  const scene in;
  const auto seen =
      in.ridge("judge ch01.coalescing:contiguous" + against + "--budget 200ms --seed 7 --json out.json");
  EXPECT_EQ(seen.code, 0) << seen.err << seen.out;
  EXPECT_THAT(seen.out, HasSubstr("timed_results"));
  EXPECT_THAT(seen.out, HasSubstr("sandbox granted"));
  const auto made = contents(in.folder() / "out.json");
  for (const char* part : {R"("schema": "ridge.judgement/1")", R"("seed": 7)", R"("refused": "")",
                           R"("elements": 4096)", R"("arm": "baseline")", R"("seconds_per_call": [)",
                           R"("id": "timed_results")", R"("part": "landlock")", R"("digest": ")"})
    EXPECT_THAT(made, HasSubstr(part));
}

TEST(judge, a_refused_candidate_exits_1_with_its_reason) {
  const scene in;
  std::ofstream(in.folder() / "candidate.so") << "text";
  const auto seen = in.ridge("judge candidate.so" + against + "--json out.json");
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("cannot be loaded"));
  const auto made = contents(in.folder() / "out.json");
  EXPECT_THAT(made, HasSubstr(R"("verdict": "INVALID")"));
  EXPECT_THAT(made, HasSubstr("it cannot be loaded: "));
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
  // 69 without a GPU; with one the file is missing.
  EXPECT_THAT(in.ridge("judge x.cu" + against).code, testing::AnyOf(69, 1));
  EXPECT_EQ(in.ridge("judge x.cu" + against + "--backend cpu").code, 64);
  EXPECT_EQ(in.ridge("judge x.so" + against + "--backend gpu").code, 64);
  EXPECT_EQ(in.ridge("judge-runner").code, 64);
}

}  // namespace
}  // namespace ridge::cli
