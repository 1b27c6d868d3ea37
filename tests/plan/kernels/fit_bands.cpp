// SPDX-License-Identifier: Apache-2.0
// Computes the 90 % bands of served latencies from rows whose model, or whose GPU, the prediction had never
// seen. plan_fit_bands prints them; plan_fit_bands DATE writes them to stdout as
// libs/plan/data/serving_bands.json. `residuals` lists what they are made of; `compare` holds bands by engine
// against the pooled one, chosen on half of the deployments and judged on the others.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
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

void list(const latency& l, kernel_origin origin) {
  for (const auto& [deployment, values] : l.by_deployment)
    for (const double v : values)
      fmt::print("{},{},{},{:.5f}\n", plan::serve::name_of(origin), l.name, deployment, v);
}

// ---- Bands by engine: whether they hold as often as the pooled one and are narrower.

std::string engine_of(const std::string& deployment) { return deployment.substr(0, deployment.find(' ')); }

residuals of_engine(const residuals& all, const std::string& engine) {
  residuals some;
  for (const auto& [deployment, values] : all)
    if (engine_of(deployment) == engine) some[deployment] = values;
  return some;
}

// The median of an engine's residuals, drawn towards that of all by as much as `drawn` deployments weigh.
double centre_of(const residuals& all, const std::string& engine, double drawn) {
  const double common = quantile(pooled(all, {}), 0.5);
  const auto own = of_engine(all, engine);
  if (own.empty()) return common;
  const double n = static_cast<double>(own.size());
  return common + (quantile(pooled(own, {}), 0.5) - common) * n / (n + drawn);
}

struct log_band {
  double low = 0, high = 0;
};
log_band tails_of(std::vector<weighted> values, double share) {
  std::ranges::sort(values, {}, &weighted::value);
  return {quantile(values, share), quantile(values, 1 - share)};
}

log_band pooled_band(const residuals& known, const std::string&, double share) {
  return tails_of(pooled(known, {}), share);
}
// Mondrian: the engine's own quantiles, those of all where it has but one other deployment.
log_band engine_band(const residuals& known, const std::string& target, double share) {
  const auto own = of_engine(known, engine_of(target));
  return tails_of(pooled(own.size() >= 2 ? own : known, {}), share);
}
// Quantiles of all residuals about the centre that their engine has without them, about the engine's centre.
log_band centred_band(const residuals& known, const std::string& target, double share) {
  constexpr double drawn = 2;
  std::vector<weighted> about;
  for (const auto& [deployment, values] : known) {
    auto rest = known;
    rest.erase(deployment);
    const double centre = centre_of(rest, engine_of(deployment), drawn);
    for (const double v : values)
      about.push_back({v - centre, 1 / std::sqrt(static_cast<double>(values.size()))});
  }
  const auto band = tails_of(std::move(about), share);
  const double centre = centre_of(known, engine_of(target), drawn);
  return {centre + band.low, centre + band.high};
}

// FNV-1a: which half of the deployments a method is chosen on, and which judges it.
bool chooses(const std::string& deployment) {
  std::uint64_t hash = 1469598103934665603U;
  for (const char c : deployment) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash % 2 == 0;
}

struct held {
  double rows = 0, width = 0;  // share of the rows inside; mean of ln(high / low)
};
// Each deployment of a half by the band of the others: of its half alone while choosing, of all when judging.
template <class Band>
held hold(const residuals& all, bool choosing, Band band, double share) {
  double inside = 0, rows = 0, width = 0, targets = 0;
  for (const auto& [target, values] : all) {
    if (chooses(target) != choosing) continue;
    auto known = all;
    std::erase_if(known, [&](const auto& d) { return d.first == target || (choosing && !chooses(d.first)); });
    auto b = band(known, target, share);
    b.low = std::min(b.low, 0.0), b.high = std::max(b.high, 0.0);
    for (const double v : values) inside += v >= b.low && v <= b.high ? 1 : 0;
    rows += static_cast<double>(values.size());
    width += b.high - b.low;
    ++targets;
  }
  return {inside / rows, width / targets};
}

void compare(const latency& l, kernel_origin origin) {
  const auto line = [&](const char* name, auto band, double share) {
    const auto chosen = hold(l.by_deployment, true, band, share),
               judged = hold(l.by_deployment, false, band, share);
    fmt::print(
        "{:<4} {:<8} {:<16} tails of {:.1f} %: choosing {:.1f} % of rows, width {:.2f}; judging {:.1f} %, "
        "{:.2f}\n",
        l.name, plan::serve::name_of(origin), name, 100 * share, 100 * chosen.rows, chosen.width,
        100 * judged.rows, judged.width);
  };
  for (const double share : {0.05, 0.06, 0.075}) {
    line("pooled", pooled_band, share);
    line("by engine", engine_band, share);
    line("centre by engine", centred_band, share);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "plan_fit_bands [DATE | residuals | compare]\n");
    return 2;
  }
  const auto rows = read_silicon(data_folder() / "serving/silicon/ttft_tpot.csv");
  const auto constants = left_out_constants();
  if (!rows || !constants) {
    fmt::print(stderr, "{}\n", (rows ? constants.why() : rows.why()).text());
    return rows ? 1 : 77;
  }
  const std::string mode = argc == 2 ? argv[1] : "";
  const bool residuals_alone = mode == "residuals", comparison = mode == "compare";
  if (residuals_alone) fmt::print("kernels,latency,deployment,ln_measured_over_predicted\n");
  std::vector<band_entry> all;
  for (const auto& [kind, origin] : {std::pair(left_out::model, kernel_origin::measured),
                                     std::pair(left_out::gpu, kernel_origin::borrowed)}) {
    left_out_model model(*constants, kind);
    for (const auto& l : residuals_of(*rows, model)) {
      all.push_back(entry_of(l, origin));
      if (residuals_alone) list(l, origin);
      if (comparison) compare(l, origin);
    }
  }
  if (residuals_alone || comparison) return 0;
  if (argc < 2)
    for (const auto& e : all) print(e);
  else
    fmt::print("{}\n",
               plan::serve::bands_json(
                   all, "aiconfigurator's measured TTFT and TPOT on H100 and H200, closed loop", argv[1]));
  return 0;
}
