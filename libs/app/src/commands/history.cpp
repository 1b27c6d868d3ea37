// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/stored_pattern.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/changes/changes_json.hpp>
#include <ridge/changes/stored_changes.hpp>
#include <ridge/model/json.hpp>

#include "commands/commands.hpp"
#include "stored/changes_text.hpp"
#include "stored/stored_series.hpp"

namespace ridge::app {
namespace {

struct history_options {
  std::string id{"*"};
  std::string problem{};
  std::string variant{};
  int limit = 50;
  bool json = false;
  bool runs = false;
  bool changes = false;
};

// Returns the ids of the runs with results that the query wants, the newest first.
std::vector<std::string> runs_of(store::store& store, store::history_query query, std::size_t most) {
  std::vector<std::string> ids;
  if (!query.problem && !query.candidate) {
    for (const auto& entry : store.runs({.experiment = query.experiment, .limit = most}))
      ids.push_back(entry.id);
    return ids;
  }
  query.limit = std::numeric_limits<std::int32_t>::max();
  for (const auto& row : store.history(query)) {
    if (ids.size() == most) break;
    if (std::ranges::find(ids, row.run) == ids.end()) ids.push_back(row.run);
  }
  return ids;
}

// Searches the series of the query for changes from run to run.
int print_changes(const context& program, const history_options& o, store::store& store,
                  const std::string& pattern) {
  store::workload_query query{.experiment = pattern};
  if (!o.problem.empty()) query.problem = o.problem;
  if (!o.variant.empty()) query.variant = o.variant;
  const changes::rules rules{};
  const auto all = changes::changes_of(store, query, rules);
  if (all.empty() && pattern != "*" && ids_named(program.experiments, o.id).empty() &&
      store.series({.experiment = pattern, .limit = 1}).empty())
    return program.refuse(select(program.experiments, {normal_target(o.id)}).why(), exit_code::usage);
  if (o.json) {
    program.print(changes::changes_json(all, rules));
  } else if (all.empty()) {
    program.print("no series is stored of this; `ridge run` stores what it measures\n");
  } else {
    program.print(changes_text(all, program.out));
  }
  return exit_code::good;
}

int history(const context& program, const history_options& o) {
  if (o.limit < 1) return program.refuse({"--limit must be above 0", "write --limit 50"}, exit_code::usage);
  if (o.changes && o.runs)
    return program.refuse({"--changes and --runs ask for different things", "give one of them"},
                          exit_code::usage);
  const auto opened = open_store_for_reading(program);
  if (!opened) return program.refuse(opened.why(), exit_code::unavailable);
  auto& store = **opened;
  const auto known = ids_named(program.experiments, o.id);
  const auto most = static_cast<std::size_t>(o.limit);
  store::history_query query{.experiment = stored_pattern(o.id, known), .limit = most};
  if (!o.problem.empty()) query.problem = o.problem;
  if (!o.variant.empty()) query.candidate = o.variant;
  if (o.changes) return print_changes(program, o, store, query.experiment);
  const auto rows = store.history(query);
  if (rows.empty() && known.empty() && o.id != "*" &&
      store.history({.experiment = query.experiment, .limit = 1}).empty())
    return program.refuse(select(program.experiments, {normal_target(o.id)}).why(), exit_code::usage);
  if (o.runs) {
    for (const auto& id : runs_of(store, query, most)) program.print(id + '\n');
    return exit_code::good;
  }
  if (o.json) {
    program.print(model::history_json(rows, store.counts()));
    return exit_code::good;
  }
  const auto held = store.counts();
  if (!rows.empty()) program.print(stored_text(rows, program.out) + '\n');
  program.print(fmt::format("{} of {} comparisons shown, newest first; {} runs, {} samples in {}\n",
                            rows.size(), held.comparisons, held.runs, held.samples, store_place(program)));
  return exit_code::good;
}

}  // namespace

void add_history(command& parent, context& program) {
  auto o = std::make_shared<history_options>();
  parent.add("history", "Show what the store holds of an experiment, newest first")
      .option("ID", o->id, "ID", "An experiment, a chapter or a glob; everything by default")
      .option("--problem", o->problem, "TEXT", "Show only this problem, written as it is printed")
      .option("--variant", o->variant, "NAME", "Show only comparisons of this variant")
      .option("--limit", o->limit, "N", "Greatest number of comparisons to show (50)")
      .flag("--runs", o->runs, "Print only the ids of the runs, one per line, newest first")
      .flag("--changes", o->changes,
            "Show where each series changed from run to run, and what changed of its environment")
      .flag("--json", o->json, "Print one JSON object (ridge.history/1; with --changes ridge.changes/1)")
      .runs([&program, o] { return history(program, *o); });
}

}  // namespace ridge::app
