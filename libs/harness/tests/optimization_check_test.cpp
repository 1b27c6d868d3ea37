// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>
#include <ridge/harness/code_text.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

constexpr code_facts optimized{.optimized = true, .source = "/home/a/experiments/ch01_mine/scale/cpu.cpp"},
    unoptimized{.optimized = false, .source = "/home/a/experiments/ch01_mine/scale/cpu.cpp"},
    sanitized_code{.optimized = true, .sanitizer = "address", .source = "scale.cpp"};

#ifdef __OPTIMIZE__
constexpr bool built_with_optimization = true;
#else
constexpr bool built_with_optimization = false;
#endif

TEST(code_facts, a_variant_and_an_experiment_state_how_this_file_is_compiled) {
  const variant<doubling_workload> v{.name = "one", .run = twice};
  EXPECT_EQ(v.code.optimized, built_with_optimization);
  EXPECT_TRUE(std::string_view(v.code.source).ends_with("optimization_check_test.cpp")) << v.code.source;
  const experiment_of<doubling_workload> e{.id = "ch01.x"};
  EXPECT_EQ(e.code.optimized, built_with_optimization);
  EXPECT_TRUE(std::string_view(e.code.source).ends_with("optimization_check_test.cpp")) << e.code.source;
}

TEST(code_facts, a_fault_names_the_end_of_the_path_and_what_to_do) {
  EXPECT_EQ(fault_of(optimized), "");
  EXPECT_EQ(fault_of(unoptimized), "without optimization (ch01_mine/scale/cpu.cpp)");
  EXPECT_EQ(fault_of(sanitized_code), "with the sanitizer of address errors (scale.cpp)");
  EXPECT_EQ(fault_of({.optimized = false, .sanitizer = "thread", .source = "a/b.cpp"}),
            "without optimization and with the sanitizer of thread errors (a/b.cpp)");
  EXPECT_NE(remedy_of(unoptimized).find("-DCMAKE_BUILD_TYPE=Release"), std::string::npos);
  EXPECT_NE(remedy_of(sanitized_code).find("-fsanitize"), std::string::npos);
}

TEST(code_facts, what_results_keep_of_them_is_the_level_that_flags_and_compiler_agree_on) {
  const auto level = [](const char* flags, bool by_compiler, bool for_size = false) {
    return compilation_of({.optimized = by_compiler, .flags = flags, .for_size = for_size}).level;
  };
  EXPECT_EQ(level("-O3 -DNDEBUG -O1", true), "-O1") << "the last one holds";
  EXPECT_EQ(level("-O -g", true), "-O1");
  EXPECT_EQ(level("-O3 -DNDEBUG", false), "-O0") << "a pragma or a flag of the source took it away";
  EXPECT_EQ(level("-O0", true), "") << "a flag that the build does not state";
  EXPECT_EQ(level("", true), "");
  EXPECT_EQ(level("-Oz", true, true), "-Oz");
  EXPECT_EQ(level("-O2", true, true), "-Os");
}

TEST(code_facts, results_keep_the_compiler_the_flags_and_the_end_of_the_path) {
  const auto kept = compilation_of({.optimized = true,
                                    .sanitizer = "thread",
                                    .source = "/home/a/experiments/ch01_mine/scale/cpu.cpp",
                                    .compiler = "12.2.0",
                                    .flags = " -O3 -DX=\"a\" "});
  EXPECT_EQ(kept.compiler, "GCC 12.2.0");
  EXPECT_EQ(kept.flags, "-O3 -DX=\"a\"");
  EXPECT_EQ(kept.sanitizer, "thread");
  EXPECT_EQ(kept.source, "ch01_mine/scale/cpu.cpp");
  EXPECT_EQ(compilation_of({.compiler = "Debian Clang 16.0.6"}).compiler, "Debian Clang 16.0.6");
}

template <const code_facts& Candidate>
ladder<doubling_workload> faster() {
  return {{.name = "four passes", .is = role::baseline, .run = in_passes<4>, .code = optimized},
          {.name = "one pass", .run = twice, .code = Candidate}};
}

// The comparison of a clear gain, as code that was compiled as stated here would get it.
model::comparison compared(ladder_of<doubling_workload> variants, code_facts of_experiment,
                           unoptimized_code judged = unoptimized_code::invalid) {
  const auto where = host_device_for_tests();
  auto options = short_session(1);  // the session ends as soon as the gain is clear
  options.unoptimized = judged;
  auto stated = doubling_as_stated(variants, 4096);
  stated.code = of_experiment;
  const experiment e = stated;
  const auto f =
      measure_family({e, e.problems().front(), model::backend::cpu}, {.device = where.get()}, options);
  EXPECT_EQ(f.comparisons.size(), 1u);
  return f.comparisons.empty() ? model::comparison{} : f.comparisons.front();
}

model::check check_of(const model::comparison& c) {
  const auto found = std::ranges::find(c.checks, "optimization", &model::check::id);
  return found == c.checks.end() ? model::check{} : *found;
}

TEST(optimization_check, a_gain_of_optimized_code_is_judged) {
  const auto c = compared(faster<optimized>, optimized);
  EXPECT_EQ(check_of(c).result, model::outcome::pass) << check_of(c).evidence;
  EXPECT_EQ(c.verdict, model::verdict::better);
}

TEST(optimization_check, each_measured_variant_keeps_how_its_own_object_was_compiled) {
  const auto where = host_device_for_tests();
  const auto e = doubling(faster<unoptimized>, 64);
  const auto f = measure_family({e, e.problems().front(), model::backend::cpu}, {.device = where.get()},
                                short_session(0.01));
  ASSERT_EQ(f.measurements.size(), 2u);
  for (const auto& m : f.measurements) {
    ASSERT_TRUE(m.compiled);
    EXPECT_EQ(m.compiled->level, m.variant == "one pass" ? "-O0" : "") << m.variant;
  }
}

TEST(optimization_check, a_variant_from_an_object_without_optimization_makes_the_comparison_invalid) {
  const auto c = compared(faster<unoptimized>, optimized);
  EXPECT_EQ(c.verdict, model::verdict::invalid);
  EXPECT_EQ(c.assurance, 0);
  EXPECT_EQ(check_of(c).result, model::outcome::fail);
  EXPECT_EQ(check_of(c).evidence,
            "one pass was compiled without optimization (ch01_mine/scale/cpu.cpp): configure the build with "
            "-DCMAKE_BUILD_TYPE=Release and build again");
}

TEST(optimization_check, a_sanitizer_or_an_unoptimized_experiment_makes_it_invalid_too) {
  EXPECT_EQ(compared(faster<sanitized_code>, optimized).verdict, model::verdict::invalid);
  const auto c = compared(faster<optimized>, unoptimized);
  EXPECT_EQ(c.verdict, model::verdict::invalid);
  EXPECT_TRUE(check_of(c).evidence.starts_with("test.doubling was compiled without")) << check_of(c).evidence;
}

TEST(optimization_check, a_caller_that_asks_for_it_gets_a_verdict_and_a_warning) {
  const auto c = compared(faster<unoptimized>, optimized, unoptimized_code::judged);
  EXPECT_EQ(c.verdict, model::verdict::better);
  EXPECT_EQ(check_of(c).result, model::outcome::warn);
}

}  // namespace
}  // namespace ridge::harness
