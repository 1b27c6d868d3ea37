// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/app/context.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/harness/listener.hpp>
#include <ridge/report/render.hpp>
#include <ridge/store/store.hpp>

namespace ridge::app {

// Stores and prints a run while it is measured: each family is first committed, then printed. A store that
// fails is reported once and not used again; the run continues. A null store keeps nothing.
class run_reporter final : public harness::listener {
 public:
  // `budget_s` bounds the remaining time that is shown; 0: no bound.
  run_reporter(const context& program, report::format format, std::unique_ptr<store::store> keep,
               double budget_s = 0);

  void run_started(const model::run& header) override;
  void advanced(const harness::progress& progress) override;
  void family_finished(const model::run& header, const model::family& f) override;
  void run_finished(const model::run& whole) override;
  [[nodiscard]] bool wants_stop() const override;

 private:
  void stored(const std::function<void(store::store&)>& action);
  const context& program_;
  report::format format_;
  report::options look_;
  std::unique_ptr<store::store> store_;
  progress_line line_;
  double budget_s_;
  double started_s_ = 0;
};

}  // namespace ridge::app
