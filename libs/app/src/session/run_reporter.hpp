// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/harness/edge_record.hpp>
#include <ridge/harness/listener.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/store/store.hpp>

#include "session/duration_cache.hpp"
#include "session/remaining_time.hpp"

namespace ridge::app {

// What a run prints, and what it is going to measure.
struct run_view {
  report::format format{report::format::table};
  bool verbose = false;  // the table of every problem, also where several experiments are measured
  std::vector<harness::planned_family> families{};
  harness::run_options options{};
  std::set<std::string> missing_libraries{};  // whose variants will be skipped
  harness::edge_record* edges = nullptr;  // what was tried at edge sizes before; null: nothing will be tried
  duration_cache* durations = nullptr;    // how long problems took before; null: nobody is told what is left
};

// Stores and prints a run while it is measured: each family is first committed, then printed. As a table, one
// experiment prints the table of each of its problems; several print a line each when they are finished. A
// store that fails is reported once and not used again; the run continues. A null store keeps nothing.
class run_reporter final : public harness::listener {
 public:
  // The view holds what the session has planned.
  run_reporter(const context& program, run_view view, std::unique_ptr<store::store> keep);

  void run_started(const model::run& header) override;
  void advanced(const harness::progress& progress) override;
  void family_finished(const model::run& header, const model::family& f) override;
  void run_finished(const model::run& whole) override;
  [[nodiscard]] bool wants_stop() const override;

 private:
  void stored(const std::function<void(store::store&)>& action);
  void print_line(const model::run& header, const model::family& f);
  void print_unfinished_lines(const model::run& whole);
  using line_key = std::pair<std::string, model::backend>;
  const context& program_;
  run_view view_;
  report::options look_;
  std::unique_ptr<store::store> store_;
  progress_line line_;
  bool detailed_;
  std::optional<report::summary_lines> lines_{};
  std::set<line_key> printed_{};
  double started_s_ = 0, family_started_s_ = 0;
  remaining_time left_;
};

}  // namespace ridge::app
