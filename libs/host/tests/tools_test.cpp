// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/tools.hpp>

#include <chrono>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

void add_program(const fixture_tree& tree, const std::string& name, const std::string& body) {
  tree.write("bin/" + name, "#!/bin/sh\n" + body);
  fs::permissions(tree.root() / "bin" / name, fs::perms::owner_all);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(tools, the_first_program_that_is_there_tells_its_version) {
  const fixture_tree tree;
  add_program(tree, "clang-16", "[ \"$1\" = --version ] && echo 'Debian clang version 16.0.6 (15~deb12u1)'");
  const std::vector<tool_query> wanted{{"clang", {"clang", "clang-16"}}, {"nvcc", {}}};
  const std::vector<fs::path> folders{tree.root() / "no such folder", tree.root() / "bin"};
  const auto seen = find_tools(wanted, folders, 5);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].name, "clang");
  EXPECT_EQ(seen[0].path, tree.root() / "bin/clang-16");
  EXPECT_EQ(seen[0].version, "16.0.6");
  EXPECT_TRUE(seen[1].path.empty());
}

TEST(tools, one_that_hangs_is_killed_and_keeps_nobody_waiting) {
  const fixture_tree tree;
  add_program(tree, "slow", "echo 1.2.3; sleep 60 & sleep 60");
  add_program(tree, "quick", "echo quick 4.5 >&2");
  const std::vector<tool_query> wanted{{"slow", {}}, {"quick", {}}};
  const std::vector<fs::path> folders{tree.root() / "bin"};
  const auto start = std::chrono::steady_clock::now();
  const auto seen = find_tools(wanted, folders, 0.3);
  EXPECT_LT(seconds_since(start), 10);
  EXPECT_EQ(seen[0].version, "");
  EXPECT_FALSE(seen[0].path.empty());
  EXPECT_EQ(seen[1].version, "4.5");
}

TEST(tools, a_file_that_cannot_be_executed_has_no_version) {
  const fixture_tree tree;
  tree.write("bin/gcc", "text");
  const std::vector<fs::path> folders{tree.root() / "bin"};
  EXPECT_TRUE(find_tools(std::vector<tool_query>{{"gcc", {}}}, folders, 1)[0].path.empty());
  fs::permissions(tree.root() / "bin/gcc", fs::perms::owner_all);
  EXPECT_EQ(find_tools(std::vector<tool_query>{{"gcc", {}}}, folders, 1)[0].version, "");
}

TEST(tools, versions_as_programs_write_them) {
  EXPECT_EQ(version_in("gcc (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022"), "12.2.0");
  EXPECT_EQ(version_in("Copyright (c) 2005-2025 NVIDIA\nCuda compilation tools, release 13.0, V13.0.88\n"),
            "13.0.88");
  EXPECT_EQ(version_in("NVIDIA Nsight Systems version 2025.3.2.474-253236389389v0"), "2025.3.2.474");
  EXPECT_EQ(version_in("Docker version 24.0.5, build ced0996"), "24.0.5");
  EXPECT_EQ(version_in("1.11.1"), "1.11.1");
  EXPECT_EQ(version_in("no number here ..."), "");
}

}  // namespace
}  // namespace ridge::host
