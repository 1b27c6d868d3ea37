// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>
#include <ridge/results/analysis.hpp>
#include "example_store.hpp"

namespace ridge::results {
namespace {

// What is asked of each analysis, so that its answer fits a page that people read.
const std::map<std::string, std::map<std::string, std::string>> questions{
    {"leaderboards", {{"experiment", "ch08.softmax_rows"}}},
    {"pareto", {{"experiment", "ch09.w4a16_gemm"}}},
    {"tradeoffs", {{"experiment", "ch09"}}},
    {"recommendations", {{"experiment", "ch08"}}},
    {"whatif", {{"experiment", "ch09"}, {"vram", "24GiB"}, {"latency", "100us"}}},
    {"stacking", {{"experiment", "ch0*"}}},
    {"power", {{"experiment", "ch09"}}},
    {"scaling", {{"at", "32"}}},
    {"cost", {{"experiment", "ch07"}, {"gpu", "H200"}, {"top", "3"}}},
};

class each_analysis : public testing::TestWithParam<std::string> {
 protected:
  // Made once: nothing here writes to it.
  static store::store& example() {
    static example_store made;
    return made.get();
  }
};

// The answer of the example store is the table beside the analysis; RIDGE_APPROVE=1 writes it anew.
TEST_P(each_analysis, answers_as_its_expected_table_says) {
  const auto name = GetParam();
  const auto asked = questions.find(name);
  ASSERT_NE(asked, questions.end()) << "say above what is asked of it";
  const auto answer = answer_of(name, example(), asked->second);
  ASSERT_TRUE(answer.ok()) << answer.why().text();
  const auto text = report::text_of(answer->document, {.columns = 200});
  const auto path =
      std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "analyses" / name / "expected.txt";
  if (std::getenv("RIDGE_APPROVE") != nullptr) std::ofstream(path) << text;
  const auto expected = read_file(path);
  ASSERT_TRUE(expected.ok()) << expected.why().text();
  EXPECT_EQ(text, *expected);
}

// Nothing is made up where nothing was measured, and the answer says which command measures.
TEST_P(each_analysis, says_what_fills_it_where_nothing_is_stored) {
  example_store empty(example_store::with_nothing);
  auto asked = questions.at(GetParam());
  asked.erase("experiment");
  const auto answer = answer_of(GetParam(), empty.get(), asked);
  ASSERT_TRUE(answer.ok()) << answer.why().text();
  for (const auto& sheet : answer->document.sheets) {
    EXPECT_TRUE(sheet.rows.empty()) << sheet.key;
    EXPECT_NE(sheet.empty.find("ridge "), std::string::npos) << sheet.key << ": " << sheet.empty;
  }
  EXPECT_TRUE(answer->charts.empty());
}

TEST_P(each_analysis, has_one_value_for_each_field) {
  const auto answer = answer_of(GetParam(), example(), questions.at(GetParam()));
  ASSERT_TRUE(answer.ok());
  for (const auto& sheet : answer->document.sheets)
    for (const auto& row : sheet.rows) ASSERT_EQ(row.values.size(), sheet.fields.size()) << sheet.key;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& one : analyses()) all.emplace_back(one.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, each_analysis, testing::ValuesIn(names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace ridge::results
