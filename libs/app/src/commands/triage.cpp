// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/base/text.hpp>
#include <ridge/changes/stored_changes.hpp>

#include "commands/commands.hpp"
#include "session/run_header.hpp"
#include "stored/changes_text.hpp"

namespace ridge::app {
namespace {

struct triage_options {
  std::uint64_t series = 0;
  std::string run{}, state{}, note{};
};

result<model::measured_series> series_numbered(store::store& results, std::uint64_t number) {
  for (const auto& one : results.series({})) {
    if (static_cast<std::uint64_t>(one.id) == number) return one;
  }
  return error{fmt::format("the store has no series {}", number), "`ridge history --changes` numbers them"};
}

// Returns the one run of a series whose id begins or ends so.
result<std::string> run_of(store::store& results, const model::measured_series& series,
                           const std::string& word) {
  std::set<std::string> found;
  for (const auto& point : results.points({.series = series.id})) {
    if (point.run.starts_with(word) || point.run.ends_with(word)) found.insert(point.run);
  }
  if (found.size() == 1) return *found.begin();
  return error{fmt::format("{} runs of series {} have an id that begins or ends with \"{}\"",
                           found.empty() ? std::string("no") : std::to_string(found.size()), series.id, word),
               "`ridge history ID --changes` names the runs at which it changed"};
}

int triage_command(const context& program, const triage_options& o) {
  const auto results = open_store(program);
  const auto series = series_numbered(*results, o.series);
  if (!series) return program.refuse(series.why(), exit_code::usage);
  const auto run = run_of(*results, *series, o.run);
  if (!run) return program.refuse(run.why(), exit_code::usage);
  const auto said = changes::triage(*results, *series, *run, o.state, o.note, now_utc());
  if (!said) return program.refuse(said.why(), exit_code::usage);
  program.print(fmt::format("series {} at run {}: {}\n", said->series, said->run, said->state));
  return exit_code::good;
}

}  // namespace

void add_triage(command& parent, context& program) {
  auto o = std::make_shared<triage_options>();
  const auto known = changes::states();
  parent.add("triage", "Keep what a change of a series is, as history --changes found it")
      .option("SERIES", o->series, "N", "The number of the series")
      .required()
      .option("RUN", o->run, "RUN", "The first run of the new level, or the beginning or end of its id")
      .required()
      .choice("STATE", o->state, {known.begin(), known.end()}, "What the change is")
      .required()
      .option("--note", o->note, "TEXT", "Why, in a sentence")
      .notes(
          "The states: confirmed, it is real and not wanted; expected, it is real and accepted; noise, it is "
          "none; untriaged, nobody has looked. `ridge gate` passes over expected and noise. What was said "
          "before is kept beside it.")
      .runs([&program, o] { return triage_command(program, *o); });
}

}  // namespace ridge::app
