// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/analysis.hpp>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ridge/base/text.hpp>

#include "example_store.hpp"

namespace ridge::results {
namespace {

using tests::empty_store;
using tests::example_store;

// The values in "$ ridge analyze --only leaderboards --experiment ch07.* --goal speed" of one analysis.
std::map<std::string, std::string> values_in(std::string_view line, const analysis& asked) {
  std::map<std::string, std::string> values;
  const auto words = split(line, ' ');
  for (std::size_t i = 3; i < words.size(); ++i) {
    const auto key = words[i].substr(std::min<std::size_t>(2, words[i].size()));
    const auto known = std::ranges::find(asked.parameters, key, &parameter::key);
    if (known != asked.parameters.end() && known->kind == parameter_kind::flag)
      values.emplace(key, "true");
    else if (++i < words.size() && key != "only")
      values.emplace(key, words[i]);
  }
  return values;
}

// What the commands of a transcript answer today, each behind its line.
std::string transcript_of(const analysis& asked, const std::string& expected) {
  std::string text;
  for (const auto line : split(expected, '\n')) {
    if (!line.starts_with("$ ridge ")) continue;
    const auto found = answer_of(asked.name, example_store(), values_in(line, asked));
    text += fmt::format(
        "{}{}\n{}", text.empty() ? "" : "\n", line,
        found ? report::text_of(found->document, {.columns = 140}) : "ridge: " + found.why().text() + '\n');
  }
  return text;
}

// analyses/NAME/expected.txt is a transcript: command lines, and what they answer of the example store. Where
// they differ, expected.received is written beside it, which tools/approve accepts.
TEST(analyses, answer_what_their_transcripts_say) {
  for (const auto& one : analyses()) {
    const auto folder = tests::source_folder() / "analyses" / one.name;
    const auto expected = read_file(folder / "expected.txt");
    ASSERT_TRUE(expected) << "write a line \"$ ridge " << one.command << " ...\" to " << folder
                          << "/expected.txt";
    const auto text = transcript_of(one, *expected);
    EXPECT_FALSE(text.empty()) << one.name;
    const auto received = folder / "expected.received";
    if (text == *expected) {
      std::filesystem::remove(received);
      continue;
    }
    std::ofstream(received, std::ios::binary) << text;
    ADD_FAILURE() << one.name << " differs from its transcript; look and accept it with tools/approve:\n"
                  << text;
  }
}

bool is_sentence(std::string_view text) { return !text.empty() && text.back() != '.'; }

TEST(analyses, say_of_themselves_what_every_door_needs) {
  for (const auto& one : analyses()) {
    EXPECT_EQ(analysis_named(one.name), &one);
    EXPECT_TRUE(one.question.ends_with('?')) << one.name;
    EXPECT_FALSE(one.title.empty()) << one.name;
    for (const auto& p : one.parameters) {
      EXPECT_TRUE(is_sentence(p.help)) << one.name << " " << p.key;
      EXPECT_EQ(p.kind == parameter_kind::choice, !p.choices.empty()) << one.name << " " << p.key;
      EXPECT_EQ(p.kind == parameter_kind::quantity, !p.unit.empty()) << one.name << " " << p.key;
    }
  }
}

// A sheet says which command fills it, and no number is made up.
TEST(analyses, of_an_empty_store_name_the_command_that_fills_it) {
  const auto store = empty_store();
  for (const auto& one : analyses()) {
    const auto found = answer_of(one.name, *store, {});
    ASSERT_TRUE(found) << one.name << ": " << found.why().text();
    EXPECT_THAT(report::text_of(found->document), testing::HasSubstr("`ridge ")) << one.name;
    for (const auto& c : found->charts) EXPECT_EQ(report::chart_svg(c), "") << one.name;
  }
}

TEST(analyses, rows_have_a_value_for_every_field_and_keys_are_unique) {
  for (const auto& one : analyses()) {
    const auto found = answer_of(one.name, example_store(), {});
    ASSERT_TRUE(found) << one.name << ": " << found.why().text();
    EXPECT_THAT(found->document.schema, testing::StartsWith("ridge.")) << one.name;
    for (const auto& s : found->document.sheets) {
      std::vector<std::string> keys;
      for (const auto& f : s.fields) keys.push_back(f.key);
      std::ranges::sort(keys);
      EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end()) << one.name << " " << s.key;
      for (const auto& r : s.rows) EXPECT_EQ(r.values.size(), s.fields.size()) << one.name << " " << s.key;
    }
  }
}

TEST(analyses, an_unknown_name_is_refused_with_those_that_there_are) {
  const auto found = answer_of("leaderboard", example_store(), {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.why().text(), testing::HasSubstr("leaderboards"));
}

}  // namespace
}  // namespace ridge::results
