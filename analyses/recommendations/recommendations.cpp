// SPDX-License-Identifier: Apache-2.0
// Which variant should be used for a workload, by what one wants of it? Each answer cites the result that it
// rests on. A variant with an INVALID comparison is not recommended.
#include <algorithm>
#include <iterator>
#include <ranges>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/results/objectives.hpp>
#include <ridge/results/parameters.hpp>

namespace ridge::analyses::recommendations {

results::analysis make();

namespace {

using model::latest_measurement;
using model::workload_result;
using variants = std::vector<const latest_measurement*>;

constexpr double little_time = 1.05;  // "nearly as fast as the fastest"

// What one may want, and which of the variants serve it best; more than one where they cannot be told apart.
struct scenario {
  std::string_view key{};
  std::string_view title{};
  variants (*choose)(const workload_result& seen, const variants& sound) = nullptr;
};

bool is_timed(const variants& all) {
  return std::ranges::all_of(
      all, [](const auto* m) { return results::objective_named("time").value(*m).has_value(); });
}

variants fastest(const workload_result& seen, const variants& sound) {
  if (sound.empty() || !is_timed(sound)) return {};
  const auto* best = *std::ranges::min_element(sound, {}, [](const auto* m) { return m->point.median; });
  variants all{best};
  for (const auto* m : sound) {
    if (m != best && results::tied(seen, *best, *m)) all.push_back(m);
  }
  return all;
}

// Those that no other beats in an objective; none where it decides nothing, or is not known of all.
variants best_in(std::string_view key, const workload_result& seen, const variants& sound) {
  const auto& o = results::objective_named(key);
  if (!std::ranges::all_of(sound, [&](const auto* m) { return o.value(*m).has_value(); })) return {};
  variants best;
  for (const auto* m : sound) {
    const bool beaten = std::ranges::any_of(
        sound, [&](const auto* other) { return results::order_in(o, seen, *other, *m) < 0; });
    if (!beaten) best.push_back(m);
  }
  return best.size() == sound.size() ? variants{} : best;
}

variants least_memory(const workload_result& seen, const variants& sound) {
  return fastest(seen, best_in("memory", seen, sound));
}

// The most accurate of those that take little more time than the fastest.
variants accurate_and_fast(const workload_result& seen, const variants& sound) {
  if (sound.empty() || !is_timed(sound)) return {};
  const auto* best = *std::ranges::min_element(sound, {}, [](const auto* m) { return m->point.median; });
  variants near;
  std::ranges::copy_if(sound, std::back_inserter(near),
                       [&](const auto* m) { return m->point.median <= little_time * best->point.median; });
  return best_in("error", seen, near);
}

// The fastest that is not a library's: what one can read and change.
variants fastest_own(const workload_result& seen, const variants& sound) {
  variants own;
  std::ranges::copy_if(sound, std::back_inserter(own),
                       [](const auto* m) { return m->series.role != model::role::comparator; });
  if (own.size() == sound.size()) return {};
  return fastest(seen, own);
}

constexpr scenario scenarios[] = {
    {"fastest", "speed", fastest},
    {"fastest_own", "speed without a library", fastest_own},
    {"least_memory", "memory", least_memory},
    {"accurate", "accuracy at speed", accurate_and_fast},
};

// "1.78x of `baseline` [1.70, 1.85], BETTER, 40 pairs"
std::string evidence(const workload_result& seen, const latest_measurement& m) {
  const auto* baseline = results::baseline_of(seen);
  const auto time = format_quantity(m.point.median, m.series.metric.unit);
  if (baseline == &m || baseline == nullptr) return fmt::format("{}; it is the baseline", time);
  const auto* c = results::compared(seen, baseline->series.variant, m.series.variant);
  if (c == nullptr) return fmt::format("{}; not compared with {}", time, baseline->series.variant);
  return fmt::format("{}; {} of {} [{}, {}], {}, {} pairs", time, format_ratio(c->ratio, c->ci.lo, c->ci.hi),
                     baseline->series.variant, format_ratio(c->ci.lo, c->ci.lo, c->ci.hi),
                     format_ratio(c->ci.hi, c->ci.lo, c->ci.hi),
                     c->judged ? name(c->verdict) : std::string_view("not judged"), c->pairs);
}

report::row row_of(const workload_result& seen, const variants& chosen, const std::string& wishes) {
  const auto& w = seen.workload;
  std::vector<std::string> names;
  for (const auto* m : chosen) names.push_back(m->series.variant);
  return {.values = results::workload_values_and(
              w, {wishes, join(names, " or "),
                  results::known_or_unknown(results::memory_of(chosen.front()->point)),
                  results::known_or_unknown(chosen.front()->point.max_rel_error), seen.run, seen.started,
                  evidence(seen, *chosen.front())})};
}

void add_rows(report::sheet& sheet, const workload_result& seen, std::string_view wanted) {
  const auto sound = results::deciding(seen);
  // Experiments that teach claim no gain: nothing is chosen among their variants.
  if (sound.size() < 2 || seen.workload.goal == model::goal::informational) return;
  std::vector<std::pair<variants, std::string>> advice;  // one row for what serves several wishes
  for (const auto& s : scenarios) {
    if (wanted != "all" && wanted != s.key) continue;
    const auto chosen = s.choose(seen, sound);
    if (chosen.empty()) continue;
    const auto same = std::ranges::find(advice, chosen, &std::pair<variants, std::string>::first);
    if (same == advice.end())
      advice.emplace_back(chosen, s.title);
    else
      same->second += fmt::format("; {}", s.title);
  }
  for (const auto& [chosen, wishes] : advice) sheet.rows.push_back(row_of(seen, chosen, wishes));
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  results::answer found;
  report::sheet sheet{.key = "recommendations",
                      .title = "Recommendations",
                      .fields = results::workload_fields_and(
                          {{.key = "wanted", .header = "for"},
                           {.key = "variant", .header = "use"},
                           {.key = "memory", .header = "memory", .unit = report::unit::bytes},
                           {.key = "error", .header = "error", .unit = report::unit::number},
                           {.key = "run", .header = "run"},
                           {.key = "started"},
                           {.key = "evidence", .header = "because"}}),
                      .grouped_by = results::workload_field_count};
  const auto latest = store.latest(query);
  for (const auto& seen : latest) add_rows(sheet, seen, given.text("wanted"));
  sheet.empty =
      latest.empty()
          ? results::nothing_measured(query)
          : "No stored workload has two sound variants to choose among; `ridge run` measures more of them.";
  found.document.schema = "ridge.recommendations/1";
  found.document.title = "Recommendations";
  results::fold_common(sheet, {"machine", "backend", "run"});
  found.document.sheets.push_back(std::move(sheet));
  found.document.notes = {
      "Each holds for its workload on its machine. \"or\": the two cannot be told apart. \"at speed\": "
      "within 5 % of the least time."};
  return found;
}

}  // namespace

results::analysis make() {
  return {.name = "recommendations",
          .command = "analyze",
          .title = "Recommendations",
          .question = "Which variant should be used, by what is wanted, and on what evidence?",
          .parameters = results::workload_parameters_and(
              {{.key = "wanted",
                .kind = results::parameter_kind::choice,
                .help = "Only what serves this best",
                .preset = "all",
                .choices = {"all", "fastest", "fastest_own", "least_memory", "accurate"}}}),
          .run = run};
}

}  // namespace ridge::analyses::recommendations
