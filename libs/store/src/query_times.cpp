// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include <ridge/base/expects.hpp>
#include <ridge/store/store_scale.hpp>

namespace ridge::store {

query_time measure_query(std::string name, std::size_t trials,
                         const std::function<std::size_t(std::size_t)>& query) {
  query_time seen{.query = std::move(name), .trials = trials};
  std::vector<double> times;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    seen.rows = query(trial);
    const auto spent = std::chrono::steady_clock::now() - start;
    times.push_back(std::chrono::duration<double>(spent).count());
    // Requests are seldom back to back. Where the system meters the processor's time, a query would pay for
    // those before it.
    std::this_thread::sleep_for(spent / 8);
  }
  std::ranges::sort(times);
  const auto at = [&](double q) {
    return times[static_cast<std::size_t>(std::ceil(q * static_cast<double>(trials))) - 1];
  };
  seen.p50_s = at(0.5);
  seen.p99_s = at(0.99);
  return seen;
}

namespace {

// What the trials choose from.
struct choices {
  choices(store& source, const store_scale& size, std::size_t seed) : random(seed), runs(size.runs) {
    series = source.series({});
    workloads = source.workloads({});
    expects(!series.empty(), "measure_queries: fill() has filled the store");
    longest = *std::ranges::max_element(series, {}, &model::measured_series::points);
  }
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  }
  std::string run(const store_scale& size) { return generated_run(below(runs), size).id; }
  const model::workload& workload() { return workloads[below(workloads.size())]; }

  std::mt19937_64 random;
  std::size_t runs;
  std::vector<model::measured_series> series{};
  std::vector<model::workload> workloads{};
  model::measured_series longest{};
};

// A query and its name.
struct named_query {
  std::string name;
  std::function<std::size_t(std::size_t)> rows{};  // of a trial
};

std::vector<named_query> queries_of_runs(store& s, choices& c, const store_scale& size) {
  return {
      {"runs: the newest page", [&](auto) { return s.runs({.limit = 50}).size(); }},
      {"runs: any page", [&, size](auto) { return s.runs({.before = c.run(size), .limit = 50}).size(); }},
      {"runs: a page of one experiment",
       [&, size](auto) {
         return s.runs({.experiment = c.workload().experiment, .before = c.run(size), .limit = 50}).size();
       }},
      {"runs: a page of a chapter",
       [&, size](auto) {
         return s.runs({.experiment = "ch07.*", .before = c.run(size), .limit = 50}).size();
       }},
      {"runs: a page of nothing that there is",
       [&](auto) { return s.runs({.experiment = "ch99.*"}).size(); }},
      {"load: one run", [&, size](auto) { return s.load(c.run(size))->families.size(); }},
      {"load: an id that begins several", [&](auto) { return s.load("01GEN").ok() ? 1U : 0U; }},
      {"counts", [&](auto) { return s.counts().runs; }},
  };
}

std::vector<named_query> queries_of_comparisons(store& s, choices& c) {
  return {
      {"history: the newest 1,000", [&](auto) { return s.history({}).size(); }},
      {"history: the newest 100 of one experiment",
       [&](auto) { return s.history({.experiment = c.workload().experiment, .limit = 100}).size(); }},
      {"history: the newest 100 of a chapter",
       [&](auto) { return s.history({.experiment = "ch07.*", .limit = 100}).size(); }},
      {"history: of one problem and variant",
       [&](auto) {
         const auto& w = c.workload();
         return s
             .history({.experiment = w.experiment, .problem = w.problem, .candidate = "tiled", .limit = 100})
             .size();
       }},
      {"history: of a variant that there is not",
       [&](auto) { return s.history({.candidate = "none", .limit = 100}).size(); }},
      {"history: 100 with their checks",
       [&](auto) { return s.history({.limit = 100, .with_checks = true}).size(); }},
  };
}

std::vector<named_query> queries_of_series(store& s, choices& c) {
  return {
      {"workloads: all", [&](auto) { return s.workloads({}).size(); }},
      {"workloads: of a chapter and machine",
       [&](auto) { return s.workloads({.experiment = "ch07.*", .machine = c.workload().machine}).size(); }},
      {"latest: all workloads", [&](auto) { return s.latest({}).size(); }},
      {"latest: one experiment",
       [&](auto) { return s.latest({.experiment = c.workload().experiment}).size(); }},
      {"series: all", [&](auto) { return s.series({}).size(); }},
      {"series: of one variant and problem",
       [&](auto) { return s.series({.problem = c.workload().problem, .variant = "tiled"}).size(); }},
      {"points: the longest series", [&](auto) { return s.points({.series = c.longest.id}).size(); }},
      {"points: the newest 100 of it",
       [&](auto) { return s.points({.series = c.longest.id, .limit = 100}).size(); }},
      {"points: any series",
       [&](auto) { return s.points({.series = c.series[c.below(c.series.size())].id}).size(); }},
      {"environment",
       [&](auto) {
         const auto newest = s.points({.series = c.series[c.below(c.series.size())].id, .limit = 1});
         return s.environment(newest.at(0).environment)->facts.size();
       }},
      {"notes", [&](auto) { return s.notes().size(); }},
  };
}

}  // namespace

std::vector<query_time> measure_queries(store& source, const store_scale& scale, std::size_t trials) {
  choices chosen(source, scale, 20'251'120);
  std::vector<query_time> all;
  for (const auto& group : {queries_of_runs(source, chosen, scale), queries_of_comparisons(source, chosen),
                            queries_of_series(source, chosen)})
    for (const auto& [name, rows] : group) all.push_back(measure_query(name, trials, rows));
  return all;
}

}  // namespace ridge::store
