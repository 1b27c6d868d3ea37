// SPDX-License-Identifier: Apache-2.0
#include "ci/ci_environment.hpp"

#include <cerrno>
#include <fstream>

#include <ridge/base/error.hpp>

namespace ridge::app {
namespace {

// A push that makes a branch has no commit before: GitLab writes zeros.
bool is_commit(const std::string& id) { return id.find_first_not_of('0') != std::string::npos; }

void add_branch(std::vector<std::string>& bases, const std::string& branch) {
  if (branch.empty()) return;
  bases.push_back("origin/" + branch);
  bases.push_back(branch);
}

}  // namespace

ci_environment ci_environment_of(const variable_reader& read) {
  ci_environment made;
  if (read("GITHUB_ACTIONS") == "true") {
    made.system = "GitHub Actions";
    made.summary_file = read("GITHUB_STEP_SUMMARY");
    add_branch(made.bases, read("GITHUB_BASE_REF"));
    if (made.bases.empty()) made.bases.emplace_back("HEAD^");
  } else if (read("GITLAB_CI") == "true") {
    made.system = "GitLab CI";
    if (const auto base = read("CI_MERGE_REQUEST_DIFF_BASE_SHA"); !base.empty()) made.bases.push_back(base);
    add_branch(made.bases, read("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"));
    if (const auto before = read("CI_COMMIT_BEFORE_SHA"); made.bases.empty() && is_commit(before))
      made.bases.push_back(before);
    if (made.bases.empty()) made.bases.emplace_back("HEAD^");
  } else {
    made.bases = {"origin/HEAD", "origin/main", "origin/master", "main", "master", "HEAD^"};
  }
  return made;
}

void append_to_summary(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::app);
  file << text << '\n';
  if (!file.flush())
    throw io_failure("write", path, errno, "GITHUB_STEP_SUMMARY names this file: unset it outside of a job");
}

}  // namespace ridge::app
