// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ridge/app/progress_line.hpp>
#include <ridge/base/result.hpp>

namespace ridge::app {

// Returns the root of the repository around the working folder; an error where there is none.
[[nodiscard]] result<std::string> repository_here();
// Returns the whole id of a commit by any of its names; an error where the repository knows none.
[[nodiscard]] result<std::string> commit_named(const std::string& repository, const std::string& name);
// Returns the newest common ancestor of two commits; an error where the clone holds none, as a shallow one
// may not.
[[nodiscard]] result<std::string> merge_base(const std::string& repository, const std::string& base,
                                             const std::string& head);

// The files of a commit in a folder of their own (a worktree of git), which is removed with this object and
// forgotten by the repository.
class checkout final {
 public:
  // Writes the commit into `folder`, which must not exist. Throws io_failure where git cannot;
  // interrupted_step.
  checkout(std::string repository, const std::string& commit, std::filesystem::path folder,
           progress_line& line);
  ~checkout();
  checkout(const checkout&) = delete;
  checkout& operator=(const checkout&) = delete;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  void remove() const;
  std::string repository_;
  std::filesystem::path folder_;
};

}  // namespace ridge::app
