// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/plan_report/serve_page.hpp>

namespace ridge::plan_report {
namespace {

using plan::serve::latency_summary;

// Relative half-widths of bands: the median errors of configurations that were not fitted
// (plan_silicon_accuracy), and of a real log under its own layer profile (rtx4090_accuracy), rounded up.
struct latency_bands {
  double ttft = 0.24, tpot = 0.14;
};
constexpr latency_bands fitted_times{}, profiled_times{.ttft = 0.05, .tpot = 0.03};

struct latency {
  const char* id;
  const char* label;
  const latency_summary* summary;
  double band;
  const char* formula;
};

plan::figure figure_of(const latency& l, const char* statistic, double seconds, const serve_view& v,
                       bool profiled) {
  return {.id = fmt::format("{}_{}_ms", l.id, statistic),
          .label = fmt::format("{}, {}", l.label, statistic),
          .value = seconds * 1e3,
          .unit = "ms",
          .formula = l.formula,
          .inputs = {{"requests", std::to_string(l.summary->count)},
                     {"service", v.service},
                     {"workload", v.asked->source}},
          .basis = profiled ? plan::basis::measured : plan::basis::fitted,
          .source = "simulated; " + v.times,
          .relative_band = l.band};
}

}  // namespace

plan::derivation serve_derivation(const serve_view& v, bool profiled) {
  const auto& s = *v.summary;
  const auto band = profiled ? profiled_times : fitted_times;
  plan::derivation all;
  for (const auto& l :
       {latency{"ttft", "Time to the first token", &s.ttft, band.ttft, "first token - arrival"},
        latency{"tpot", "Time per output token", &s.tpot, band.tpot, "(end - first token) / (tokens - 1)"},
        latency{"e2e", "Whole request", &s.e2e, band.tpot, "end - arrival"}}) {
    if (l.summary->count == 0) continue;
    all.push_back(figure_of(l, "p50", l.summary->p50_s, v, profiled));
    all.push_back(figure_of(l, "p95", l.summary->p95_s, v, profiled));
  }
  return all;
}

}  // namespace ridge::plan_report
