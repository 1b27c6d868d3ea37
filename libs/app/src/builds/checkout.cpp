// SPDX-License-Identifier: Apache-2.0
#include "builds/checkout.hpp"

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/child_process.hpp>

#include "builds/watched_step.hpp"

namespace ridge::app {
namespace {

// Returns what a short call of git prints; nothing where it fails.
std::optional<std::string> git(std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  const auto done = host::run_program({.command = words});
  if (!succeeded(done.outcome)) return std::nullopt;
  return std::string(trim(done.output));
}

}  // namespace

result<std::string> repository_here() {
  if (const auto root = git({"rev-parse", "--show-toplevel"})) return *root;
  return error{"this folder is in no repository of git", "call it inside a clone"};
}

result<std::string> commit_named(const std::string& repository, const std::string& name) {
  if (const auto id = git({"-C", repository, "rev-parse", "--verify", "--quiet", name + "^{commit}"}))
    return *id;
  return error{fmt::format("\"{}\" is not a commit of {}", name, repository),
               "fetch it, or see `git log`; a CI job needs the whole history (fetch-depth: 0, GIT_DEPTH: 0)"};
}

result<std::string> merge_base(const std::string& repository, const std::string& base,
                               const std::string& head) {
  if (const auto id = git({"-C", repository, "merge-base", base, head})) return *id;
  return error{fmt::format("{} and {} have no common ancestor in this clone", base, head),
               "a CI job needs the whole history (fetch-depth: 0, GIT_DEPTH: 0)"};
}

checkout::checkout(std::string repository, const std::string& commit, std::filesystem::path folder,
                   progress_line& line)
    : repository_(std::move(repository)), folder_(std::move(folder)) {
  try {
    const auto made = run_step(
        {"checking out " + commit.substr(0, 9),
         {"git", "-C", repository_, "worktree", "add", "--detach", "--force", folder_.string(), commit},
         ""},
        line);
    if (!made) throw failure(made.why());
  } catch (...) {
    remove();
    throw;
  }
}

checkout::~checkout() { remove(); }

void checkout::remove() const {
  const auto forget = [this] {
    return git({"-C", repository_, "worktree", "remove", "--force", "--force", folder_.string()}).has_value();
  };
  const bool forgotten = forget();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  // Git refuses to remove one that it was kept from finishing, and locks it against being pruned, until its
  // folder is gone.
  if (!forgotten) (void)forget();
  (void)git({"-C", repository_, "worktree", "prune"});
}

}  // namespace ridge::app
