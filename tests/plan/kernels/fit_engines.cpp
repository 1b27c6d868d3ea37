// SPDX-License-Identifier: Apache-2.0
// Fits an engine's constants to half of the configurations measured on silicon, by descent along one constant
// at a time, and writes them as libs/plan/data/engines.json to stdout.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "silicon_model.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan_test;
using plan::kernels::engine_profile;

constexpr double longest_ttft_s = 60;  // beyond: an overloaded server

struct choice {
  std::string name{};
  std::vector<double> values{};
  std::function<double&(engine_profile&)> constant{};
};

// The values to try for each constant, within physical bounds: the host time per step is at most
// milliseconds.
std::vector<choice> continuous() {
  return {
      {"flop",
       {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1},
       [](engine_profile& e) -> double& { return e.scaling.flop; }},
      {"bandwidth",
       {0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2},
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

// Both ways of timing kernels, so that the constants suit either.
struct both_paths {
  silicon_model tables{data_folder() / "serving/kernels"}, shipped{std::filesystem::path{}};
};

double error_of(const std::vector<silicon_row>& rows, both_paths& paths, const engine_profile& e) {
  double sum = 0;
  for (const auto& r : rows)
    for (auto* path : {&paths.tables, &paths.shipped}) {
      const auto p = path->predict(r, e);
      if (!p) continue;
      sum += std::min(std::abs(std::log(p->tpot_s / r.tpot_s)), 0.5);
      if (r.ttft_s <= longest_ttft_s) sum += 0.5 * std::min(std::abs(std::log(p->ttft_s / r.ttft_s)), 0.7);
    }
  return sum / (2 * static_cast<double>(rows.size()));
}

bool improve(engine_profile& best, double& least, const std::vector<silicon_row>& rows, both_paths& paths) {
  bool better = false;
  const auto consider = [&](const engine_profile& e) {
    const double here = error_of(rows, paths, e);
    if (here < least - 1e-5) best = e, least = here, better = true;
  };
  for (const auto tokens : {2048, 4096, 8192, 16384}) {
    auto e = best;
    e.max_batched_tokens = tokens;
    consider(e);
  }
  auto other = best;
  other.chunked_prefill = !best.chunked_prefill;
  consider(other);
  for (const auto& c : continuous()) {
    const auto from = best;
    for (const double v : c.values) {
      auto e = from;
      if (c.constant(e) == v) continue;
      c.constant(e) = v;
      consider(e);
    }
    fmt::print(stderr, "  {:<16} {:.4g}  error {:.4f}\n", c.name, c.constant(best), least);
  }
  return better;
}

engine_profile fit(const std::string& engine, const std::vector<silicon_row>& rows, both_paths& paths) {
  engine_profile e;
  e.overheads.engine = engine;
  e.mixed = engine != "sglang";
  e.scaling.flop = 0.85;
  e.overheads.step_s = 0.75e-3, e.overheads.request_s = 20e-3, e.overheads.front_end_s = 1e-3;
  double least = error_of(rows, paths, e);
  for (int round = 0; round < 2 && improve(e, least, rows, paths); ++round)
    fmt::print(stderr, "{}: {} rows, error {:.4f}\n", engine, rows.size(), least);
  e.rows = static_cast<std::int64_t>(rows.size());
  return e;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr,
               "plan_fit_engines DATE all|first|second [ENGINE]: to all rows, or to one half of the "
               "configurations\n");
    return 2;
  }
  const std::string date = argv[1], half = argv[2];
  const auto all = read_silicon(data_folder() / "serving/silicon/ttft_tpot.csv");
  if (!all) {
    fmt::print(stderr, "{}\n", all.why().text());
    return 77;
  }
  std::vector<engine_profile> fitted;
  for (const std::string engine : {"vllm", "sglang", "trtllm"}) {
    if (argc > 3 && engine != argv[3]) continue;
    both_paths by;
    std::vector<silicon_row> rows;
    for (const auto& r : all->rows)
      if (r.engine == engine && (half == "all" || r.held_out() == (half == "second"))) rows.push_back(r);
    auto e = fit(engine, rows, by);
    e.source = "aiconfigurator's measured TTFT and TPOT on H100 and H200, closed loop";
    e.date = date;
    fitted.push_back(std::move(e));
  }
  fmt::print("{}\n", plan::kernels::engines_json(fitted));
}
