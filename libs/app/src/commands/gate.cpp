// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/host/process_keeper.hpp>
#include <ridge/model/json.hpp>

#include <ridge/app/stored_pattern.hpp>
#include "builds/watched_step.hpp"
#include "ci/ci_environment.hpp"
#include "commands/commands.hpp"
#include "gate/gate_report.hpp"
#include "gate/gate_rerun.hpp"
#include "session/build_warning.hpp"
#include "session/run_header.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct gate_options {
  std::string id{"*"}, problem{}, variant{}, baseline{}, fail_on{"slower"}, min_effect{"1%"};
  std::string against{}, budget{"2min"}, junit{}, markdown{}, save{};
  bool no_confirm = false, github = false, json = false;
  std::uint64_t seed = drawn_seed();
};

store::workload_query query_of(const context& program, const gate_options& o) {
  store::workload_query query{.experiment = stored_pattern(o.id, ids_named(program.experiments, o.id))};
  if (!o.problem.empty()) query.problem = o.problem;
  if (!o.variant.empty()) query.variant = o.variant;
  return query;
}

gate_rules rules_of(const gate_options& o) {
  return {.slower = o.fail_on != "never", .faster = o.fail_on == "any"};
}

// Leaves only the metric that decides the verdicts of each variant: time and throughput of one variant are
// one finding. Variants without a newest result keep all of theirs.
void keep_deciding(store::store& results, const store::workload_query& query,
                   std::vector<gate_finding>& findings) {
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> deciding;
  for (const auto& newest : results.latest(query)) {
    for (const auto& m : newest.measurements)
      deciding.try_emplace({newest.workload.id, m.series.variant}, m.series.id);
  }
  std::erase_if(findings, [&](const gate_finding& one) {
    const auto known = deciding.find({one.series.workload, one.series.variant});
    return known != deciding.end() && known->second != one.series.id;
  });
}

void confirm(const context& program, store::store& results, const gate_options& o,
             std::vector<gate_finding>& findings) {
  auto run = run_header(program, "gate", o.seed);
  run.families = measure_again(program, results, run.environment,
                               {.against = o.against,
                                .budget_s = *parse_seconds(o.budget),
                                .min_effect = *parse_share(o.min_effect),
                                .seed = o.seed,
                                .improvements = rules_of(o).faster},
                               findings);
  if (!o.save.empty()) save_text(o.save, model::to_json(run));
}

void write_reports(const context& program, const gate_options& o, const std::vector<gate_finding>& findings,
                   const std::string& baseline) {
  const auto rules = rules_of(o);
  const auto markdown = gate_markdown(findings, baseline);
  if (!o.junit.empty()) save_text(o.junit, gate_junit(findings, rules));
  if (!o.markdown.empty()) save_text(o.markdown, markdown);
  program.print(o.json ? gate_json(findings, baseline, rules) : gate_text(findings, baseline, program.out));
  if (!o.github) return;
  program.print(gate_annotations(findings, rules));
  if (const char* path = std::getenv("GITHUB_STEP_SUMMARY"); path != nullptr && *path != '\0')
    append_to_summary(path, markdown);
}

int gate_command(const context& program, const gate_options& o) {
  if (o.json && o.github)
    return program.refuse({"annotations are no JSON", "give --json or --github"}, exit_code::usage);
  for (const auto* path : {&o.junit, &o.markdown, &o.save}) expect_writable(*path);
  const auto opened = open_store_for_reading(program);
  if (!opened) return program.refuse(opened.why(), exit_code::unavailable);
  auto& results = **opened;
  const changes::rules rules{.min_effect = *parse_share(o.min_effect)};
  std::vector<gate_finding> findings;
  std::string baseline;
  if (o.baseline.empty()) {
    findings = findings_of_history(results, query_of(program, o), rules);
  } else {
    const auto known = gate_baseline::named(results, o.baseline);
    if (!known) return program.refuse(known.why(), exit_code::usage);
    baseline = known->text();
    findings = findings_since(results, query_of(program, o), *known, rules);
  }
  keep_deciding(results, query_of(program, o), findings);
  if (!o.no_confirm && o.fail_on != "never") confirm(program, results, o, findings);
  write_reports(program, o, findings, baseline);
  if (interrupted()) return exit_code::interrupted;
  const int code = exit_code_of(rules_of(o), findings);
  if (code != exit_code::unavailable) return code;
  const auto remedy =
      o.baseline.empty()
          ? fmt::format(
                "`ridge run` stores results; a series is judged by its own history from {} runs on, "
                "with --baseline REV from the first run of that build on",
                rules.enough())
          : fmt::format("`ridge run` stores results: no series has a run of {} and a newer one", baseline);
  return program.refuse({"nothing was compared", remedy}, code);
}

// An interrupt ends whatever was started, compilers that have left its process group as well.
int gate(const context& program, const gate_options& o) {
  const interrupt_guard guard;
  const host::process_keeper keeper;
  try {
    return gate_command(program, o);
  } catch (const interrupted_step& why) {
    return program.refuse(why.why(), exit_code::interrupted);
  }
}

}  // namespace

void add_gate(command& parent, context& program) {
  auto o = std::make_shared<gate_options>();
  parent.add("gate", "Fail where stored results got slower; suspects are measured again by both builds")
      .option("ID", o->id, "ID", "An experiment, a chapter or a glob; everything by default")
      .option("--problem", o->problem, "TEXT", "Only this problem, written as it is printed")
      .option("--variant", o->variant, "NAME", "Only this variant")
      .option("--baseline", o->baseline, "REV|RUN",
              "Compare the newest runs with those of this commit and its ancestors, or up to this run (each "
              "series with its own history)")
      .choice("--fail-on", o->fail_on, {"slower", "worse", "any", "never"},
              "What fails: changes for the worse (slower, worse), any change, or none")
      .option("--min-effect", o->min_effect, "SHARE", "Smallest relative difference that matters (1%)")
      .checked(is_share)
      .option("--against", o->against, "FILE|COMMIT",
              "Build to measure suspects against (that of the run before)")
      .option("--budget", o->budget, "TIME", "Time for measuring suspects again, builds not included (2min)")
      .checked(is_duration)
      .flag("--no-confirm", o->no_confirm, "Measure nothing: suspects count as they are")
      .option("--junit", o->junit, "FILE", "Write a JUnit file, a test case for each series")
      .option("--markdown", o->markdown, "FILE", "Write a comment for a pull request")
      .flag("--github", o->github,
            "Print annotations for GitHub Actions, and add a table to the summary of the job")
      .flag("--json", o->json, "Print one JSON object (ridge.gate/1)")
      .option("--save", o->save, "FILE",
              "Write what was measured again, with its raw samples, to a JSON file")
      .option("--seed", o->seed, "N", "Seed of the random order of runs (drawn for every call)")
      .notes(
          "Exits with 1 when a change that is suspected or confirmed fails, with 3 when measuring again did "
          "not "
          "tell, and with 69 when nothing could be compared. A suspect is measured again where this program "
          "made its newest run on this machine; otherwise it fails as it is. `ridge triage` takes back what "
          "is "
          "expected or noise. docs/design/changes.md says how changes are found.")
      .runs([&program, o] { return gate(program, *o); });
}

}  // namespace ridge::app
