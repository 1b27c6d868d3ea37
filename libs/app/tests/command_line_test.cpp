// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <gtest/gtest.h>

#include "completion.hpp"
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
  const auto manual = manual_page(root, "1");
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

TEST(manual_page, has_the_sections_a_reader_expects_and_no_raw_hyphens) {
  const auto text = manual_page(tree(), "0.1");
  for (const auto* section :
       {".TH RIDGE 1", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH COMMANDS", "\\-\\-profile"})
    EXPECT_NE(text.find(section), std::string::npos) << section;
  EXPECT_EQ(text.find("--profile"), std::string::npos);
}

TEST(command_tree, tells_choices_from_placeholders) {
  EXPECT_EQ(choices_of({.value = "a|b"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(choices_of({.value = "PATH|URL"}).empty());
  EXPECT_TRUE(choices_of({.value = "FILE"}).empty());
}

}  // namespace
}  // namespace ridge::app
