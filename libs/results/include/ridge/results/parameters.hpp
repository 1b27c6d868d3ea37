// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/results/analysis.hpp>
#include <ridge/store/store.hpp>

namespace ridge::results {

// The parameters that choose workloads, which most analyses have: experiment, machine, backend, problem.
[[nodiscard]] std::vector<parameter> workload_parameters();
// The same, followed by others.
[[nodiscard]] std::vector<parameter> workload_parameters_and(std::vector<parameter> others);
// The query that they ask for.
[[nodiscard]] store::workload_query workloads_asked_for(const arguments& given);

// What a sheet says where the store has nothing for it.
[[nodiscard]] std::string nothing_measured(const store::workload_query& query);

}  // namespace ridge::results
