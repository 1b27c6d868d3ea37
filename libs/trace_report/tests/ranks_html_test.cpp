// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace_report/ranks_html.hpp>

namespace ridge::trace_report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string written(const ranks_html_content& content, std::size_t most_pairs = 2000) {
  std::string text;
  write_ranks_html(
      content, [&](std::string_view piece) { text += piece; }, most_pairs);
  return text;
}

// `count` ranks, each of which waits for the one before it.
ranks_html_content ranks(std::uint32_t count) {
  ranks_html_content made{.title = "ranks"};
  for (std::uint32_t i = 0; i < count; ++i) {
    trace::surveyed_rank rank{.path = "r" + std::to_string(i)};
    rank.member.who = {.trace = i, .rank = static_cast<int>(i), .label = "rank " + std::to_string(i)};
    made.survey.ranks.push_back(std::move(rank));
    if (i > 0) made.survey.pairs.push_back({.causer = i - 1, .sufferer = i, .waited_ns = 1'000'000 - i});
  }
  made.survey.waited_ns = 1'000'000;
  return made;
}

TEST(ranks_html, has_a_row_for_each_rank_and_needs_nothing_else) {
  const auto page = written(ranks(1000));
  EXPECT_THAT(page, HasSubstr("data-label=\"rank 999\" data-number=\"999\""));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_LT(page.size(), 2u << 20);
}

TEST(ranks_html, bounds_the_waits_and_says_how_many_are_left_out) {
  const auto page = written(ranks(50), 10);
  EXPECT_THAT(page, HasSubstr("<td>rank 9</td><td>rank 10</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<td>rank 10</td><td>rank 11</td>")));
  EXPECT_THAT(page, HasSubstr("39 more"));
}

TEST(ranks_html, links_only_to_pages_that_exist) {
  auto content = ranks(2);
  EXPECT_THAT(written(content), Not(HasSubstr("<a href=\"all")));
  content.pages = {"all-rank-0.html", "all-rank-1.html"};
  EXPECT_THAT(written(content), HasSubstr("<a href=\"all-rank-1.html\">rank 1</a>"));
}

TEST(ranks_html, escapes_what_traces_name) {
  auto content = ranks(1);
  content.survey.ranks[0].path = "\"><script>";
  content.survey.ranks[0].node = "<b>";
  EXPECT_THAT(written(content), Not(HasSubstr("\"><script>")));
  EXPECT_THAT(written(content), HasSubstr("&lt;b&gt;"));
}

}  // namespace
}  // namespace ridge::trace_report
