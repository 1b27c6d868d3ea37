// SPDX-License-Identifier: Apache-2.0
#include "session/build_warning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/app/version.hpp>

#include "machine/audited_system.hpp"
#include "machine/optimization_flag.hpp"

namespace ridge::app {
namespace {

using testing::HasSubstr;

TEST(optimization_flag, is_the_last_one) {
  EXPECT_EQ(optimization_flag("-O1 -DNDEBUG -std=c++20"), "-O1");
  EXPECT_EQ(optimization_flag("-O3 -g -O0"), "-O0");
  EXPECT_EQ(optimization_flag("-g -std=c++20"), "-O0");
  EXPECT_EQ(optimization_flag(""), "-O0");
}

TEST(optimization_flag, is_full_where_the_compiler_does_what_it_can_for_speed) {
  for (const auto* flag : {"-O2", "-O3", "-Ofast"}) EXPECT_TRUE(optimizes_fully(flag)) << flag;
  for (const auto* flag : {"-O0", "-O1", "-O", "-Og", "-Os", "-Oz"})
    EXPECT_FALSE(optimizes_fully(flag)) << flag;
}

TEST(build_warning, says_what_the_figures_are_not_and_what_builds_an_optimized_program) {
  EXPECT_EQ(build_warning({.optimized = true, .optimization = "-O3"}), "");
  EXPECT_EQ(build_warning({.optimized = false, .optimization = "-O0"}),
            "this build is not optimized: its figures are not those of an optimized build; `make run` builds "
            "one as build/release/bin/ridge, the preset `figures` one with tests");
  EXPECT_THAT(build_warning({.optimized = false, .optimization = "-O1"}),
              HasSubstr("is not fully optimized (-O1): its figures"));
  EXPECT_THAT(build_warning({.optimized = false, .optimization = "-O0", .sanitizer = "thread"}),
              HasSubstr("is not optimized and runs under a sanitizer (thread): its figures"));
  EXPECT_THAT(build_warning({.optimized = true, .optimization = "-O2", .sanitizer = "thread"}),
              HasSubstr("is fully optimized and runs under a sanitizer (thread): its figures"));
}

TEST(build_warning, is_known_where_another_program_printed_it) {
  EXPECT_TRUE(begins_build_warning("ridge: " + build_warning({.optimized = false, .optimization = "-O1"})));
  EXPECT_FALSE(begins_build_warning("ridge: unknown option --arm-budget"));
  EXPECT_FALSE(begins_build_warning(""));
}

TEST(this_build, is_known_by_the_flags_that_a_run_records) {
  EXPECT_EQ(this_build().optimization, optimization_flag(build_flags()));
  EXPECT_EQ(this_build().optimized, optimizes_fully(this_build().optimization));
}

}  // namespace
}  // namespace ridge::app
