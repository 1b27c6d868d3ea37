// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/app/command_group.hpp>
#include <ridge/app/exit_code.hpp>

#include "command_line/command_line.hpp"
#include "completion/completion.hpp"
#include "tiny_catalogue.hpp"

namespace ridge::app {
namespace {

command_node tree() {
  context in;
  in.typed = {"ridge"};
  in.experiments = tests::catalogue();
  return whole_tree(in);
}

// Whatever the parser accepts is completed and described, and nothing hidden is.
TEST(completion, names_every_command_option_and_choice_of_the_parser) {
  const auto root = tree();
  const auto bash = bash_completion(root), zsh = zsh_completion(root), fish = fish_completion(root);
  std::string manual;
  for (const auto& page : manual_pages(root, "1")) manual += page.text;
  ASSERT_GT(root.commands.size(), 10u);
  for (const auto& command : root.commands) {
    EXPECT_NE(bash.find("    " + command.name + ") if"), std::string::npos) << command.name;
    EXPECT_NE(zsh.find("      " + command.name + ") _arguments"), std::string::npos) << command.name;
    EXPECT_NE(fish.find("-a " + command.name + " -d"), std::string::npos) << command.name;
    for (const auto& option : command.options) {
      for (const auto& name : option.names) {
        EXPECT_NE(bash.find(name), std::string::npos) << name;
        EXPECT_NE(zsh.find(name), std::string::npos) << name;
      }
      for (const auto& word : choices_of(option)) EXPECT_NE(bash.find(word), std::string::npos) << word;
    }
  }
  for (const auto& text : {bash, zsh, fish, manual}) EXPECT_EQ(text.find("arm-budget"), std::string::npos);
}

TEST(manual_pages, have_the_sections_a_reader_expects_and_no_raw_hyphens) {
  const auto pages = manual_pages(tree(), "0.1");
  ASSERT_EQ(pages.front().name, "ridge.1");
  for (const auto* section : {".TH RIDGE 1", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH COMMANDS"})
    EXPECT_NE(pages.front().text.find(section), std::string::npos) << section;
  const auto run = std::ranges::find(pages, "ridge-run.1", &manual_file::name);
  ASSERT_NE(run, pages.end());
  EXPECT_NE(run->text.find("\\-\\-profile"), std::string::npos);
  for (const auto& page : pages) EXPECT_EQ(page.text.find("--"), std::string::npos) << page.name;
}

// Positional arguments are their own placeholders; exit codes stand in the program's page alone.
TEST(manual_pages, are_short) {
  const auto pages = manual_pages(tree(), "0.1");
  for (const auto& page : pages) {
    EXPECT_LE(std::ranges::count(page.text, '\n'), 160) << page.name;
    EXPECT_EQ(page.text.find("\\fBID\\fR \\fIID"), std::string::npos) << page.name;
    EXPECT_EQ(page.text.find("Print this help"), std::string::npos) << page.name;
  }
}

TEST(command_tree, tells_choices_from_placeholders) {
  EXPECT_EQ(choices_of({.value = "a|b"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(choices_of({.value = "PATH|URL"}).empty());
  EXPECT_TRUE(choices_of({.value = "FILE"}).empty());
}

int opened = 0;

std::list<command> example_group(context&) {
  ++opened;
  std::list<command> made;
  made.emplace_back("plan", "Own text").runs([] { return 7; });
  return made;
}

int run_words(std::vector<std::string> words, std::vector<command_group> groups) {
  context program{.typed = std::move(words), .groups = std::move(groups)};
  return run_command_line(program);
}

TEST(command_groups, are_opened_when_one_of_their_commands_is_named) {
  opened = 0;
  EXPECT_EQ(run_words({"ridge", "plan"}, {linked_group("plan", example_group)}), 7);
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(run_words({"ridge", "list", "--ids"}, {linked_group("plan", example_group)}), exit_code::good);
  EXPECT_EQ(opened, 1);
}

TEST(command_groups, that_are_missing_are_listed_and_name_what_builds_them) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_words({"ridge", "plan", "gpus", "--format", "json"}, {}), exit_code::unavailable);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("make build"), std::string::npos);
  const auto root = tree();
  for (const auto& group : known_groups()) {
    for (const auto& known : group.commands)
      EXPECT_TRUE(std::ranges::any_of(root.commands, [&](const auto& command) {
        return command.name == known.name && command.summary == known.summary;
      })) << known.name;
  }
}

TEST(command_groups, that_cannot_be_opened_say_why) {
  const command_group broken{.name = "plan", .open = [] {
                               return result<group_commands>(error{"it is broken", "mend it"});
                             }};
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_words({"ridge", "plan", "--help"}, {broken}), exit_code::unavailable);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("it is broken"), std::string::npos);
}

}  // namespace
}  // namespace ridge::app
