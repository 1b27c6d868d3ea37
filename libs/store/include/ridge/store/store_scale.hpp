// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ridge/store/store.hpp>

// A large store of generated results, and how long its queries take.
namespace ridge::store {

// How large the store is: so many runs of one family each, whose five variants share the samples of the run;
// workloads on two machines, of which the first is measured by every tenth run, or by all where it is the
// only one.
struct store_scale {
  std::size_t runs = 100'000;
  std::size_t samples_per_run = 50;
  std::size_t workloads = 1000;
};

// Returns the run of this number: the same for the same scale, with values that are drawn from its number.
// Ids sort by number; every series shifts by 3 % at its middle.
[[nodiscard]] model::run generated_run(std::size_t number, const store_scale& scale);

// Enters the generated runs that the store does not hold yet, and 100 notes, and returns how many runs it
// entered; an error where the store holds any other run. `progress` is told how many runs are done.
[[nodiscard]] result<std::size_t> fill(store& target, const store_scale& scale,
                                       const std::function<void(std::size_t)>& progress = {});

// How long one query takes: quantiles of its trials, of which each has parameters of its own.
struct query_time {
  std::string query{};   // "points of the longest series"
  std::size_t rows = 0;  // of the last trial
  std::size_t trials = 0;
  double p50_s = 0, p99_s = 0;
};

// Measures one query: `query` is called with the number of the trial and returns how many rows it saw.
[[nodiscard]] query_time measure_query(std::string name, std::size_t trials,
                                       const std::function<std::size_t(std::size_t)>& query);

// Measures every query of the interface on a store that fill() made, `trials` times each.
[[nodiscard]] std::vector<query_time> measure_queries(store& source, const store_scale& scale,
                                                      std::size_t trials);

// Returns how many samples a second are entered in runs of 1,000 families with 1,000 samples each, whose
// making is not timed. Adds `runs` runs to the store.
[[nodiscard]] double measure_bulk(store& target, std::size_t runs);

}  // namespace ridge::store
