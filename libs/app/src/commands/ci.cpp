// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/process_keeper.hpp>
#include <ridge/model/json.hpp>

#include "builds/checkout.hpp"
#include "builds/watched_step.hpp"
#include "ci/ci_environment.hpp"
#include "ci/ci_session.hpp"
#include "commands/commands.hpp"
#include "programs/program_plan.hpp"
#include "session/build_warning.hpp"
#include "session/run_header.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct ci_options {
  ci_plan plan{};
  std::string base{}, head{"HEAD"}, shell{"none"}, budget{"2min"}, min_effect{"1%"}, fail_on{"worse"};
  std::string markdown{}, junit{}, save{};
  std::uint64_t seed = drawn_seed();
};

// What is compared: the head, and the commit at which it left the base.
struct change {
  std::string repository{}, head{}, base{}, base_name{};
};

result<change> change_of(const ci_options& o, const ci_environment& environment) {
  const auto repository = repository_here();
  if (!repository) return repository.why();
  const auto head = commit_named(*repository, o.head);
  if (!head) return head.why();
  const auto names = o.base.empty() ? environment.bases : std::vector{o.base};
  for (const auto& name : names) {
    const auto tip = commit_named(*repository, name);
    if (!tip && !o.base.empty()) return tip.why();
    if (!tip) continue;
    const auto base = merge_base(*repository, *tip, *head);
    if (!base) return base.why();
    if (*base != *head) return change{*repository, *head, *base, name};
    if (!o.base.empty())
      return error{fmt::format("{} holds {} already: there is no change to measure", name, o.head),
                   "name another --base"};
  }
  return error{fmt::format("found no base to compare with (tried {})", join(names, ", ")),
               "name it: --base REF; a CI job needs the whole history (fetch-depth: 0, GIT_DEPTH: 0)"};
}

void write_reports(const context& program, const ci_options& o, const ci_environment& environment,
                   const ci_outcome& outcome, const fail_on& rules) {
  const auto markdown = ci_markdown(outcome);
  if (!o.save.empty()) save_text(o.save, model::to_json(outcome.run));
  if (!o.junit.empty()) save_text(o.junit, ci_junit(outcome, rules));
  if (!o.markdown.empty() && o.markdown != "-") save_text(o.markdown, markdown);
  program.print(markdown);
  if (!environment.summary_file.empty()) append_to_summary(environment.summary_file, markdown);
}

int code_of(const ci_outcome& outcome, const fail_on& rules) {
  if (interrupted()) return exit_code::interrupted;
  bool failed = false, measured = false;
  for (const auto& one : outcome.benchmarks) {
    failed = failed || one.failed;
    measured = measured || !one.measured.empty();
  }
  if (failed) return exit_code::refused;
  return measured ? exit_code_of(outcome.run, rules) : exit_code::unavailable;
}

int build_and_measure(const context& program, const ci_options& o, const ci_environment& environment,
                      const change& change, const fail_on& rules) {
  const scratch_folder work("ridge-ci");
  progress_line line(program.err);
  const checkout base(change.repository, change.base, work.path() / "base", line);
  const checkout head(change.repository, change.head, work.path() / "head", line);
  ci_session session(program, o.plan, base.folder(), head.folder());
  const double start = harness::monotonic_seconds();
  ci_outcome outcome{.base = change.base,
                     .head = change.head,
                     .base_name = change.base_name,
                     .budget = o.budget,
                     .run = run_header(program, "ci", o.seed)};
  outcome.run.min_effect = o.plan.min_effect;
  auto built = session.build_base();
  if (built) built = session.build_head();
  outcome.benchmarks = built ? session.measure() : session.not_built(built.why());
  outcome.run.wall_s = harness::monotonic_seconds() - start;
  for (const auto& one : outcome.benchmarks)
    outcome.run.families.insert(outcome.run.families.end(), one.measured.begin(), one.measured.end());
  write_reports(program, o, environment, outcome, rules);
  if (!built) return program.refuse(built.why(), exit_code::refused);
  return code_of(outcome, rules);
}

int ci(const context& program, ci_options o) {
  if (o.plan.benches.empty() && o.plan.targets.empty())
    return program.refuse(
        {"nothing is to be measured", "give --bench LINE, or --program FILE with ID:VARIANT"},
        exit_code::usage);
  if (!o.plan.targets.empty() && o.plan.program.empty())
    return program.refuse({"experiments need the program that holds them",
                           "name it, as it lies in the checkout: --program build/bin/ridge"},
                          exit_code::usage);
  const auto rules = parse_fail_on(o.fail_on == "never" ? "" : o.fail_on);
  if (!rules) return program.refuse(rules.why(), exit_code::usage);
  const auto shell = shell_of({.shell = o.shell});
  if (!shell) return program.refuse(shell.why(), exit_code::usage);
  for (const auto* path : {&o.markdown, &o.junit, &o.save}) expect_writable(*path);
  const auto environment = ci_environment_of([](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return std::string(value == nullptr ? "" : value);
  });
  const auto change = change_of(o, environment);
  if (!change) return program.refuse(change.why(), exit_code::usage);
  o.plan.shell = *shell;
  o.plan.budget_s = *parse_seconds(o.budget);
  o.plan.min_effect = *parse_share(o.min_effect);
  o.plan.seed = o.seed;
  warn_of_build(program);
  const interrupt_guard guard;
  const host::process_keeper keeper;
  try {
    return build_and_measure(program, o, environment, *change, *rules);
  } catch (const interrupted_step& why) {
    return program.refuse(why.why(), exit_code::interrupted);
  }
}

}  // namespace

void add_ci(command& parent, context& program) {
  auto o = std::make_shared<ci_options>();
  parent.add("ci", "Compare a change with its base: build both once, measure them interleaved, report")
      .option("TARGETS", o->plan.targets, "ID:VARIANT", "Variants of experiments that --program holds")
      .option("--bench", o->plan.benches, "LINE", "Command to measure, started in each checkout (repeats)")
      .option("--build", o->plan.builds, "LINE",
              "Shell line that builds a checkout, run once in each (repeats)")
      .option("--program", o->plan.program, "FILE", "Program of experiments, by its path in a checkout")
      .option("--base", o->base, "REF",
              "What the change is against (found by the variables of the CI system)")
      .option("--head", o->head, "REF", "The change (HEAD); files that are not committed are not measured")
      .option("--shell", o->shell, "SHELL|none", "Run the commands of --bench through this shell (none)")
      .option("--budget", o->budget, "TIME",
              "Time for all measurements, builds not included; what does not fit is named (2min)")
      .checked(is_duration)
      .option("--min-effect", o->min_effect, "SHARE", "Smallest relative difference that matters (1%)")
      .checked(is_share)
      .option("--fail-on", o->fail_on, "LIST", fail_on_help() + "; never: neither (worse)")
      .option("--markdown", o->markdown, "FILE",
              "Write the comment for the pull request, which is printed as well; -: only print it")
      .option("--junit", o->junit, "FILE", "Write a JUnit file, a test case for each benchmark")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .option("--seed", o->seed, "N", "Seed of the random order of runs (drawn for every run and printed)")
      .notes(
          "  ridge ci --build 'cmake -B b && cmake --build b' --bench './b/app --size 1000'\n"
          "The base is the newest common ancestor with the target branch of a pull request in GitHub Actions "
          "and GitLab "
          "CI, where their variables say it, else with the default branch; else the commit before. In GitHub "
          "Actions the "
          "comment is also shown with the job. docs/guide/ci.md has the files for both systems.")
      .runs([&program, o] { return ci(program, *o); });
}

}  // namespace ridge::app
