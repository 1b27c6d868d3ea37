// SPDX-License-Identifier: Apache-2.0
#include <ridge/validity/issues.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <ridge/validity/markdown.hpp>
#include <ridge/validity/names.hpp>

namespace ridge::validity {
namespace {

bool is_snake_case(std::string_view id) {
  return !id.empty() && std::ranges::all_of(id, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

bool is_sentence(std::string_view text) {
  return text.size() > 20 &&
         (std::isupper(static_cast<unsigned char>(text.front())) != 0 || text.front() == '`') &&
         text.back() == '.' && text.find("  ") == std::string::npos;
}

TEST(issues, have_ids_of_their_own_in_snake_case) {
  std::set<std::string_view> ids;
  for (const auto& one : issues()) {
    EXPECT_TRUE(is_snake_case(one.id)) << one.id;
    EXPECT_TRUE(ids.insert(one.id).second) << one.id << " stands twice";
  }
}

TEST(issues, stand_by_category) {
  EXPECT_TRUE(std::ranges::is_sorted(issues(), {}, &issue::category));
  for (const auto one : all_categories)
    EXPECT_GT(std::ranges::count(issues(), one, &issue::category), 0) << name(one);
}

TEST(issues, say_what_their_status_asks_for) {
  for (const auto& one : issues()) {
    SCOPED_TRACE(one.id);
    EXPECT_TRUE(is_sentence(one.happens)) << one.happens;
    for (const auto text : {one.answer, one.missing}) EXPECT_TRUE(text.empty() || is_sentence(text)) << text;
    const bool checked = one.status == status::checked, open = one.status == status::open;
    const bool not_applicable = one.status == status::not_applicable;
    EXPECT_TRUE(open || !one.answer.empty());
    if (open) {
      EXPECT_FALSE(one.missing.empty());
    }
    if (checked) {
      EXPECT_FALSE(one.checks.empty());
    }
    if (checked || one.status == status::prevented) {
      EXPECT_NE(one.place, place::nowhere);
    }
    if (not_applicable) {
      EXPECT_TRUE(one.checks.empty() && one.missing.empty() && one.cheats.empty());
    }
    if (one.severity != severity::none) {
      EXPECT_FALSE(one.checks.empty());
    }
  }
}

TEST(issues, answer_every_entry_of_the_catalogues_and_no_other) {
  const auto keys = catalogue_keys();
  const std::set<std::string_view> known(keys.begin(), keys.end());
  std::set<std::string_view> answered;
  for (const auto& one : issues()) {
    for (const auto key : words_of(one.covers)) {
      EXPECT_TRUE(known.contains(key)) << one.id << " answers " << key;
      answered.insert(key);
    }
  }
  for (const auto& key : keys) EXPECT_TRUE(answered.contains(key)) << key << " is not answered";
}

TEST(issues, answer_each_of_the_95_once) {
  std::multiset<std::string_view> answered;
  for (const auto& one : issues()) {
    for (const auto key : words_of(one.covers)) answered.insert(key);
  }
  for (int i = 1; i <= 95; ++i) EXPECT_EQ(answered.count("aipe-" + std::to_string(i)), 1u) << "aipe-" << i;
}

TEST(select, finds_ids_and_categories) {
  const std::vector<std::string> one{"unjoined_stream"}, part{"memory"}, both{"unjoined_stream", "output"};
  ASSERT_TRUE(select(one).ok());
  EXPECT_EQ(select(one)->front().id, "unjoined_stream");
  ASSERT_TRUE(select(part).ok());
  EXPECT_EQ(select(part)->front().category, category::memory_and_cache);
  ASSERT_TRUE(select(both).ok());
  EXPECT_EQ(select(both)->front().category, category::timing);
  EXPECT_EQ(select(both)->back().category, category::output);
  EXPECT_EQ(select({})->size(), issues().size());
}

TEST(select, suggests_the_nearest_name) {
  const std::vector<std::string> wrong{"unjoined_steam"};
  ASSERT_FALSE(select(wrong).ok());
  EXPECT_NE(select(wrong).why().text().find("unjoined_stream"), std::string::npos);
}

TEST(count, adds_up) {
  const auto seen = count(issues());
  EXPECT_EQ(seen.checked + seen.prevented + seen.open + seen.not_applicable, issues().size());
  EXPECT_LE(seen.proved, seen.checked + seen.prevented);
}

TEST(markdown, is_the_page_of_the_handbook) {
  const auto path = std::string(std::getenv("RIDGE_SOURCE_DIR")) + "/docs/handbook/validity.md";
  std::ifstream in(path);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_TRUE(page.str() == markdown(issues())) << path << " is stale: run tools/readme-tables";
}

}  // namespace
}  // namespace ridge::validity
