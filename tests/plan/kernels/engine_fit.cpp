// SPDX-License-Identifier: Apache-2.0
#include "engine_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace ridge::plan_test {
namespace {

using plan::kernels::engine_profile;

struct choice {
  std::string name{};
  std::vector<double> values{};
  std::function<double&(engine_profile&)> constant{};
};

// The values to try for each constant, within physical bounds: the host time per step is at most
// milliseconds.
std::vector<choice> choices() {
  return {
      {"flop",
       {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1},
       [](engine_profile& e) -> double& { return e.scaling.flop; }},
      {"bandwidth",
       {0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1},
       [](engine_profile& e) -> double& { return e.scaling.bandwidth; }},
      {"step",
       {0, 0.25e-3, 0.5e-3, 0.75e-3, 1e-3, 1.5e-3, 2e-3, 3e-3},
       [](engine_profile& e) -> double& { return e.overheads.step_s; }},
      {"sequence",
       {0, 5e-6, 1e-5, 1.5e-5, 2e-5, 3e-5, 4e-5, 6e-5},
       [](engine_profile& e) -> double& { return e.overheads.sequence_s; }},
      {"hidden_step",
       {0, 1e-3, 2e-3, 3e-3, 4e-3, 6e-3},
       [](engine_profile& e) -> double& { return e.overheads.hidden_step_s; }},
      {"hidden_sequence",
       {0, 2e-5, 4e-5, 6e-5, 8e-5, 1e-4},
       [](engine_profile& e) -> double& { return e.overheads.hidden_sequence_s; }},
      {"launch",
       {0, 4e-6, 8e-6, 16e-6, 24e-6, 32e-6, 48e-6, 64e-6},
       [](engine_profile& e) -> double& { return e.overheads.kernel_launch_s; }},
      {"request",
       {0, 5e-3, 10e-3, 15e-3, 20e-3, 30e-3, 40e-3, 60e-3, 80e-3, 100e-3},
       [](engine_profile& e) -> double& { return e.overheads.request_s; }},
      {"front_end",
       {0, 0.5e-3, 1e-3, 2e-3, 3e-3, 5e-3, 8e-3},
       [](engine_profile& e) -> double& { return e.overheads.front_end_s; }},
  };
}

constexpr double cap_tpot = 0.5, cap_ttft = 0.7, weight_ttft = 0.5;

class descent {
 public:
  descent(const std::vector<silicon_row>& rows, const std::vector<silicon_model*>& paths,
          engine_profile start)
      : rows_(&rows), paths_(&paths), best_(std::move(start)), least_(error_of(best_)) {}

  // Whether a round along all constants has found a better profile.
  bool improve() {
    const double before = least_;
    for (const auto tokens : {2048, 4096, 8192, 16384}) {
      auto e = best_;
      e.max_batched_tokens = tokens;
      consider(e);
    }
    for (const auto& c : choices()) {
      const auto from = best_;
      for (const double v : c.values) {
        auto e = from;
        if (c.constant(e) == v) continue;
        c.constant(e) = v;
        consider(e);
      }
      fmt::print(stderr, "  {:<16} {:.4g}  error {:.4f}\n", c.name, c.constant(best_), least_);
    }
    return least_ < before;
  }
  [[nodiscard]] const engine_profile& best() const { return best_; }

 private:
  void consider(const engine_profile& e) {
    constexpr double noticed = 1e-5;
    const double here = error_of(e);
    if (here < least_ - noticed) best_ = e, least_ = here;
  }
  double error_of(const engine_profile& e) {
    const auto off = [](double predicted, double measured, double cap) {
      return std::min(std::abs(std::log(predicted / measured)), cap);
    };
    double sum = 0;
    for (const auto& r : *rows_)
      for (auto* path : *paths_) {
        const auto p = path->predict(r, e);
        if (!p) continue;
        sum += off(p->tpot_s, r.tpot_s, cap_tpot);
        if (r.ttft_s <= longest_ttft_s) sum += weight_ttft * off(p->ttft_s, r.ttft_s, cap_ttft);
      }
    return sum / static_cast<double>(paths_->size() * rows_->size());
  }

  const std::vector<silicon_row>* rows_;
  const std::vector<silicon_model*>* paths_;
  engine_profile best_;
  double least_;
};

}  // namespace

engine_profile fit_engine(const std::string& engine, const std::vector<silicon_row>& rows,
                          const std::vector<silicon_model*>& paths) {
  auto start = plan::kernels::engine_named(engine).value();
  start.scaling = {.flop = 0.85};
  start.overheads = {.engine = engine, .step_s = 0.75e-3, .request_s = 20e-3, .front_end_s = 1e-3};
  start.max_batched_tokens = 8192;
  descent search(rows, paths, start);
  constexpr int rounds = 2;
  for (int round = 0; round < rounds && search.improve(); ++round) {
  }
  auto found = search.best();
  found.rows = static_cast<std::int64_t>(rows.size());
  return found;
}

std::vector<silicon_row> thinned(const std::vector<silicon_row>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<silicon_row> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(rows[i * rows.size() / most]);
  return some;
}

}  // namespace ridge::plan_test
