// SPDX-License-Identifier: Apache-2.0
#include "run/edge_trials.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/harness/gpu_families.hpp>
#include <ridge/harness/measure_family.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>

#include "child/in_child.hpp"
#include "plan/family_frame.hpp"

namespace ridge::harness {
namespace {

constexpr double one_size_limit_s = 600;

// In a child, for the code of an experiment must not run in this process. A problem whose child says nothing
// has no measurements, and says why.
model::family verified_in_child(const planned_family& family, const instruments& equipment,
                                const run_options& options) {
  const auto goes_on = [&] {
    return monotonic_seconds() < options.deadline_s && !(options.stop_requested && options.stop_requested());
  };
  const auto work = [&]() -> std::string {
    model::run done;
    done.families.push_back(verify_or_record(family, equipment, options));
    return model::to_json(done);
  };
  const auto said = in_child<std::string>(work, one_size_limit_s, goes_on);
  auto run = model::run_from_json(said ? *said.value : std::string{});
  if (run && run->families.size() == 1) return std::move(run->families.front());
  return family_without_results(family, said.why, said.failure);
}

// Gives each edge in turn to `take`, which says whether to go on. A GPU is opened once for all of them.
void verify_each(const std::vector<planned_family>& edges, const instruments& equipment,
                 const run_options& options,
                 const std::function<bool(const planned_family&, const model::family&)>& take) {
  if (edges.empty()) return;
  std::vector<model::family> on_gpu;
  if (edges.front().backend == model::backend::cuda) on_gpu = verify_gpu_families(edges, equipment, options);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!take(edges[i], on_gpu.empty() ? verified_in_child(edges[i], equipment, options) : on_gpu[i])) return;
  }
}

bool failed_as_a_whole(const model::family& f) {
  return f.measurements.empty() ||
         std::ranges::any_of(f.checks, [](const model::check& c) { return c.id == "harness"; });
}

std::string why_it_failed(const model::family& f) {
  if (!f.skipped.empty()) return f.skipped;
  const auto harness = std::ranges::find(f.checks, "harness", &model::check::id);
  return harness != f.checks.end() && !harness->evidence.empty() ? harness->evidence
                                                                 : "it has no results and says no reason";
}

void note(const model::family& seen, std::map<std::string, edge_finding>& trial) {
  for (const auto& m : seen.measurements) {
    const auto found = trial.find(m.variant);
    if (found == trial.end()) continue;
    ++found->second.sizes;
    if (!m.skipped.empty()) {
      trial.erase(found);  // it cannot run here, which its family says
    } else if (!m.refused.empty() && found->second.refused.empty()) {
      found->second.refused = fmt::format("at the edge size {}: {}", model::text(seen.problem), m.refused);
      found->second.failure = m.failure;
      found->second.signal = m.signal;
    }
  }
}

}  // namespace

edge_trials::edge_trials(const instruments& equipment, const run_options& options)
    : equipment_(equipment), options_(options) {}

void edge_trials::try_before(const planned_family& family, double deadline_s,
                             std::vector<refused_variant>& refused) {
  if (equipment_.edges == nullptr) return;
  const auto [place, is_new] = known_.try_emplace(experiment_key(family));
  auto& known = place->second;
  if (is_new || known.lacked_time) learn(family, deadline_s, known);
  for (const auto& [name, finding] : known.found) {
    if (finding.refused.empty()) continue;
    refused.push_back({.name = name,
                       .why = finding.refused,
                       .failure = finding.failure,
                       .signal = finding.signal,
                       .stage = "verification"});
  }
}

void edge_trials::learn(const planned_family& family, double deadline_s, knowledge& known) {
  const auto edges = plan_edges(family.experiment, family.backend);
  known.sizes = edges.size();
  known.untried.clear();
  auto own = options_;
  own.axes.clear();
  own.deadline_s = std::min(own.deadline_s, deadline_s);
  std::map<std::string, edge_finding> trial;
  std::vector<const variant_facts*> tried;
  for (const auto& v : family.experiment->variants) {
    if (!takes_part(v, family.backend, options_)) continue;
    if (v.is == model::role::comparator) {
      known.libraries.insert(v.name);
      own.refused.push_back({.name = v.name, .why = "a library is verified at the measured size alone"});
    } else if (auto before = equipment_.edges->find(family.experiment, v)) {
      known.found[v.name] = std::move(*before);
      own.refused.push_back({.name = v.name, .why = "it was tried before"});
    } else {
      trial.try_emplace(v.name);
      tried.push_back(&v);
    }
  }
  known.lacked_time = monotonic_seconds() >= own.deadline_s;
  const auto take = [&](const planned_family& edge, const model::family& seen) {
    if (failed_as_a_whole(seen)) {
      known.lacked_time = monotonic_seconds() >= own.deadline_s;
      known.untried =
          fmt::format("{} could not be tried: {}", model::text(edge.problem.point()), why_it_failed(seen));
      return false;
    }
    note(seen, trial);
    return !trial.empty();
  };
  if (!trial.empty() && !known.lacked_time) verify_each(edges, equipment_, own, take);
  if (known.lacked_time) known.untried = "the budget left no time for them";
  for (const auto* v : tried) {
    const auto found = trial.find(v->name);
    if (found == trial.end() || (!known.untried.empty() && found->second.refused.empty())) continue;
    if (!edges.empty()) equipment_.edges->keep(family.experiment, *v, found->second);
    known.found[v->name] = found->second;
  }
}

model::check edge_trials::check_of(const model::comparison& c, const knowledge& known) const {
  if (known.sizes == 0) return {.id = "edges", .evidence = "the experiment states no edge sizes"};
  const bool against_library = known.libraries.contains(c.reference);
  for (const auto& name : {c.reference, c.candidate}) {
    if (!known.found.contains(name) && !known.libraries.contains(name))
      return {
          .id = "edges",
          .evidence = fmt::format("{} was not tried at edge sizes: {}", name,
                                  known.untried.empty() ? "it cannot run at one of them" : known.untried)};
  }
  return {.id = "edges",
          .result = model::outcome::pass,
          .value = static_cast<double>(known.sizes),
          .unit = "",
          .evidence = against_library ? fmt::format("{} is right at every edge size", c.candidate)
                                      : "both variants are right at every edge size"};
}

void edge_trials::add_to(model::family& measured, const planned_family& family) const {
  const auto place = known_.find(experiment_key(family));
  if (place == known_.end()) return;
  for (auto& c : measured.comparisons) {
    c.checks.push_back(check_of(c, place->second));
    const bool tried = c.checks.back().result == model::outcome::pass || place->second.sizes == 0;
    if (!tried) c.assurance = std::min(c.assurance, 1);
  }
}

}  // namespace ridge::harness
