// SPDX-License-Identifier: Apache-2.0
#include "ceilings/roofline_source.hpp"

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/harness/runner.hpp>

#include "session/experiment_session.hpp"
#include "session/laboratory.hpp"
#include "session/run_header.hpp"
#include "session/run_settings.hpp"
#include "stored/named_run.hpp"

namespace ridge::app {
namespace {

// Shows how far a run is, without its results.
class quiet_listener final : public harness::listener {
 public:
  explicit quiet_listener(const context& program) : line_(program.err) {}
  void advanced(const harness::progress& p) override {
    const double done =
        p.total > 0 ? (static_cast<double>(p.done) + p.fraction) / static_cast<double>(p.total) : 0;
    line_.show(fmt::format("{} {} {}", bar(done), p.experiment, p.stage));
  }
  void run_finished(const model::run&) override { line_.clear(); }
  [[nodiscard]] bool wants_stop() const override { return interrupted(); }

 private:
  progress_line line_;
};

result<model::run> measured_now(const context& program, const std::vector<experiment>& chosen) {
  const run_settings shortly{.profile = "minimal"};
  const interrupt_guard guard;
  experiment_session session(program, chosen, {});
  if (const auto refused = session.prepare(shortly)) return refused->why;
  quiet_listener listener(program);
  return session.measure(listener);
}

result<model::run> newest_stored(const context& program) {
  const auto opened = open_store_for_reading(program);
  const auto last = opened ? (*opened)->runs({.limit = 1}) : decltype((*opened)->runs({})){};
  return last.empty() ? result<model::run>(ceilings_alone(program)) : load_run(**opened, last.front().id);
}

}  // namespace

model::run ceilings_alone(const context& program) {
  laboratory lab;
  auto run = run_header(program, "ceilings", 1);
  run.peak = lab.load_ceilings();
  const auto& with = lab.instruments();
  if (with.measure_gpu && !run.peak.find("cuda.copy") && harness::gpu_unavailable_because(with).empty()) {
    for (auto& c : with.measure_gpu()) run.peak.ceilings.push_back(std::move(c));
  }
  return run;
}

result<model::run> run_to_chart(const context& program, const std::vector<std::string>& words) {
  if (words.empty()) return newest_stored(program);
  if (words.size() == 1 && names_a_run(words.front())) return run_named(program, words.front());
  const auto chosen = select(program.experiments, words);
  if (chosen) return measured_now(program, *chosen);
  if (words.size() > 1) return chosen.why();
  auto stored = run_named(program, words.front());
  return stored ? stored : result<model::run>(chosen.why());
}

}  // namespace ridge::app
