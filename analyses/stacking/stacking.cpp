// SPDX-License-Identifier: Apache-2.0
// Which techniques combine? Measured: two variants of one workload differ in exactly one declared technique,
// so that its gain on top of the others was seen. Derived: declared preconditions decide. Otherwise unknown:
// speedups of single techniques are never multiplied.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/results/parameters.hpp>
#include <ridge/results/timed.hpp>

#include "ladders.hpp"
#include "steps.hpp"

namespace ridge::analyses::stacking {

results::analysis make();

namespace {

using results::known_or_unknown;

// Two techniques, in the order of their ids.
using pair = std::pair<std::string, std::string>;
pair pair_of(const std::string& a, const std::string& b) { return a < b ? pair(a, b) : pair(b, a); }

std::string gain_text(const measured_gain& g) {
  return fmt::format("{} [{}, {}]", format_ratio(g.ratio, g.ci.lo, g.ci.hi),
                     format_ratio(g.ci.lo, g.ci.lo, g.ci.hi), format_ratio(g.ci.hi, g.ci.lo, g.ci.hi));
}

report::sheet step_sheet(const std::vector<step>& all) {
  using report::unit;
  report::sheet s{
      .key = "steps",
      .title = "What a technique gains on top of others",
      .fields = results::workload_fields_and({{.key = "adds", .header = "technique"},
                                              {.key = "on_top_of", .header = "on top of"},
                                              {.key = "ratio", .header = "× better", .unit = unit::number},
                                              {.key = "ratio_lo", .header = "from", .unit = unit::number},
                                              {.key = "ratio_hi", .header = "up to", .unit = unit::number},
                                              {.key = "alone", .header = "alone ×", .unit = unit::number},
                                              {.key = "alone_lo"},
                                              {.key = "alone_hi"},
                                              {.key = "paired"},
                                              {.key = "variants", .header = "variants"},
                                              {.key = "run", .header = "run"}}),
      .grouped_by = results::workload_field_count};
  for (const auto& one : all) {
    if (one.on_top_of.empty()) continue;
    std::optional<double> alone, lo, hi;
    if (one.alone) alone = one.alone->ratio, lo = one.alone->ci.lo, hi = one.alone->ci.hi;
    const std::vector<std::string> others(one.on_top_of.begin(), one.on_top_of.end());
    s.rows.push_back(
        {.values = results::workload_values_and(
             one.seen->workload,
             {one.adds, join(others, " + "), one.gain.ratio, one.gain.ci.lo, one.gain.ci.hi,
              known_or_unknown(alone), known_or_unknown(lo), known_or_unknown(hi), one.gain.paired,
              fmt::format("{} -> {}", one.from_variant, one.up_to_variant), one.seen->run}),
         .look = one.gain.gains()   ? report::tone::good
                 : one.gain.costs() ? report::tone::bad
                                    : report::tone::plain});
  }
  return s;
}

// The measured steps of a pair: one of both was added where the other was in use.
using evidence = std::map<pair, std::vector<const step*>>;

evidence evidence_of(const std::vector<step>& all) {
  evidence found;
  for (const auto& one : all)
    for (const auto& other : one.on_top_of) found[pair_of(one.adds, other)].push_back(&one);
  return found;
}

// The pairs that an experiment of these workloads could show: both techniques occur in one of its ladders.
std::vector<pair> pairs_of(std::span<const model::workload_result> latest) {
  std::vector<pair> all;
  std::map<std::pair<std::string, model::backend>, std::set<std::string>> ladders;
  for (const auto& seen : latest) ladders[{seen.workload.experiment, seen.workload.backend}];
  for (const auto& d : declared_variants()) {
    const auto at = ladders.find({d.experiment, d.backend});
    if (at != ladders.end()) at->second.insert(d.techniques.begin(), d.techniques.end());
  }
  for (const auto& [place, techniques] : ladders)
    for (auto a = techniques.begin(); a != techniques.end(); ++a)
      for (auto b = std::next(a); b != techniques.end(); ++b) all.push_back(pair_of(*a, *b));
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

// All pairs of one technique with every other.
std::vector<pair> pairs_with(const std::string& technique) {
  std::vector<pair> all;
  for (const auto& other : all_techniques())
    if (other.id != technique) all.push_back(pair_of(technique, other.id));
  std::ranges::sort(all);
  return all;
}

struct verdict {
  std::string basis{}, together{}, why{}, run{};
};

// Of several results that with the fewest other techniques shows the pair best; all of them decide.
verdict measured_verdict(const std::vector<const step*>& all) {
  const auto* const best =
      *std::ranges::min_element(all, {}, [](const step* s) { return s->on_top_of.size(); });
  const auto gaining = std::ranges::count_if(all, [](const step* s) { return s->gain.gains(); });
  const auto costing = std::ranges::count_if(all, [](const step* s) { return s->gain.costs(); });
  verdict v{.basis = "measured", .run = best->seen->run};
  v.together = gaining == std::ssize(all)     ? "yes"
               : costing == std::ssize(all)   ? "no"
               : gaining == 0 && costing == 0 ? "no gain was seen"
                                              : "depends";
  v.why = fmt::format("{} gives {} on top in {}", best->adds, gain_text(best->gain),
                      results::workload_text(best->seen->workload));
  if (all.size() > 1) v.why += fmt::format("; {} of {} results gain", gaining, all.size());
  return v;
}

// The property that one technique needs and the other provides; empty when there is none.
std::string provided(const analysis::technique& user, const analysis::technique& provider) {
  for (const auto& need : user.needs)
    if (std::ranges::find(provider.provides, need) != provider.provides.end()) return need;
  return {};
}

verdict declared_verdict(const pair& p) {
  const auto &a = *technique_called(p.first), &b = *technique_called(p.second);
  const auto judged = analysis::judge_pair(a, b, {});
  if (judged.basis == analysis::pair_basis::conflict) return {"derived", "no", judged.why, {}};
  for (const auto& [user, provider] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (const auto word = provided(*user, *provider); !word.empty())
      return {
          "derived", "yes", fmt::format("{} needs {}, which {} provides", user->id, word, provider->id), {}};
  }
  if (judged.basis == analysis::pair_basis::derived) return {"derived", "yes", judged.why, {}};
  return {"unknown", "unknown", "not measured together, and nothing declared decides it", {}};
}

report::sheet pair_sheet(const std::vector<pair>& pairs, const evidence& seen, std::string_view basis) {
  report::sheet s{.key = "pairs",
                  .title = "Pairs of techniques",
                  .fields = {{.key = "first", .header = "technique"},
                             {.key = "second", .header = "and"},
                             {.key = "basis", .header = "basis"},
                             {.key = "together", .header = "together"},
                             {.key = "run"},
                             {.key = "why", .header = "because"}}};
  for (const auto& p : pairs) {
    const auto found = seen.find(p);
    const auto v = found != seen.end() ? measured_verdict(found->second) : declared_verdict(p);
    if (basis != "all" && basis != v.basis) continue;
    s.rows.push_back({.values = {p.first, p.second, v.basis, v.together, v.run, v.why},
                      .look = v.basis == "unknown"  ? report::tone::dim
                              : v.together == "yes" ? report::tone::good
                              : v.together == "no"  ? report::tone::bad
                                                    : report::tone::plain});
  }
  return s;
}

result<void> check_technique(const std::string& id) {
  if (id.empty() || technique_called(id) != nullptr) return {};
  std::vector<std::string> known;
  for (const auto& t : all_techniques()) known.push_back(t.id);
  const auto near = nearest_name(id, known);
  return error{fmt::format("no technique is called '{}'", id),
               near ? fmt::format("did you mean {}?", *near) : "there are " + join(known, ", ")};
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto technique = given.text("technique");
  if (auto known = check_technique(technique); !known) return known.why();
  const auto query = results::workloads_asked_for(given);
  const auto latest = store.latest(query);
  std::vector<step> steps;
  for (const auto& seen : latest) std::ranges::move(steps_of(seen), std::back_inserter(steps));
  if (!technique.empty())
    std::erase_if(steps,
                  [&](const step& s) { return s.adds != technique && !s.on_top_of.contains(technique); });
  std::vector<pair> pairs;
  if (!latest.empty()) pairs = technique.empty() ? pairs_of(latest) : pairs_with(technique);
  auto pair_rows = pair_sheet(pairs, evidence_of(steps), given.text("basis"));
  auto step_rows = step_sheet(steps);
  const auto nothing = results::nothing_measured(query);
  pair_rows.empty =
      latest.empty()
          ? nothing
          : "No stored workload has variants of which several techniques are declared; `ridge run ch08` has.";
  step_rows.empty =
      latest.empty()
          ? nothing
          : "No stored workload has variants that differ in one declared technique; `ridge run ch08` has.";
  results::fold_common(step_rows, {"machine", "backend", "run"});
  results::answer found;
  found.document = {
      .schema = "ridge.stacking/1",
      .title = "Techniques that combine",
      .sheets = {std::move(pair_rows), std::move(step_rows)},
      .notes = {
          "measured: a technique was added where the other was in use, nothing else being changed. derived: "
          "from what techniques are declared to need, provide and break. unknown: neither; measure them "
          "together. \"alone\": the gain of the same technique without others. Gains are never multiplied."}};
  return found;
}

}  // namespace

results::analysis make() {
  using results::parameter_kind;
  return {.name = "stacking",
          .command = "stacking",
          .title = "Stacking",
          .question = "Which techniques combine, by what was measured and by what they are declared to need?",
          .parameters =
              results::workload_parameters_and({{.key = "technique",
                                                 .placeholder = "NAME",
                                                 .help = "Only pairs of this technique, with every other"},
                                                {.key = "basis",
                                                 .kind = parameter_kind::choice,
                                                 .help = "Only pairs that are known so",
                                                 .preset = "all",
                                                 .choices = {"all", "measured", "derived", "unknown"}}}),
          .run = run};
}

}  // namespace ridge::analyses::stacking
