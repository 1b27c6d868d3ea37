// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/changes/kept_searches.hpp>
#include <ridge/changes/series_changes.hpp>
#include <ridge/store/store.hpp>

namespace ridge::changes {

// Searches every series that the query chooses, in one pass, with what was said of the changes and what
// differs between the environments beside them; by workload, variant and metric. Throws store_failure.
[[nodiscard]] std::vector<series_changes> changes_of(store::store& results,
                                                     const store::workload_query& query,
                                                     const rules& rules = {});

// What a pass found in the time that it had.
struct partial_changes {
  std::vector<series_changes> found{};
  std::size_t not_searched = 0;  // series that wait for a later pass
};

// The same, but series that `kept` has are not searched again, and others only while `may_search` returns
// true.
[[nodiscard]] partial_changes changes_of(store::store& results, const store::workload_query& query,
                                         const rules& rules, kept_searches& kept,
                                         const std::function<bool()>& may_search);

// Searches into `kept` what changes_of() with the same query would search; returns how many series are left
// when `may_search` returns false.
[[nodiscard]] std::size_t search_ahead(store::store& results, const store::workload_query& query,
                                       const rules& rules, kept_searches& kept,
                                       const std::function<bool()>& may_search);

// Keeps what a person said of a change of this series at this run. An error names the states, or says that
// the series has no such run.
[[nodiscard]] result<model::change_note> triage(store::store& results, const model::measured_series& series,
                                                const std::string& run, const std::string& state,
                                                const std::string& note, const std::string& stated);

}  // namespace ridge::changes
