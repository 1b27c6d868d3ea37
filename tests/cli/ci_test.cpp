// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// A repository with a program that sleeps, and a branch on which it sleeps longer.
class change : public testing::Test {
 protected:
  void SetUp() override {
    shell(
        "mkdir repo tmp && cd repo && git init -q -b main . && git config user.email a@b && git config "
        "user.name n && "
        "printf '#!/bin/sh\\nsleep 0.01\\n' >source && printf '#!/bin/sh\\nexit 0\\n' >same && git add . && "
        "git commit -qm one && git checkout -qb slower && printf '#!/bin/sh\\nsleep 0.03\\n' >source && "
        "git commit -qam two");
  }

  // Runs a line in the folder of the scene.
  void shell(const std::string& line) const {
    ASSERT_EQ(std::system(("cd " + place.folder().string() + " && " + line).c_str()), 0) << line;
  }
  [[nodiscard]] outcome ci(const std::string& words, const std::string& variables = "") const {
    return place.ridge("ci --build 'cp source built && chmod +x built same' " + words,
                       "GITHUB_ACTIONS= GITLAB_CI= TMPDIR=" + (place.folder() / "tmp").string() + " " +
                           variables + " /bin/sh -c 'cd repo && exec \"$0\" \"$@\"'");
  }
  // Whether the repository knows no other worktree, and no file is left in the temporary folder.
  [[nodiscard]] bool nothing_is_left() const {
    shell("cd repo && git worktree list | wc -l >../count");
    return contents(place.folder() / "count") == "1\n" && std::filesystem::is_empty(place.folder() / "tmp");
  }
  scene place;
};

TEST_F(change, that_is_worse_is_seen_reported_and_fails) {
  const auto seen = ci("--bench ./built --bench ./same --budget 12s --junit j.xml --markdown c.md");
  EXPECT_EQ(seen.code, 1) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("### Ridge: 1 WORSE, 1 "));
  EXPECT_THAT(seen.out, HasSubstr("| `./built` | "));
  EXPECT_EQ(contents(place.folder() / "repo/c.md"), seen.out);
  const auto junit = contents(place.folder() / "repo/j.xml");
  EXPECT_THAT(junit, HasSubstr("tests=\"2\" failures=\"1\" skipped=\"0\""));
  EXPECT_THAT(junit, HasSubstr("<failure message=\"WORSE"));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(change, passes_where_only_others_are_rules_and_is_appended_to_the_summary_of_a_job) {
  { std::ofstream(place.folder() / "summary") << "before\n"; }
  const auto seen = ci("--bench ./built --budget 4s --fail-on never",
                       "GITHUB_ACTIONS=true GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=../summary");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(contents(place.folder() / "summary"), "before\n" + seen.out + '\n');
  EXPECT_THAT(seen.out, HasSubstr("(base, main)"));
}

TEST_F(change, whose_summary_cannot_be_written_is_told_after_its_comment) {
  const auto seen = ci("--bench ./same --budget 1s --fail-on never --base main",
                       "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/nonexistent/summary");
  EXPECT_EQ(seen.code, 74);
  EXPECT_THAT(seen.out, HasSubstr("### Ridge"));
  EXPECT_THAT(seen.err, HasSubstr("/nonexistent/summary"));
  EXPECT_THAT(seen.err, HasSubstr("GITHUB_STEP_SUMMARY"));
}

TEST_F(change, measures_what_the_budget_has_room_for_and_names_the_rest) {
  const auto seen = ci("--bench ./built --bench 'sleep 2' --budget 4s --junit j.xml --fail-on never");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("Not measured:\n- `sleep 2`: six rounds take "));
  EXPECT_THAT(contents(place.folder() / "repo/j.xml"), HasSubstr("skipped=\"1\""));
  EXPECT_THAT(seen.out, HasSubstr("| `./built` | "));
}

