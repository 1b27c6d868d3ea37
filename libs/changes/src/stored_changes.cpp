// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/stored_changes.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/changes/environment_differences.hpp>

namespace ridge::changes {
namespace {

// Adds what a person said of each change, and what differs between the environments beside it.
class annotator {
 public:
  explicit annotator(store::store& results) : results_(results) {
    for (auto& note : results.notes()) notes_.insert_or_assign({note.series, note.run}, std::move(note));
  }

  void annotate(series_changes& seen, const std::vector<model::measured_point>& points) const {
    for (auto& one : seen.changes) {
      if (const auto said = notes_.find({seen.series.id, one.run}); said != notes_.end()) {
        one.state = said->second.state;
        one.note = said->second.note;
        one.stated = said->second.stated;
      }
      const auto before = points[one.index - 1].environment, after = points[one.index].environment;
      if (before == after) continue;
      const auto left = results_.environment(before), right = results_.environment(after);
      if (left && right) one.environment = environment_differences(*left, *right);
    }
  }

 private:
  store::store& results_;
  std::map<std::pair<std::int64_t, std::string>, model::change_note> notes_{};
};

}  // namespace

std::vector<series_changes> changes_of(store::store& results, const store::workload_query& query,
                                       const rules& rules) {
  std::map<std::int64_t, model::workload> workloads;
  for (auto& one : results.workloads(query)) workloads.insert_or_assign(one.id, std::move(one));
  const auto series = results.series(query);
  std::vector<series_changes> all;
  std::vector<std::vector<model::measured_point>> points;
  for (const auto& one : series) {
    points.push_back(valued(results.points({.series = one.id, .limit = rules.newest_runs})));
    all.push_back(search(workloads[one.workload], one, points.back(), rules, series.size()));
  }
  correct_together(all, points, rules);
  const annotator notes(results);
  for (std::size_t i = 0; i < all.size(); ++i) notes.annotate(all[i], points[i]);
  return all;
}

result<model::change_note> triage(store::store& results, const model::measured_series& series,
                                  const std::string& run, const std::string& state, const std::string& note,
                                  const std::string& stated) {
  const std::vector<std::string> known(states().begin(), states().end());
  if (std::ranges::find(known, state) == known.end())
    return error{fmt::format("\"{}\" is no state of a change", state), "one of " + join(known, ", ")};
  if (results.points({.series = series.id, .first_run = run, .last_run = run}).empty())
    return error{fmt::format("series {} has no run {}", series.id, run),
                 "`ridge history ID --changes` names the runs at which it changed"};
  model::change_note said{.series = series.id, .run = run, .state = state, .note = note, .stated = stated};
  results.note(said);
  return said;
}

}  // namespace ridge::changes
