// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/report/render.hpp>

#include "example_runs.hpp"

namespace ridge::report {
namespace {

std::string contents(const std::filesystem::path& file) {
  const auto text = read_file(file);
  return text ? *text : std::string();
}

// Compares with tests/golden/NAME.approved; writes NAME.received beside it where they differ.
void expect_golden(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/report/tests/golden";
  const auto received = folder / (name + ".received");
  if (contents(folder / (name + ".approved")) == text) {
    std::filesystem::remove(received);
    return;
  }
  std::ofstream(received, std::ios::binary) << text;
  ADD_FAILURE()
      << name << " differs from what was approved; look at the difference and accept it with tools/approve:\n"
      << text;
}

TEST(golden, console) {
  expect_golden("two_variants.txt", console(tests::two_variants()));
  expect_golden("awkward.txt", console(tests::awkward()));
  expect_golden("ladder.txt", console(tests::ladder()));
  expect_golden("two_variants_narrow.txt", console(tests::two_variants(), {.columns = 72}));
  expect_golden("guide.txt", console_guide(tests::two_variants()));
  expect_golden("two_variants_color.txt", console(tests::two_variants(), {.color = true}));
}

TEST(golden, markdown) {
  expect_golden("two_variants.md", markdown(tests::two_variants()));
  expect_golden("awkward.md", markdown(tests::awkward()));
}

TEST(golden, readme) {
  auto sweep = tests::two_variants();
  sweep.families.push_back(sweep.families.front());
  sweep.families.back().problem.front().second = std::int64_t{1} << 26;
  sweep.families.back().comparisons.front().verdict = model::verdict::worse;
  expect_golden("sweep.readme.md", readme_table(sweep, "ch01.contiguous_access"));
  expect_golden("awkward.readme.md", readme_table(tests::awkward(), "ch01.goodput"));
  expect_golden("awkward.summary.md", readme_summary(std::vector{tests::awkward()}));
  const auto newer = readme_summary(std::vector{tests::two_variants(), tests::awkward()});
  EXPECT_NE(newer.find("by 2 runs of `ridge run`"), std::string::npos) << newer;
  EXPECT_NE(newer.find("ch01.contiguous_access"), std::string::npos) << newer;
  EXPECT_NE(newer.find("ch01.goodput"), std::string::npos) << newer;
  EXPECT_EQ(readme_table(sweep, "ch01.another"), "");
}

TEST(golden, csv) {
  expect_golden("two_variants.csv", csv(tests::two_variants()));
  expect_golden("awkward.csv", csv(tests::awkward()));
}

TEST(golden, json_lines) { expect_golden("awkward.jsonl", json_lines(tests::awkward())); }

TEST(google_benchmark, says_that_cpu_time_was_measured_where_there_are_samples_of_it) {
  auto run = tests::two_variants();
  run.profile = "ci";
  EXPECT_NE(google_benchmark(run).find("\"cpu_time\": \"repeats real_time"), std::string::npos);
  auto& samples = run.families.front().measurements.front().samples;
  auto cpu = samples.front();
  cpu.metric.name = "cpu_time";
  samples.push_back(cpu);
  EXPECT_NE(google_benchmark(run).find("\"cpu_time\": \"measured\""), std::string::npos);
}

TEST(golden, google_benchmark) {
  expect_golden("two_variants.gbench.json", google_benchmark(tests::two_variants()));
  expect_golden("awkward.gbench.json", google_benchmark(tests::awkward()));
}

TEST(golden, nvbench) {
  expect_golden("two_variants.nvbench.json", nvbench(tests::two_variants()));
  expect_golden("awkward.nvbench.json", nvbench(tests::awkward()));
}

TEST(console, fits_its_columns_and_leaves_no_trailing_space) {
  for (const auto& run : {tests::two_variants(), tests::awkward(), tests::ladder()}) {
    const auto text = console(run);
    for (const auto line : split(text, '\n')) {
      EXPECT_LE(display_width(line), 100u) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(console, colour_adds_codes_and_changes_no_word) {
  for (const auto& run : {tests::two_variants(), tests::awkward(), tests::ladder()}) {
    std::string plain;
    const auto colored = console(run, {.color = true});
    for (std::size_t i = 0; i < colored.size(); ++i) {
      if (colored[i] == '\x1b') {
        i = colored.find('m', i);
      } else {
        plain += colored[i];
      }
    }
    EXPECT_EQ(plain, console(run));
  }
}

TEST(console, names_the_kernels_of_the_gpu_in_the_deep_profile_only) {
  auto run = tests::two_variants();
  run.families.front().measurements.front().kernels = {{"scale", 2, 50e-6, 0.8},
                                                       {"copy to host", 1, 12.5e-6, 0.2}};
  EXPECT_EQ(console(run).find("scale"), std::string::npos);
  run.profile = "deep";
  EXPECT_NE(console(run).find("scale 2x 50.0 µs 80 %, copy to host 12.5 µs 20 %"), std::string::npos)
      << console(run);
}

TEST(console, what_other_programs_wrote_cannot_move_the_cursor) {
  EXPECT_EQ(console(tests::awkward()).find('\x1b'), std::string::npos);
  auto run = tests::awkward();
  auto& family = run.families.front();
  family.experiment = family.title = family.question = family.skipped = "a\x1b[2Jb";
  family.problem = {{"n", std::string("\x1b[2J")}};
  EXPECT_EQ(console(run).find('\x1b'), std::string::npos);
}

TEST(format, names_read_back) {
  for (const auto* word : {"table", "md", "csv", "json", "jsonl", "gbench", "nvbench"}) {
    ASSERT_TRUE(named_format(word)) << word;
    EXPECT_EQ(name(*named_format(word)), word);
    EXPECT_FALSE(render(tests::two_variants(), *named_format(word)).empty());
  }
  EXPECT_FALSE(named_format("xml"));
}

}  // namespace
}  // namespace ridge::report