TEST_F(change, with_a_build_or_a_program_that_fails_fails) {
  const auto broken = place.ridge("ci --build 'grep 0.01 source' --bench ./source --base main",
                                  "/bin/sh -c 'cd repo && exec \"$0\" \"$@\"'");
  EXPECT_EQ(broken.code, 2) << "the head does not build";
  EXPECT_THAT(broken.err, HasSubstr("building the head failed"));
  const auto old =
      place.ridge("ci --build 'grep 0.03 source' --bench ./source --base main --junit j.xml --markdown c.md",
                  "/bin/sh -c 'cd repo && exec \"$0\" \"$@\"'");
  EXPECT_EQ(old.code, 2) << "the base does not build";
  EXPECT_THAT(old.err, HasSubstr("building the base failed"));
  EXPECT_THAT(contents(place.folder() / "repo/c.md"), HasSubstr("- `./source`: building the base failed"));
  EXPECT_THAT(contents(place.folder() / "repo/j.xml"), HasSubstr("failures=\"1\""));
  EXPECT_THAT(contents(place.folder() / "repo/j.xml"), HasSubstr("building the base failed"));
  const auto missing = ci("--bench ./nothing --budget 1s");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.out, HasSubstr("**failed**"));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(change, is_built_once_as_is_its_base_however_many_programs_are_measured) {
  const auto seen = place.ridge(
      "ci --build 'pwd >>\"$COUNT\" && chmod +x same source' --bench ./same --bench ./source --bench true "
      "--budget 4s --fail-on never --base main",
      "GITHUB_ACTIONS= GITLAB_CI= COUNT=" + (place.folder() / "count").string() +
          " /bin/sh -c 'cd repo && exec \"$0\" \"$@\"'");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("| `./same` | "));
  EXPECT_THAT(seen.out, HasSubstr("| `./source` | "));
  const auto places = contents(place.folder() / "count");
  EXPECT_EQ(std::ranges::count(places, '\n'), 2) << places;
  const auto first = places.substr(0, places.find('\n') + 1);
  EXPECT_NE(places, first + first) << "the two commits were built in one folder";
}

TEST_F(change, without_a_base_is_refused) {
  EXPECT_EQ(ci("--bench ./same --base nosuch").code, 64);
  EXPECT_EQ(ci("--bench ./same --base slower").code, 64);
  EXPECT_EQ(ci("").code, 64);
  const auto alone = place.ridge("ci --bench true", "/bin/sh -c 'cd / && exec \"$0\" \"$@\"'");
  EXPECT_EQ(alone.code, 64);
  EXPECT_THAT(alone.err, HasSubstr("in no repository"));
}

// A build that puts its compilers into sessions of their own, as builders do, is stopped with them.
TEST_F(change, is_interrupted_with_its_builds_and_checkouts) {
  const auto folder = place.folder().string();
  const pid_t id = fork();
  if (id == 0) {
    if (chdir((place.folder() / "repo").c_str()) != 0) _exit(1);
    setenv("TMPDIR", (folder + "/tmp").c_str(), 1);
    const auto line = "setsid --wait sh -c 'echo $$ >" + folder + "/compiler; sleep 100'; true";
    execl(RIDGE_PROGRAM, "ridge", "ci", "--base", "main", "--bench", "true", "--build", line.c_str(),
          nullptr);
    _exit(127);
  }
  for (int i = 0; i < 1000 && contents(place.folder() / "compiler").empty(); ++i) usleep(10'000);
  const pid_t compiler = std::atoi(contents(place.folder() / "compiler").c_str());
  ASSERT_GT(compiler, 0);
  const auto start = std::chrono::steady_clock::now();
  kill(id, SIGINT);
  int status = 0;
  waitpid(id, &status, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10))
      << "the build would take 100 s";
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(runs(compiler));
  EXPECT_TRUE(nothing_is_left());
}

}  // namespace
}  // namespace ridge::cli
