// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/stored_changes.hpp>

#include <algorithm>
#include <bit>
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

  void annotate(series_changes& seen) {
    for (auto& one : seen.changes) {
      if (const auto said = notes_.find({seen.series.id, one.run}); said != notes_.end()) {
        one.state = said->second.state;
        one.note = said->second.note;
        one.stated = said->second.stated;
      }
      if (one.environment_before != one.environment_after)
        one.environment = differences_of(one.environment_before, one.environment_after);
    }
  }

 private:
  // Many series change where one environment follows another.
  const std::vector<fact_difference>& differences_of(std::int64_t before, std::int64_t after) {
    const auto [place, is_new] = differences_.try_emplace({before, after});
    if (!is_new) return place->second;
    const auto left = results_.environment(before), right = results_.environment(after);
    if (left && right) place->second = environment_differences(*left, *right);
    return place->second;
  }

  store::store& results_;
  std::map<std::pair<std::int64_t, std::string>, model::change_note> notes_{};
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<fact_difference>> differences_{};
};

// One pass over the series that a query chooses.
class pass {
 public:
  pass(store::store& results, const store::workload_query& query, const changes::rules& rules,
       kept_searches& kept)
      : results_(results), rules_(rules), kept_(kept), series_(results.series(query)) {
    for (auto& one : results.workloads(query)) workloads_.insert_or_assign(one.id, std::move(one));
    // Resamples are made for the next power of two, so that one series more leaves what was kept right.
    tests_ = std::bit_ceil(series_.size());
  }

  // Calls `use` with what is found of each series, in order, as long as `may_search` returns true of those
  // that are not kept; returns how many it left out.
  template <class Use>
  std::size_t each(const std::function<bool()>& may_search, Use use) {
    std::size_t left = 0;
    for (const auto& one : series_) {
      if (auto known = kept_.find(one, tests_)) {
        use(std::move(*known));
      } else if (left == 0 && may_search()) {
        auto found = search(workloads_[one.workload], one, points_of(one.id), rules_, tests_);
        kept_.keep(found, tests_);
        use(std::move(found));
      } else {
        ++left;
      }
    }
    return left;
  }

  [[nodiscard]] std::vector<model::measured_point> points_of(std::int64_t series) const {
    return valued(results_.points({.series = series, .limit = rules_.newest_runs}));
  }

 private:
  store::store& results_;
  const changes::rules& rules_;
  kept_searches& kept_;
  std::vector<model::measured_series> series_;
  std::map<std::int64_t, model::workload> workloads_{};
  std::size_t tests_ = 0;
};

}  // namespace

partial_changes changes_of(store::store& results, const store::workload_query& query, const rules& rules,
                           kept_searches& kept, const std::function<bool()>& may_search) {
  pass searched(results, query, rules, kept);
  partial_changes made;
  made.not_searched =
      searched.each(may_search, [&](series_changes found) { made.found.push_back(std::move(found)); });
  correct_together(
      made.found, [&](const series_changes& seen) { return searched.points_of(seen.series.id); }, rules);
  annotator notes(results);
  for (auto& one : made.found) notes.annotate(one);
  return made;
}

std::vector<series_changes> changes_of(store::store& results, const store::workload_query& query,
                                       const rules& rules) {
  kept_searches kept;
  return changes_of(results, query, rules, kept, [] { return true; }).found;
}

std::size_t search_ahead(store::store& results, const store::workload_query& query, const rules& rules,
                         kept_searches& kept, const std::function<bool()>& may_search) {
  return pass(results, query, rules, kept).each(may_search, [](const series_changes&) {});
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
