// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/host/process_keeper.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

#include "builds/build_arms.hpp"
#include "builds/build_contest.hpp"
#include "builds/watched_step.hpp"
#include "catalogue/variant_pair.hpp"
#include "commands/commands.hpp"
#include "session/build_warning.hpp"
#include "session/contest.hpp"
#include "session/experiment_session.hpp"
#include "session/fail_on.hpp"
#include "session/run_header.hpp"
#include "session/run_reporter.hpp"
#include "session/run_settings.hpp"
#include "stored/named_run.hpp"
#include "stored/side_by_side.hpp"

namespace ridge::app {
namespace {

struct compare_options {
  run_settings settings{};
  std::string first{};
  std::string second{};
  std::string reference{};
  std::string candidate{};
  std::string against{};
  std::string format{"table"};
  std::string save{};
  bool no_store = false;
};

// Returns the exit code of what was compared: `compare` is a gate, so WORSE fails without --fail-on (decision
// 0022).
int gate(const context& program, const model::run& done) {
  if (interrupted()) return exit_code::interrupted;
  const int code = exit_code_of_gate(done);
  if (code != exit_code::unavailable) return code;
  return program.refuse({"nothing was compared", "the results say why"}, code);
}

int compare_variants(const context& program, const compare_options& o, const std::vector<experiment>& pieces,
                     const std::string& reference, const std::string& candidate) {
  std::vector<experiment> pairs;
  for (const auto& one : pieces) {
    const auto pair = only_pair(one, reference, candidate);
    if (!pair) return program.refuse(pair.why(), exit_code::usage);
    pairs.push_back(*pair);
  }
  const interrupt_guard guard;
  experiment_session session(program, std::move(pairs), [&](const std::string& id) {
    return std::vector<std::string>{"compare", id + ':' + reference, id + ':' + candidate, "--no-store"};
  });
  if (const auto refused = session.prepare(o.settings)) return program.refuse(refused->why, refused->code);
  run_reporter reporter(
      program,
      {.format = *report::named_format(o.format),
       .families = session.families(),
       .options = session.options(),
       .missing_libraries = program.err.interactive ? session.missing_libraries() : std::set<std::string>{}},
      store_if_possible(program, !o.no_store));
  const auto done = session.measure(reporter);
  if (!o.save.empty()) save_text(o.save, model::to_json(done));
  return gate(program, done);
}

int measure_builds(const context& program, const compare_options& o, const experiment& entry,
                   std::string variant) {
  if (variant.empty()) {
    for (const auto& v : entry->variants) {
      if (v.is == model::role::optimized && v.backend == model::backend::cpu) variant = v.name;
    }
  }
  progress_line line(program.err);
  const auto other = program_of(o.against, entry->id.substr(0, entry->id.find('.')), line);
  if (!other) return program.refuse(other.why(), exit_code::usage);
  warn_of_build(program);
  const double budget_s = o.settings.budget.empty() ? 30 : *parse_seconds(o.settings.budget);
  auto run = run_header(program, "against", o.settings.seed);
  auto family = measure_by_both(program, {.experiment = entry->id,
                                          .variant = variant,
                                          .axes = o.settings.axes,
                                          .other = *other,
                                          .other_name = o.against,
                                          .protocol = {.budget_s = budget_s,
                                                       .min_effect = *parse_share(o.settings.min_effect),
                                                       .seed = o.settings.seed}});
  run.wall_s = family.wall_s;
  run.families.push_back(std::move(family));
  show_and_save_run(program, run, o.format, o.save);
  return gate(program, run);
}

// An interrupt ends whatever was started, compilers that have left its process group as well.
int compare_builds(const context& program, const compare_options& o, const experiment& entry,
                   const std::string& variant) {
  const interrupt_guard guard;
  const host::process_keeper keeper;
  try {
    return measure_builds(program, o, entry, variant);
  } catch (const interrupted_step& why) {
    return program.refuse(why.why(), exit_code::interrupted);
  }
}

// Shows two runs side by side; `no_experiment` is the error where the words name no runs either.
int compare_runs(const context& program, const compare_options& o, const error& no_experiment) {
  if (o.second.empty()) return program.refuse(no_experiment, exit_code::usage);
  const auto first = run_named(program, o.first), second = run_named(program, o.second);
  if (first && second) {
    program.print(side_by_side(*first, *second, program.out));
    return exit_code::inconclusive;
  }
  const bool names_runs = first || second || names_a_run(o.first) || names_a_run(o.second);
  if (!names_runs) return program.refuse(no_experiment, exit_code::usage);
  const auto& missing = first ? o.second : o.first;
  return program.refuse(first ? second.why() : first.why(), code_of_no_run(program, missing));
}

int compare(const context& program, const compare_options& o) {
  const auto left = parse_address(o.first), right = parse_address(o.second);
  const auto chosen = select(program.experiments, {left.experiment});
  if (!chosen) return compare_runs(program, o, chosen.why());
  expect_writable(o.save);
  const bool one_experiment =
      std::ranges::all_of(*chosen, [&](const auto& e) { return e->id == chosen->front()->id; });
  if (!one_experiment)
    return program.refuse(
        {fmt::format("\"{}\" names several experiments", o.first), "name one: ch01.coalescing"},
        exit_code::usage);
  if (!o.against.empty()) return compare_builds(program, o, chosen->front(), left.variant);
  if (!o.second.empty()) {
    const auto other = select(program.experiments, {right.experiment});
    if (!other) return program.refuse(other.why(), exit_code::usage);
    if (other->front()->id != chosen->front()->id)
      return program.refuse(
          {"variants of different experiments cannot be compared", "name two variants of one experiment"},
          exit_code::usage);
  }
  const auto reference = o.reference.empty() ? left.variant : o.reference;
  const auto candidate = o.candidate.empty() ? right.variant : o.candidate;
  if (reference.empty() || candidate.empty())
    return program.refuse(
        {"name two variants",
         fmt::format("write `ridge compare {0}:A {0}:B`; `ridge show {0}` names them", chosen->front()->id)},
        exit_code::usage);
  return compare_variants(program, o, *chosen, reference, candidate);
}

}  // namespace

void add_compare(command& parent, context& program) {
  auto o = std::make_shared<compare_options>();
  auto& command = parent.add(
      "compare", "Compare two variants or two builds interleaved, or show stored runs side by side");
  command.option("A", o->first, "ID|RUN", "The reference, as ID:VARIANT; or a stored run")
      .required()
      .option("B", o->second, "ID|RUN",
              "The candidate, as ID:VARIANT of the same experiment; or a stored run")
      .option("--reference", o->reference, "VARIANT",
              "Name of the reference variant, when A is an experiment")
      .option("--candidate", o->candidate, "VARIANT",
              "Name of the candidate variant, when A is an experiment")
      .option("--against", o->against, "FILE|COMMIT",
              "Another build of this program, or a commit to build; measured interleaved with this one");
  add_run_settings(command, o->settings);
  command.choice("--format", o->format, formats(), "Format of the printed results")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .flag("--no-store", o->no_store, "Do not keep the results of two variants in the store")
      .notes(
          "Exits with 1 when the candidate is worse, with 2 when a result is invalid, and with 69 when "
          "nothing could be compared. Stored runs were not measured interleaved, so they get no verdict and "
          "exit with 3.")
      .runs([&program, o] { return compare(program, *o); });
}

}  // namespace ridge::app
