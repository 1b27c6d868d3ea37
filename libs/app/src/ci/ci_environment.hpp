// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ridge::app {

// What a CI system says of the job by the variables that it documents.
struct ci_environment {
  std::string system{"shell"};       // "GitHub Actions", "GitLab CI" or "shell"
  std::vector<std::string> bases{};  // names of what the change is against, the first that exists counts
  std::string summary_file{};        // Markdown that is appended here is shown with the job; empty: none
};

// Returns the value of a variable; empty where it is not set.
using variable_reader = std::function<std::string(const std::string& name)>;

// GitHub Actions: GITHUB_ACTIONS, GITHUB_BASE_REF (of a pull request), GITHUB_STEP_SUMMARY. GitLab:
// GITLAB_CI, CI_MERGE_REQUEST_DIFF_BASE_SHA, CI_MERGE_REQUEST_TARGET_BRANCH_NAME, CI_COMMIT_BEFORE_SHA. A job
// that is no pull request and a shell on the default branch compare with the commit before; a shell elsewhere
// with the default branch.
[[nodiscard]] ci_environment ci_environment_of(const variable_reader& read);

// Adds Markdown to the summary that GitHub Actions shows with the job, which is the file of this path. Throws
// io_failure.
void append_to_summary(const std::string& path, const std::string& text);

}  // namespace ridge::app
