// SPDX-License-Identifier: Apache-2.0
// Computes the 90 % bands of served latencies from rows whose model, or whose GPU, the prediction had never
// seen. plan_fit_bands prints them; plan_fit_bands DATE writes them to stdout as
// libs/plan/data/serving_bands.json.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/plan/serve/prediction_band.hpp>

#include "engine_fit.hpp"
#include "left_out.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan_test;
using plan::serve::band_entry;
using plan::serve::kernel_origin;

constexpr double tail = 0.05;

// ln(measured / predicted) of each row, by deployment: an engine's model on a GPU.
using residuals = std::map<std::string, std::vector<double>>;

struct latency {
  std::string name{};
  residuals by_deployment{};
};

std::vector<latency> residuals_of(const silicon_rows& rows, left_out_model& model) {
  std::vector<latency> all{{"ttft"}, {"tpot"}, {"e2e"}};
  for (const auto& r : rows.rows) {
    const auto p = model.predict(r);
    if (!p) continue;
    const auto deployment = r.engine + " " + r.gpu + " " + group_of(r, left_out::model);
    const double more = static_cast<double>(r.output_tokens - 1);
    const auto add = [&](latency& l, double measured, double predicted) {
      l.by_deployment[deployment].push_back(std::log(measured / predicted));
    };
    if (r.ttft_s <= longest_ttft_s) add(all[0], r.ttft_s, p->ttft_s);
    add(all[1], r.tpot_s, p->tpot_s);
    add(all[2], r.ttft_s + more * r.tpot_s, p->ttft_s + more * p->tpot_s);
  }
  return all;
}

// A deployment weighs as the root of its rows.
struct weighted {
  double value = 0, weight = 0;
};

std::vector<weighted> pooled(const residuals& all, const std::string& without) {
  std::vector<weighted> some;
  for (const auto& [deployment, values] : all) {
    if (deployment == without) continue;
    for (const double v : values) some.push_back({v, 1 / std::sqrt(static_cast<double>(values.size()))});
  }
  std::ranges::sort(some, {}, &weighted::value);
  return some;
}

double quantile(const std::vector<weighted>& sorted, double share) {
  double sum = 0, until = 0;
  for (const auto& w : sorted) sum += w.weight;
  for (const auto& w : sorted) {
    until += w.weight;
    if (until >= share * sum) return w.value;
  }
  return sorted.back().value;
}

// The share of all rows that lie in the band of the other deployments.
double coverage(const residuals& all) {
  double inside = 0, rows = 0;
  for (const auto& [deployment, values] : all) {
    const auto others = pooled(all, deployment);
    const double low = quantile(others, tail), high = quantile(others, 1 - tail);
    for (const double v : values) inside += v >= low && v <= high ? 1 : 0;
    rows += static_cast<double>(values.size());
  }
  return inside / rows;
}

double rounded(double x) { return std::round(x * 1000) / 1000; }

band_entry entry_of(const latency& l, kernel_origin origin) {
  const auto all = pooled(l.by_deployment, {});
  band_entry e{.latency = l.name, .kernels = origin};
  e.band.low = rounded(std::min(1.0, std::exp(quantile(all, tail))));
  e.band.high = rounded(std::max(1.0, std::exp(quantile(all, 1 - tail))));
  e.band.coverage = rounded(coverage(l.by_deployment));
  e.band.rows = static_cast<std::int64_t>(all.size());
  e.band.groups = static_cast<std::int64_t>(l.by_deployment.size());
  return e;
}

void print(const band_entry& e) {
  fmt::print(
      "{:<5} kernels {:<8} {:.2f} to {:.2f} of the prediction; holds {:.1f} % of the rows of deployments "
      "left out\n",
      e.latency, plan::serve::name_of(e.kernels), e.band.low, e.band.high, 100 * e.band.coverage);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "plan_fit_bands [DATE]\n");
    return 2;
  }
  const auto rows = read_silicon(data_folder() / "serving/silicon/ttft_tpot.csv");
  const auto constants = left_out_constants();
  if (!rows || !constants) {
    fmt::print(stderr, "{}\n", (rows ? constants.why() : rows.why()).text());
    return rows ? 1 : 77;
  }
  std::vector<band_entry> all;
  for (const auto& [kind, origin] : {std::pair(left_out::model, kernel_origin::measured),
                                     std::pair(left_out::gpu, kernel_origin::borrowed)}) {
    left_out_model model(*constants, kind);
    for (const auto& l : residuals_of(*rows, model)) all.push_back(entry_of(l, origin));
  }
  if (argc < 2)
    for (const auto& e : all) print(e);
  else
    fmt::print("{}\n",
               plan::serve::bands_json(
                   all, "aiconfigurator's measured TTFT and TPOT on H100 and H200, closed loop", argv[1]));
  return 0;
}
