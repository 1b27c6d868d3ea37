// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/changes/series_changes.hpp>
#include <ridge/store/store.hpp>

namespace ridge::changes {

// Searches every series that the query chooses, in one pass, with what was said of the changes and what
// differs between the environments beside them; by workload, variant and metric. Throws store_failure.
[[nodiscard]] std::vector<series_changes> changes_of(store::store& results,
                                                     const store::workload_query& query,
                                                     const rules& rules = {});

// Keeps what a person said of a change of this series at this run. An error names the states, or says that
// the series has no such run.
[[nodiscard]] result<model::change_note> triage(store::store& results, const model::measured_series& series,
                                                const std::string& run, const std::string& state,
                                                const std::string& note, const std::string& stated);

}  // namespace ridge::changes
