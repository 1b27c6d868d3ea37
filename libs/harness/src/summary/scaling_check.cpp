// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/scaling_check.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

constexpr double least_work_ratio = 4, most_growth = 1.5;
constexpr double least_cpu_s = 5e-6, least_gpu_s = 50e-6;

struct size_pair {
  const model::family* smaller;
  const model::family* larger;
  double work_ratio;
};

double work_of(const model::family& f) { return f.flop > 0 ? f.flop : f.bytes_read + f.bytes_written; }

// Whether the problems differ in one axis of numbers and nothing else.
bool differ_in_one_number(const model::problem_point& a, const model::problem_point& b) {
  if (a.size() != b.size()) return false;
  int differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].first != b[i].first) return false;
    if (a[i].second == b[i].second) continue;
    if (std::holds_alternative<std::string>(a[i].second)) return false;
    ++differences;
  }
  return differences == 1;
}

std::optional<size_pair> sizes_of(const model::family& a, const model::family& b) {
  if (a.experiment != b.experiment || a.backend != b.backend || !differ_in_one_number(a.problem, b.problem))
    return {};
  const double first = work_of(a), second = work_of(b);
  if (!(first > 0 && second > 0)) return {};
  const bool grows = second > first;
  const size_pair made{grows ? &a : &b, grows ? &b : &a, grows ? second / first : first / second};
  return made.work_ratio >= least_work_ratio ? std::optional(made) : std::nullopt;
}

// The median time of a call; 0 where it was not measured.
double seconds(const model::family& f, const std::string& variant) {
  const auto m = std::ranges::find(f.measurements, variant, &model::measurement::variant);
  if (m == f.measurements.end()) return 0;
  const auto time = std::ranges::find(m->metrics, "time", [](const auto& one) { return one.metric.name; });
  return time == m->metrics.end() ? 0 : time->median;
}

struct growth {
  double candidate, reference;
};

std::optional<growth> growth_of(const model::comparison& c, const size_pair& sizes) {
  const double least = sizes.smaller->backend == model::backend::cpu ? least_cpu_s : least_gpu_s;
  const double candidate = seconds(*sizes.smaller, c.candidate),
               reference = seconds(*sizes.smaller, c.reference);
  const double larger_candidate = seconds(*sizes.larger, c.candidate);
  const double larger_reference = seconds(*sizes.larger, c.reference);
  if (candidate < least || reference <= 0 || larger_candidate <= 0 || larger_reference <= 0) return {};
  return growth{larger_candidate / candidate, larger_reference / reference};
}

model::check check_of(const model::comparison& c, const growth& grown, const size_pair& sizes,
                      const std::string& explanation) {
  model::check made{.id = "scaling",
                    .result = model::outcome::pass,
                    .value = grown.candidate,
                    .limit = most_growth,
                    .unit = "1"};
  made.evidence = fmt::format("{:.3g} times the work of {} takes {} {:.3g} times as long, {} {:.3g} times",
                              sizes.work_ratio, model::text(sizes.smaller->problem), c.candidate,
                              grown.candidate, c.reference, grown.reference);
  if (grown.candidate >= most_growth || grown.reference <= std::sqrt(sizes.work_ratio)) return made;
  if (!explanation.empty()) {
    made.evidence += ": " + explanation;
    return made;
  }
  made.result = model::outcome::warn;
  made.evidence += ": state in .explanation why";
  return made;
}

}  // namespace

void add_scaling_checks(model::family& measured, const std::vector<model::family>& earlier,
                        const experiment& asked) {
  for (auto& c : measured.comparisons) {
    if (c.metric.name != "time" || !c.judged) continue;
    const auto variant = std::ranges::find_if(asked->variants, [&](const variant_facts& one) {
      return one.name == c.candidate && one.backend == measured.backend;
    });
    std::optional<model::check> worst;
    for (const auto& other : earlier) {
      const auto sizes = sizes_of(other, measured);
      const auto grown = sizes ? growth_of(c, *sizes) : std::nullopt;
      if (!grown) continue;
      auto seen = check_of(c, *grown, *sizes, variant == asked->variants.end() ? "" : variant->explanation);
      if (!worst || seen.result > worst->result) worst = std::move(seen);
    }
    if (!worst) continue;
    if (worst->result == model::outcome::warn) c.assurance = std::min(c.assurance, 1);
    c.checks.push_back(std::move(*worst));
  }
}

}  // namespace ridge::harness
