// SPDX-License-Identifier: Apache-2.0
// Experiments measured by two builds of the program.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/sanitized.hpp>

#include "program.hpp"
#include "two_builds.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;

constexpr const char* small = " --axis stride=2 --axis elements=2^12 ";

TEST(builds, compare_measures_a_variant_with_both) {
  if (sanitized) GTEST_SKIP() << "one call of a sanitized program takes minutes";
  const scene in;
  const auto seen = in.ridge(std::string("compare ch01.coalescing:contiguous --against ") + RIDGE_PROGRAM +
                             small + "--budget 30s --save run.json");
  EXPECT_TRUE(seen.code == 0 || seen.code == 1) << seen.code << ": " << seen.err << seen.out;
  EXPECT_TRUE(both_measured(in.folder() / "run.json")) << seen.err << seen.out;
}

TEST(builds, compare_says_why_a_build_measured_nothing) {
  const scene in;
  write_program(in.folder() / "hasty", "exec " RIDGE_PROGRAM " \"$@\" --budget 1ms");
  write_program(in.folder() / "broken", "echo 'ridge: this build is not optimized: beware' >&2; exit 7");
  const std::string words = std::string("compare ch01.coalescing:contiguous") + small + "--against ";
  const auto seen = in.ridge(words + "./hasty");
  EXPECT_EQ(seen.code, 69) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("hasty did not measure contiguous: the budget of 0.001 s was used up"));
  const auto broken = in.ridge(words + "./broken");
  EXPECT_EQ(broken.code, 69) << broken.out;
  EXPECT_THAT(broken.err, HasSubstr("broken did not measure contiguous: exited with status 7;"));
}

// A repository of one commit, and a cmake that notes its words and lies in a folder of programs before all
// others.
class made_up_repository {
 public:
  // `build` is what its cmake does to build; $2 is the folder of the build.
  made_up_repository(const scene& in, const std::string& build) : scene_(in), root_(in.folder() / "repo") {
    std::filesystem::create_directories(root_);
    std::filesystem::create_directories(in.folder() / "programs");
    write_program(in.folder() / "programs/cmake",
                  "echo \"$@\" >>" + words_file().string() + "\ncase $1 in --build) " + build + ";; esac");
    const auto line = "cd " + root_.string() +
                      " && git init -q -b main . && git config user.email a@b && git config user.name n && "
                      "echo one >file && git add . && git commit -qm one";
    EXPECT_EQ(std::system(line.c_str()), 0);
  }
  // Compares with the commit, the programs before all others and a cache of its own; the rest of `run` is
  // what the shell does in the repository with the program "$0" and its words "$@".
  [[nodiscard]] outcome compare_with_head(const std::string& run) const {
    return scene_.ridge("compare ch01.coalescing:contiguous --against HEAD" + std::string(small),
                        "XDG_CACHE_HOME=" + (scene_.folder() / "cache").string() +
                            " PATH=" + (scene_.folder() / "programs").string() +
                            ":$PATH /bin/sh -c 'cd repo && { " + run + "; }'");
  }
  // What its cmake was called with, a line for each call.
  [[nodiscard]] std::string words_of_cmake() const { return contents(words_file()); }
  // The folders that git knows to hold files of the repository.
  [[nodiscard]] long worktrees() const {
    const auto listed = scene_.folder() / "worktrees";
    EXPECT_EQ(std::system(("git -C " + root_.string() + " worktree list >" + listed.string()).c_str()), 0);
    return std::ranges::count(contents(listed), '\n');
  }

 private:
  [[nodiscard]] std::filesystem::path words_file() const { return scene_.folder() / "words_of_cmake"; }
  const scene& scene_;
  std::filesystem::path root_;
};

TEST(builds, a_commit_is_built_once_in_a_worktree_that_is_removed) {
  const scene in;
  const made_up_repository repository(
      in, "mkdir -p $2/bin; printf \"#!/bin/sh\\nexit 7\\n\" >$2/bin/ridge; chmod +x $2/bin/ridge");
  for (int call = 0; call < 2; ++call) {
    const auto seen = repository.compare_with_head("exec \"$0\" \"$@\"");
    EXPECT_EQ(seen.code, 69) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("did not measure contiguous: exited with status 7")) << "it was built";
    const auto words = repository.words_of_cmake();
    EXPECT_EQ(std::ranges::count(words, '\n'), 2) << words;
    EXPECT_THAT(words, HasSubstr("-DCMAKE_BUILD_TYPE=Release"));
    EXPECT_THAT(words, HasSubstr("--target ridge chapter_ch01\n"));
    EXPECT_EQ(repository.worktrees(), 1);
  }
}

TEST(builds, a_commit_that_does_not_build_is_refused_with_what_the_compiler_said_and_tried_again) {
  const scene in;
  const made_up_repository repository(in, "echo no such header >&2; exit 1");
  for (int call = 1; call <= 2; ++call) {
    const auto seen = repository.compare_with_head("exec \"$0\" \"$@\"");
    EXPECT_EQ(seen.code, 64);
    EXPECT_THAT(seen.err, HasSubstr("no such header"));
    EXPECT_EQ(std::ranges::count(repository.words_of_cmake(), '\n'), 2 * call);
    EXPECT_EQ(repository.worktrees(), 1);
  }
}

TEST(builds, a_signal_stops_the_build_of_a_commit_and_removes_its_worktree) {
  const scene in;
  const auto builder = (in.folder() / "builder").string();
  const made_up_repository repository(in, "echo $$ >" + builder + "; exec sleep 100");
  const auto seen = repository.compare_with_head(
      "\"$0\" \"$@\" & program=$!; for look in $(seq 300); do [ -s " + builder +
      " ] && break; sleep 0.1; done; date +%s.%N >asked; kill -TERM $program; wait $program; code=$?; "
      "date +%s.%N >ended; exit $code");
  EXPECT_EQ(seen.code, 130) << seen.err;
  EXPECT_THAT(seen.err, HasSubstr("interrupted while building"));
  const auto moment = [&](const char* name) { return std::stod(contents(in.folder() / "repo" / name)); };
  EXPECT_LT(moment("ended") - moment("asked"), 4) << "it stops within two seconds where nothing else runs";
  EXPECT_FALSE(runs(std::stoi(contents(builder))));
  EXPECT_EQ(repository.worktrees(), 1);
}

}  // namespace
}  // namespace ridge::cli
