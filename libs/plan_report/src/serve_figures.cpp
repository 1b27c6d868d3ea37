// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/plan_report/serve_page.hpp>

namespace ridge::plan_report {
namespace {

using plan::serve::latency_summary;

struct latency {
  const char* id;
  const char* label;
  const latency_summary* summary;
  const plan::serve::prediction_band* band;
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
          .low_factor = l.band->low,
          .high_factor = l.band->high};
}

}  // namespace

plan::derivation serve_derivation(const serve_view& v, bool profiled) {
  const auto& s = *v.summary;
  const auto& bands = v.bands;
  plan::derivation all;
  for (const auto& l :
       {latency{"ttft", "Time to the first token", &s.ttft, &bands.ttft, "first token - arrival"},
        latency{"tpot", "Time per output token", &s.tpot, &bands.tpot, "(end - first token) / (tokens - 1)"},
        latency{"e2e", "Whole request", &s.e2e, &bands.e2e, "end - arrival"}}) {
    if (l.summary->count == 0) continue;
    all.push_back(figure_of(l, "mean", l.summary->mean_s, v, profiled));
    all.push_back(figure_of(l, "p50", l.summary->p50_s, v, profiled));
    all.push_back(figure_of(l, "p95", l.summary->p95_s, v, profiled));
  }
  return all;
}

}  // namespace ridge::plan_report
