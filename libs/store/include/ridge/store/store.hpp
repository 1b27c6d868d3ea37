// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/history.hpp>
#include <ridge/model/measured_series.hpp>
#include <ridge/model/run.hpp>

// The place where results are kept. A run is begun, receives its families one by one as they finish, and is
// finished.
namespace ridge::store {

struct options {
  std::string location{};    // a path or URL, as the backend understands it
  bool for_reading = false;  // nothing will be written: a store that cannot be written opens all the same
};

// Which runs store::runs returns.
struct run_query {
  std::string experiment{"*"};  // glob; only runs that hold a family of such an experiment, all runs by "*"
  std::string before{};         // only runs whose id is less: those before this one; empty: all
  std::size_t limit = 20;
};

// What a list of runs shows of one run.
struct run_entry {
  std::string id{};
  std::string started{};  // ISO 8601, UTC
  std::string machine{};
  std::string profile{};
  std::optional<double> wall_s{};  // empty: the run never finished
  std::uint64_t families = 0;
  std::uint64_t comparisons = 0;
};

// Which comparisons store::history returns.
struct history_query {
  std::string experiment{"*"};             // glob
  std::optional<std::string> problem{};    // text(problem_point)
  std::optional<std::string> candidate{};  // variant
  std::size_t limit = 1000;
  bool with_checks = false;  // the checks are most of the bytes of a comparison: read only on request
};

// Which workloads and series are returned. An absent member stands for all.
struct workload_query {
  std::string experiment{"*"};  // glob
  std::string machine{"*"};     // glob
  std::optional<model::backend> backend{};
  std::optional<std::string> problem{};  // text(problem_point)
  std::optional<std::string> variant{};  // of series() and latest()
  std::optional<std::int64_t> series{};  // the series of this id, and the workload that it belongs to
  std::size_t limit = 10'000;
};

// Which points of one series are returned.
struct point_query {
  std::int64_t series = 0;
  std::string first_run{};        // ids of runs sort by time; empty: from the first
  std::string last_run{};         // empty: to the last
  std::size_t limit = 1'000'000;  // the newest ones
};

// One open store. Not for several threads at once; several processes may open the same location. Every
// function throws store_failure when the store fails.
class store {
 public:
  virtual ~store() = default;

  // Enters a run without its families; entering the same id again replaces what was entered, not its
  // families.
  virtual void begin(const model::run& header) = 0;

  // Adds a finished family with its samples in one transaction: when this returns, the family outlives the
  // death of the process at any instant. The run must have begun.
  virtual void commit(std::string_view run_id, const model::family& finished) = 0;

  // Marks a run as complete: stores how long it took and what it left out. Its families are not looked at.
  // The run must have begun.
  virtual void finish(const model::run& whole) = 0;

  // Enters a whole run: begin, commit of each of its families and, where it `finished`, finish, in one
  // transaction. Returns false where a run of this id is held, which is left as it is: also when another
  // process enters it at the same time. When this throws, nothing of it was entered.
  virtual bool enter(const model::run& whole, bool finished) = 0;

  // Returns the entries that match the query, newest first.
  virtual std::vector<run_entry> runs(const run_query& query) = 0;
  // Returns the comparisons that match the query, newest first.
  virtual std::vector<model::stored_comparison> history(const history_query& query) = 0;

  // Returns the workloads that match the query, by machine, experiment, backend and problem.
  virtual std::vector<model::workload> workloads(const workload_query& query) = 0;
  // Returns the newest family of each workload that matches, in the same order; `variant` is not looked at.
  virtual std::vector<model::workload_result> latest(const workload_query& query) = 0;
  // Returns the series of the workloads that match, by workload, variant and metric.
  virtual std::vector<model::measured_series> series(const workload_query& query) = 0;
  // Returns the points that match the query, oldest first.
  virtual std::vector<model::measured_point> points(const point_query& query) = 0;
  // Returns the environment of this number, as workload_result and measured_point name it; an error when
  // there is none.
  virtual result<model::environment> environment(std::int64_t number) = 0;

  // Keeps what was said of a change; what was said before of the same one is kept beside it.
  virtual void note(const model::change_note& said) = 0;
  // Returns the newest note of each change, by series and run.
  virtual std::vector<model::change_note> notes() = 0;
  // Returns every note that was ever made, in the order in which they were.
  virtual std::vector<model::change_note> all_notes() = 0;

  // Returns the one run whose id starts with this text, complete with its samples; an error when there is
  // none or more than one.
  virtual result<model::run> load(std::string_view id_or_prefix) = 0;

  // Returns how many runs, families, comparisons and samples the store holds.
  virtual model::holdings counts() = 0;
};

}  // namespace ridge::store
