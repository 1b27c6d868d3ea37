// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/tree.hpp>

#include <gtest/gtest.h>

#include <ridge/base/text.hpp>

namespace ridge::report {
namespace {

using model::machine_node;

machine_node leaf(std::string name, std::string fact, std::string text) {
  machine_node made{.name = std::move(name)};
  made.add(std::move(fact), std::move(text));
  return made;
}

TEST(tree, names_are_joined_by_lines_and_facts_aligned_among_siblings) {
  machine_node machine{.name = "box"};
  machine.add("memory", "64 GiB");
  machine_node node{.name = "node 0",
                    .children = {leaf("L3", "size", "32 MiB"), leaf("cores 0-7", "CPUs", "0-15")}};
  machine.children = {node, {.name = "last", .children = {leaf("x", "a", "1")}}};
  EXPECT_EQ(tree_text(machine),
            "box  memory 64 GiB\n"
            "├─ node 0\n"
            "│  ├─ L3         size 32 MiB\n"
            "│  └─ cores 0-7  CPUs 0-15\n"
            "└─ last\n"
            "   └─ x  a 1\n");
}

TEST(tree, facts_are_wrapped_between_facts_and_go_on_in_their_column) {
  machine_node machine{.name = "box"};
  machine_node gpu{.name = "GPU 0", .children = {{.name = "below"}}};
  gpu.add("memory", "140 GiB").add("SMs", "132").add("clock", "2 GHz");
  machine.children = {gpu};
  EXPECT_EQ(tree_text(machine, {.columns = 32}),
            "box\n"
            "└─ GPU 0  memory 140 GiB\n"
            "   │      SMs 132  clock 2 GHz\n"
            "   └─ below\n");
}

TEST(tree, a_matrix_has_its_columns_under_their_names) {
  machine_node links{.kind = "matrix", .name = "links"};
  machine_node first{.name = "GPU 0"}, second{.name = "GPU 1"};
  first.add("GPU0", "X").add("GPU1", "NV18");
  second.add("GPU0", "NV18").add("GPU1", "X");
  links.children = {first, second};
  EXPECT_EQ(tree_text({.name = "box", .children = {links}}),
            "box\n"
            "└─ links\n"
            "   │         GPU0  GPU1\n"
            "   ├─ GPU 0  X     NV18\n"
            "   └─ GPU 1  NV18  X\n");
}

TEST(tree, what_the_machine_calls_itself_cannot_move_the_cursor) {
  EXPECT_EQ(tree_text(leaf("a\x1b[2J", "model", "disk\r\nx")), "a [2J  model disk x\n");
}

TEST(tree, no_line_is_wider_than_asked) {
  machine_node machine{.name = "box"};
  for (int i = 0; i < 40; ++i) machine.add("fact", std::to_string(i));
  machine.children = {machine, machine};
  const auto text = tree_text(machine, {.columns = 40, .indent = 2});
  for (const auto line : split(text, '\n')) EXPECT_LE(display_width(line), 40u) << line;
}

}  // namespace
}  // namespace ridge::report
