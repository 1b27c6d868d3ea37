// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/peaks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::report {
namespace {

using testing::HasSubstr, testing::Not;

model::ceiling row() {
  return {.id = "cuda.mma.bf16",
          .description = "products",
          .unit = "FLOP/s",
          .value = 900e12,
          .ci = {891e12, 905e12},
          .variant = "wgmma",
          .note = "power cap in 40 % of readings",
          .zeros = 950e12,
          .clock_hz = 1.761e9,
          .power_w = 690,
          .issue_limit = 949e12,
          .specified = 989e12,
          .series = {{"64 KiB", 5e12}, {"1 MiB", 4e12}}};
}

const model::probed subject{
    .id = "cuda.mma.bf16", .title = "matrix units", .means = "bounds products", .rows = 1};

TEST(peak_group, shows_value_interval_shares_clock_power_and_why) {
  const std::vector rows{row()};
  const auto text = peak_group(subject, rows);
  EXPECT_THAT(text, HasSubstr("matrix units: bounds products\n"));
  EXPECT_THAT(text, HasSubstr("900 TFLOP/s ±1.0 %"));
  EXPECT_THAT(text, HasSubstr("95 %"));
  EXPECT_THAT(text, HasSubstr("91 %"));
  EXPECT_THAT(text, HasSubstr("1.76 GHz"));
  EXPECT_THAT(text, HasSubstr("690 W"));
  EXPECT_THAT(text, HasSubstr("wgmma; on zeros 950 TFLOP/s"));
  EXPECT_THAT(text, HasSubstr("power cap in 40 %"));
  EXPECT_THAT(text, Not(HasSubstr("64 KiB")));
}

TEST(peak_group, shows_sweeps_where_they_are_asked_for) {
  const std::vector rows{row()};
  EXPECT_THAT(peak_group(subject, rows, {.series = true}),
              HasSubstr("64 KiB 5.00 TFLOP/s · 1 MiB 4.00 TFLOP/s"));
}

TEST(peak_group, fits_a_hundred_columns_and_a_header_stands_above_its_columns) {
  auto wide = row();
  wide.id = "cuda.atomics.global.private.returning";
  const std::vector rows{wide};
  const auto text = peak_header() + peak_group(subject, rows);
  std::size_t longest = 0;
  for (std::size_t from = 0, to = 0; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
    longest = std::max(longest, to - from);
  EXPECT_LE(longest, 104u);  // bytes: the signs take two
}

TEST(peak_group, says_why_a_subject_was_skipped) {
  const model::probed absent{.id = "cuda", .title = "GPU", .means = "x", .skipped = "no driver"};
  EXPECT_THAT(peak_group(absent, {}), HasSubstr("skipped: no driver"));
}

model::peak_report report() {
  model::peak_report made{.peak = {.ceilings = {row(), row()}}, .wall_s = 1.5};
  made.peak.ceilings[1].id = "cuda.copy", made.peak.ceilings[1].unit = "B/s";
  made.peak.ceilings[1].disturbed = true;
  made.probes = {subject,
                 {.id = "cuda.copy", .title = "copy", .means = "moves", .rows = 1},
                 {.id = "cuda.p2p", .title = "peers", .means = "links", .skipped = "one GPU"}};
  return made;
}

TEST(peak_table, gives_each_subject_its_own_rows) {
  const auto text = peak_table(report());
  EXPECT_LT(text.find("matrix units"), text.find("cuda.mma.bf16 "));
  EXPECT_LT(text.find("cuda.mma.bf16 "), text.find("copy: moves"));
  EXPECT_LT(text.find("copy: moves"), text.find("cuda.copy "));
}

TEST(peak_summary, answers_the_four_questions_or_says_why_not) {
  const auto text = peak_summary(report());
  EXPECT_THAT(text, HasSubstr("memory bandwidth  cuda.copy"));
  EXPECT_THAT(text, HasSubstr("cuda.mma.bf16"));
  EXPECT_THAT(text, HasSubstr("one GPU"));
  EXPECT_THAT(text, HasSubstr("gain of graphs    cuda.graph     not measured"));
  EXPECT_THAT(text, HasSubstr("2 rows in 1.5 s, 1 of them disturbed, 1 subject skipped at least in part"));
}

TEST(peak_markdown, is_a_table_a_part_with_its_machine) {
  auto of = report();
  of.environment.machine = "nvidia-h200-x1";
  of.peak.ceilings[1].id = "cpu.copy";
  const auto text = peak_markdown(of);
  EXPECT_THAT(text, HasSubstr("nvidia-h200-x1"));
  EXPECT_THAT(text, HasSubstr("| `cuda.mma.bf16` |"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 * 4);
}

}  // namespace
}  // namespace ridge::report
