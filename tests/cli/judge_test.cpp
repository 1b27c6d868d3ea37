// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;

// What is written as JSON is tested in cli_test.cpp.
const std::string against = " --against ch01.coalescing:contiguous --axis stride=2 --axis elements=2^12 ";

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
