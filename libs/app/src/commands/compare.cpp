// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

#include "catalogue/variant_pair.hpp"
#include "commands/commands.hpp"
#include "session/build_arms.hpp"
#include "session/build_warning.hpp"
#include "session/contest.hpp"
#include "session/experiment_session.hpp"
#include "session/fail_on.hpp"
#include "session/run_header.hpp"
#include "session/run_reporter.hpp"
#include "session/run_settings.hpp"
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
    return std::vector<std::string>{"compare", id + ':' + reference, id + ':' + candidate};
  });
  if (const auto refused = session.prepare(o.settings)) return program.refuse(refused->why, refused->code);
  run_reporter reporter(program, *report::named_format(o.format), nullptr, session.options().suite_budget_s);
  const auto done = session.measure(reporter);
  if (!o.save.empty()) save_text(o.save, model::to_json(done));
  return gate(program, done);
}

std::vector<std::string> worker_arguments(const compare_options& o, const std::string& id,
                                          const std::string& variant) {
  std::vector<std::string> words{"run",      id,      "--variant", variant, "--profile", "minimal",
                                 "--budget", "300ms", "--format",  "json",  "--no-store"};
  for (const auto& axis : o.settings.axes) words.insert(words.end(), {"--axis", axis});
  return words;
}

int compare_builds(const context& program, const compare_options& o, const experiment& entry,
                   std::string variant) {
  if (variant.empty()) {
    for (const auto& v : entry->variants) {
      if (v.is == model::role::optimized && v.backend == model::backend::cpu) variant = v.name;
    }
  }
  const auto other = program_of(o.against);
  if (!other) return program.refuse(other.why(), exit_code::usage);
  warn_of_build(program);
  const interrupt_guard guard;
  build_arms arms({*other, "/proc/self/exe"}, worker_arguments(o, entry->id, variant), variant);
  const auto what = arms.try_each();
  const double budget_s = o.settings.budget.empty() ? 30 : *parse_seconds(o.settings.budget);
  harness::protocol protocol{
      .budget_s = budget_s, .min_effect = *parse_share(o.settings.min_effect), .seed = o.settings.seed};
  auto run = run_header(program, "against", o.settings.seed);
  auto family = measure_contest(program,
                                {.names = {{o.against, "the other build"}, {"this build", std::string()}},
                                 .metrics = {what},
                                 .protocol = protocol,
                                 .counted = "rounds of processes"},
                                arms);
  family.experiment = entry->id;
  family.title = fmt::format("{} by two builds, processes interleaved", variant);
  run.wall_s = family.wall_s;
  run.families.push_back(std::move(family));
  show_and_save_run(program, run, o.format, o.save);
  return gate(program, run);
}

// Returns both stored runs when both names are stored runs; nothing otherwise.
std::optional<std::pair<model::run, model::run>> stored_pair(const context& program,
                                                             const compare_options& o) {
  const auto opened = open_store_for_reading(program);
  if (!opened || o.second.empty()) return std::nullopt;
  auto first = load_run(**opened, o.first), second = load_run(**opened, o.second);
  if (!first || !second) return std::nullopt;
  return std::pair{std::move(*first), std::move(*second)};
}

int compare(const context& program, const compare_options& o) {
  const auto left = parse_address(o.first), right = parse_address(o.second);
  const auto chosen = select(program.experiments, {left.experiment});
  if (!chosen) {
    const auto runs = stored_pair(program, o);
    if (!runs) return program.refuse(chosen.why(), exit_code::usage);
    program.print(side_by_side(runs->first, runs->second, program.out));
    return exit_code::inconclusive;
  }
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
        {"no variants are named",
         fmt::format("write `ridge compare {0}:A {0}:B`; `ridge show {0}` names them", chosen->front()->id)},
        exit_code::usage);
  return compare_variants(program, o, *chosen, reference, candidate);
}

}  // namespace

void add_compare(command& parent, context& program) {
  auto o = std::make_shared<compare_options>();
  auto& command = parent.add(
      "compare", "Compare two variants or two builds interleaved, or show stored runs side by side");
  command.option("A", o->first, "ID", "The reference, as ID:VARIANT; or a stored run")
      .required()
      .option("B", o->second, "ID", "The candidate, as ID:VARIANT of the same experiment; or a stored run")
      .option("--reference", o->reference, "VARIANT",
              "Name of the reference variant, when A is an experiment")
      .option("--candidate", o->candidate, "VARIANT",
              "Name of the candidate variant, when A is an experiment")
      .option("--against", o->against, "FILE",
              "Another build of this program, or a commit to build; measured interleaved with this one");
  add_run_settings(command, o->settings);
  command.choice("--format", o->format, formats(), "Format of the printed results")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .notes(
          "Exits with 1 when the candidate is worse, with 2 when a result is invalid, and with 69 when "
          "nothing could be compared. Stored runs were not measured interleaved, so they get no verdict and "
          "exit with 3.")
      .runs([&program, o] { return compare(program, *o); });
}

}  // namespace ridge::app
