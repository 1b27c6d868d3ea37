// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/store/store.hpp>

namespace ridge::app {

// The commit that a build names: "ridge 0.1.0 (cebb7d8+)" gives "cebb7d8", with files that differed from it.
struct built_commit {
  std::string id{};  // as short as it stands there; empty: the build names none
  bool changed = false;
};
[[nodiscard]] built_commit commit_of_build(const std::string& build);

// The runs that a gate compares with: those up to one run, or those of builds of a commit and its ancestors.
class gate_baseline final {
 public:
  // Reads RUN (`last` is none of them) or REV of the repository around the working folder; `results` must
  // outlive this object. An error says that the word is neither.
  [[nodiscard]] static result<gate_baseline> named(store::store& results, const std::string& word);

  // Returns whether a run belongs to the baseline. Builds with files that differed from their commit do not,
  // nor do those of commits that the repository does not know.
  [[nodiscard]] bool holds(const model::measured_point& point) const;
  // Returns "run 01ABC..." or "commit 1234567".
  [[nodiscard]] std::string text() const;
  // Returns the commit; empty where a run was named.
  [[nodiscard]] const std::string& commit() const { return commit_; }

 private:
  explicit gate_baseline(store::store& results) : results_(&results) {}
  [[nodiscard]] bool environment_counts(std::int64_t number) const;

  store::store* results_;
  std::string last_run_{};    // or
  std::string repository_{};  // with
  std::string commit_{};
  mutable std::map<std::int64_t, bool> known_{};  // environments that were asked about
};

}  // namespace ridge::app
