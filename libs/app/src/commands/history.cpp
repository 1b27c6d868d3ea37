// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/model/json.hpp>

#include "commands/commands.hpp"
#include "stored/stored_series.hpp"

namespace ridge::app {
namespace {

struct history_options {
  std::string id{"*"};
  std::string problem{};
  std::string variant{};
  int limit = 50;
  bool json = false;
};

// Returns the glob of the store for what was typed: an experiment of this program by any of its names, a
// chapter, or a glob over whatever is stored.
std::string pattern_of(const std::string& typed, const result<std::vector<experiment>>& known) {
  const auto wanted = normal_target(typed);
  const bool one = known && !known->empty() &&
                   std::ranges::all_of(*known, [&](const auto& e) { return e->id == known->front()->id; });
  if (one && wanted.find_first_of("*?") == std::string::npos) return known->front()->id;
  return wanted.find_first_of(".*?") == std::string::npos ? wanted + ".*" : wanted;
}

int history(const context& program, const history_options& o) {
  if (o.limit < 1) return program.refuse({"--limit must be above 0", "write --limit 50"}, exit_code::usage);
  const auto opened = open_store_for_reading(program);
  if (!opened) return program.refuse(opened.why(), exit_code::unavailable);
  auto& store = **opened;
  const auto known = select(program.experiments, {normal_target(o.id)});
  store::history_query query{.experiment = pattern_of(o.id, known),
                             .limit = static_cast<std::size_t>(o.limit)};
  if (!o.problem.empty()) query.problem = o.problem;
  if (!o.variant.empty()) query.candidate = o.variant;
  const auto rows = store.history(query);
  if (rows.empty() && !known && o.id != "*" &&
      store.history({.experiment = query.experiment, .limit = 1}).empty())
    return program.refuse(known.why(), exit_code::usage);
  if (o.json) {
    program.print(model::history_json(rows, store.counts()));
    return exit_code::good;
  }
  const auto held = store.counts();
  if (!rows.empty()) program.print(stored_text(rows, program.out) + '\n');
  program.print(fmt::format("{} of {} comparisons shown, newest first; {} runs, {} samples in {}\n",
                            rows.size(), held.comparisons, held.runs, held.samples, store_location(program)));
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
      .flag("--json", o->json, "Print one JSON object (ridge.history/1), with counts of what the store holds")
      .runs([&program, o] { return history(program, *o); });
}

}  // namespace ridge::app
