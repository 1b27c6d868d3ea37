// SPDX-License-Identifier: Apache-2.0
#include "run/mode_pass.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "summary/estimates.hpp"

namespace ridge::harness {
namespace {

constexpr double short_call_s = 20e-6;
constexpr double share_of_budget = 0.25;
// Long enough that an event's tick of 32 ns is lost in it.
constexpr double graph_sample_s = 40e-6;
constexpr std::uint64_t most_calls_a_graph = 128;

model::metric metric_in(mode m) {
  if (m == mode::host_latency) return {.name = std::string(name(m))};
  return {.name = fmt::format("time ({})", name(m))};
}

protocol protocol_in(mode m, const protocol& of_session) {
  auto p = of_session;
  p.budget_s *= share_of_budget;
  p.leave_beyond = 1e9;  // each variant's own figure is wanted, not only the ratio
  if (m == mode::graph) {
    p.sample_s = graph_sample_s;
    p.single_call_s = graph_sample_s;
    p.most_iterations = most_calls_a_graph;
  }
  if (m == mode::host_latency) p.sample_s = 0;
  return p;
}

std::size_t time_among(const std::vector<metric>& metrics) {
  const auto at = std::ranges::find(metrics, reading::time, &metric::reading);
  return static_cast<std::size_t>(at - metrics.begin());
}

class one_mode {
 public:
  one_mode(model::family& f, const mode_pass& pass, mode m)
      : f_(f), pass_(pass), mode_(m), time_(time_among(pass.arms.metric_list())) {}

  void run() {
    std::vector<model::better> better;
    for (const auto& m : pass_.arms.metric_list()) better.push_back(m.definition.better);
    for (std::size_t arm = 0; arm < pass_.arms.arms(); ++arm)
      (void)pass_.arms.results().take_disagreement(arm);
    pass_.arms.sampling().set_mode(mode_);
    const auto p = protocol_in(mode_, pass_.protocol);
    const auto session = measure(pass_.arms, p, pass_.pairings, better);
    pass_.arms.sampling().set_mode(mode::cold);
    for (std::size_t arm = 0; arm < pass_.arms.arms(); ++arm) add_estimate(arm, session);
    for (const auto& r : session.results) {
      if (r.metric == time_) add_comparison(r, session);
    }
    f_.checks.push_back(check());
  }

 private:
  // Why the mode gives no figure for this arm; empty where it does.
  std::string impossible(std::size_t arm) {
    if (auto why = pass_.arms.sampling().not_recordable(arm); mode_ == mode::graph && !why.empty())
      return why;
    const auto wrong = pass_.arms.results().take_disagreement(arm);
    return wrong.empty() ? "" : "results differ: " + wrong;
  }

  void add_estimate(std::size_t arm, const session_record& session) {
    auto& m = f_.measurements[pass_.measurement_of[arm]];
    auto why = impossible(arm);
    measured_.push_back(why.empty());
    if (!why.empty()) {
      without_.push_back(fmt::format("{}: {}", m.variant, why));
      return;
    }
    m.metrics.push_back(estimate_of(metric_in(mode_), session.arms[arm].values[time_]));
    if (mode_ != mode::host_latency) return;
    for (auto& q : quantiles_of(metric_in(mode_).name, pass_.arms.readings().latencies(arm)))
      m.quantiles.push_back(std::move(q));
  }

  void add_comparison(const pairing_result& r, const session_record& session) {
    if (!measured_[r.pairing.reference] || !measured_[r.pairing.candidate] || r.estimate.pairs == 0) return;
    f_.comparisons.push_back({.reference = f_.measurements[pass_.measurement_of[r.pairing.reference]].variant,
                              .candidate = f_.measurements[pass_.measurement_of[r.pairing.candidate]].variant,
                              .metric = metric_in(mode_),
                              .ratio = r.estimate.ratio,
                              .ci = r.estimate.ci,
                              .level = 1 - pass_.protocol.alpha,
                              .headline = false,
                              .judged = false,
                              .assurance = assurance_of(r.pairing),
                              .pairs = r.estimate.pairs,
                              .hodges_lehmann = r.hodges_lehmann,
                              .autocorrelation = r.estimate.autocorrelation,
                              .block_length = r.estimate.block_length,
                              .looks = session.looks,
                              .alpha_spent = r.estimate.alpha_spent});
  }

  // The assurance of the cold comparison: audit and verification saw the same bodies.
  int assurance_of(const pairing& pair) const {
    const auto& reference = f_.measurements[pass_.measurement_of[pair.reference]].variant;
    const auto& candidate = f_.measurements[pass_.measurement_of[pair.candidate]].variant;
    const auto cold = std::ranges::find_if(f_.comparisons, [&](const model::comparison& c) {
      return c.reference == reference && c.candidate == candidate;
    });
    return cold == f_.comparisons.end() ? 0 : cold->assurance;
  }

  model::check check() const {
    model::check c{.id = fmt::format("mode.{}", name(mode_)), .evidence = join(without_, "; ")};
    if (without_.empty()) {
      c.result = model::outcome::pass;
      c.evidence = "every variant";
    }
    return c;
  }

  model::family& f_;
  const mode_pass& pass_;
  mode mode_;
  std::size_t time_;
  std::vector<bool> measured_{};        // by arm
  std::vector<std::string> without_{};  // variants and why
};

}  // namespace

void measure_in_modes(model::family& f, const mode_pass& pass, std::vector<mode> asked) {
  if (pass.arms.sampling().facts().events.empty_pair_s <= 0) return;
  if (pass.fastest_call_s < short_call_s && std::ranges::find(asked, mode::graph) == asked.end())
    asked.push_back(mode::graph);
  for (const auto m : asked) {
    if (m != mode::cold) one_mode(f, pass, m).run();
  }
}

}  // namespace ridge::harness
