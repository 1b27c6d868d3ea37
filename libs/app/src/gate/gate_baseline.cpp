// SPDX-License-Identifier: Apache-2.0
#include "gate/gate_baseline.hpp"

#include <fmt/format.h>

#include <ridge/app/results_store.hpp>

#include "builds/checkout.hpp"
#include "stored/named_run.hpp"

namespace ridge::app {

built_commit commit_of_build(const std::string& build) {
  const auto open = build.find('('), close = build.find(')', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  built_commit made{.id = build.substr(open + 1, close - open - 1)};
  made.changed = made.id.ends_with('+');
  if (made.changed) made.id.pop_back();
  if (made.id.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  return made;
}

result<gate_baseline> gate_baseline::named(store::store& results, const std::string& word) {
  gate_baseline made(results);
  if (const auto repository = repository_here()) {
    if (const auto commit = commit_named(*repository, word)) {
      made.repository_ = *repository;
      made.commit_ = *commit;
      return made;
    }
  }
  if (!names_a_run(word) || names_a_file(word) || word == "last")
    return error{
        fmt::format("\"{}\" is neither a commit of the repository around this folder nor a stored run", word),
        "`git log` names commits, `ridge history --runs` names runs"};
  const auto run = load_run(results, word);
  if (!run) return run.why();
  made.last_run_ = run->id;
  return made;
}

bool gate_baseline::holds(const model::measured_point& point) const {
  if (!last_run_.empty()) return point.run <= last_run_;
  const auto known = known_.find(point.environment);
  if (known != known_.end()) return known->second;
  return known_[point.environment] = environment_counts(point.environment);
}

bool gate_baseline::environment_counts(std::int64_t number) const {
  const auto environment = results_->environment(number);
  if (!environment) return false;
  const auto built = commit_of_build(environment->build);
  if (built.id.empty() || built.changed) return false;
  const auto commit = commit_named(repository_, built.id);
  if (!commit) return false;
  const auto common = merge_base(repository_, *commit, commit_);
  return common && *common == *commit;
}

std::string gate_baseline::text() const {
  constexpr std::size_t shown_of_commit = 9;
  return last_run_.empty() ? "commit " + commit_.substr(0, shown_of_commit) : "run " + last_run_;
}

}  // namespace ridge::app
