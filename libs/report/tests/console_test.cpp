// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/report/render.hpp>

namespace ridge::report {
namespace {

TEST(console_header, has_a_gpus_ceilings_on_one_line_and_counts_no_threads_of_it) {
  const model::run run{.peak = {.ceilings = {{.id = "cpu.triad", .unit = "B/s", .value = 10e9, .threads = 1},
                                             {.id = "cuda.copy", .unit = "B/s", .value = 4.2e12},
                                             {.id = "cuda.mma.bf16", .unit = "FLOP/s", .value = 850e12}}}};
  const auto text = console_header(run, {});
  EXPECT_THAT(text, testing::HasSubstr("gpu: copy 4.20 TB/s, mma.bf16 850 TFLOP/s\n"));
  EXPECT_THAT(text, testing::HasSubstr("memory (triad) 10.0 GB/s on 1 thread"));
}

TEST(console_header, has_a_line_for_what_the_audit_found_and_none_for_nothing) {
  model::run run;
  EXPECT_THAT(console_header(run, {}), testing::Not(testing::HasSubstr("audit")));
  run.environment.findings = {{"cpu.quota", model::severity::error, "1 CPU"},
                              {"memory.thp", model::severity::warning, "never"}};
  EXPECT_THAT(console_header(run, {}),
              testing::HasSubstr("1 error (cpu.quota), 1 warning (memory.thp); `ridge audit` says more\n"));
}

TEST(console_header, tells_the_age_and_the_spread_of_ceilings_and_what_libraries_obey) {
  model::run run{.started = "2026-11-23T12:00:00Z"};
  run.peak.measured_at = "2026-11-23T09:00:00Z";
  run.peak.ceilings.push_back(
      {.id = "cpu.triad", .unit = "B/s", .value = 1e10, .ci = {0.95e10, 1.02e10}, .disturbed = true});
  run.environment.facts = {
      {"openblas", "OpenBLAS 0.3.21, Haswell kernels"}, {"OPENBLAS_CORETYPE", "Prescott"}, {"smt", "on"}};
  const auto text = console_header(run, {.columns = 200});
  EXPECT_NE(text.find("measured 3 h before, medians within ±5.0 %, disturbed"), std::string::npos) << text;
  EXPECT_NE(text.find("OpenBLAS 0.3.21, Haswell kernels · OPENBLAS_CORETYPE=Prescott is set"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("smt"), std::string::npos);
}

TEST(console_family, says_how_variants_were_compiled_once_where_all_are_alike_and_for_each_else) {
  const model::compilation fast{.compiler = "GCC 12.2.0", .level = "-O3", .flags = "-O3 -DNDEBUG"},
      slow{.compiler = "GCC 12.2.0", .level = "-O0", .sanitizer = "thread"}, unstated{};
  const auto text_of = [](const std::vector<std::optional<model::compilation>>& all) {
    model::family f{.experiment = "ch01.x"};
    for (const auto& c : all) {
      f.measurements.push_back({.variant = "v" + std::to_string(f.measurements.size() + 1)});
      f.measurements.back().compiled = c;
    }
    return console_family({}, f, {.columns = 200});
  };
  EXPECT_THAT(text_of({fast, fast}), testing::ContainsRegex("compiled +-O3, GCC 12.2.0: -O3 -DNDEBUG\n"));
  const auto differing = text_of({fast, slow, fast});
  EXPECT_THAT(differing, testing::ContainsRegex("compiled +-O3, GCC 12.2.0: -O3 -DNDEBUG \\(v1, v3\\)\n"));
  EXPECT_THAT(differing, testing::HasSubstr("-O0, GCC 12.2.0, sanitizer of thread errors (v2)\n"));
  EXPECT_THAT(text_of({unstated}), testing::ContainsRegex("compiled +with optimization\n"));
  EXPECT_THAT(text_of({std::nullopt}), testing::Not(testing::HasSubstr("compiled")));
}

}  // namespace
}  // namespace ridge::report
