// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/cache_folder.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/model/json.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "commands/commands.hpp"
#include "session/duration_cache.hpp"
#include "session/experiment_session.hpp"
#include "session/fail_on.hpp"
#include "session/planned_run.hpp"
#include "session/planned_time.hpp"
#include "session/run_reporter.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct run_options {
  run_settings settings{};
  std::vector<std::string> targets{};
  std::string format{"table"};
  std::string save{};
  std::string fail_on{};
  bool no_store = false;
  bool verbose = false;
  bool dry_run = false;
};

// Prints what the session would measure, as long as each problem took before or is estimated to take.
int print_plan(const context& program, experiment_session& session, duration_cache& durations) {
  const auto times = planned_times_of(session.families(), session.options(), session.missing_libraries(),
                                      &session.edges(), &durations);
  program.print(planned_run_text(session.families(), times, session.options().suite_budget_s, program.out));
  return exit_code::good;
}

int run(const context& program, const run_options& o) {
  if (o.targets.empty())
    return program.refuse(
        {"no target given",
         "give one: `ridge run ch01`, `ridge run all`; `ridge list` prints the experiments"},
        exit_code::usage);
  const auto chosen = select(program.experiments, o.targets);
  if (!chosen) return program.refuse(chosen.why(), exit_code::usage);
  const auto rules = parse_fail_on(o.fail_on);
  if (!rules) return program.refuse(rules.why(), exit_code::usage);
  expect_writable(o.save);
  const interrupt_guard guard;
  experiment_session session(program, *chosen, [](const std::string& id) {
    return std::vector<std::string>{"run", id, "--no-store"};
  });
  if (const auto refused = session.prepare(o.settings)) return program.refuse(refused->why, refused->code);
  duration_cache durations(cache_folder());
  if (o.dry_run) return print_plan(program, session, durations);
  run_reporter reporter(
      program,
      {.format = *report::named_format(o.format),
       .verbose = o.verbose,
       .families = session.families(),
       .options = session.options(),
       .missing_libraries = program.err.interactive ? session.missing_libraries() : std::set<std::string>{},
       .edges = program.err.interactive ? &session.edges() : nullptr,
       .durations = &durations},
      store_if_possible(program, !o.no_store));
  const auto done = session.measure(reporter);
  if (!o.save.empty()) save_text(o.save, model::to_json(done));
  return interrupted() ? exit_code::interrupted : exit_code_of(done, *rules);
}

}  // namespace

void add_run(command& parent, context& program) {
  auto o = std::make_shared<run_options>();
  auto& command = parent.add("run", "Verify and measure experiments, their variants interleaved");
  command.option("TARGETS", o->targets, "TARGET", "Experiments: ids, chapters, globs, tags or all");
  add_run_settings(command, o->settings);
  command.choice("--format", o->format, formats(), "Format of the printed results")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .flag("-v,--verbose", o->verbose,
            "Print the table of every problem, not only a line for each experiment")
      .flag("--dry-run", o->dry_run, "Print what would be measured and how long that is planned to take")
      .flag("--no-store", o->no_store, "Do not keep results in the store")
      .option("--fail-on", o->fail_on, "LIST", fail_on_help())
      .notes(
          "A target is an id (ch01.coalescing), a chapter (ch01, ch1, labs), a glob ('ch01.*gemm*'), a tag "
          "(tag:memory) or all. Results are stored as each problem finishes; Ctrl-C keeps what is finished. "
          "Several experiments print a line each when they are finished, one experiment prints the table of "
          "each problem; `ridge show RUN [EXPERIMENT]` prints the tables of a stored run. --format jsonl "
          "prints one object for each comparison as soon as it is stored.")
      .runs([&program, o] { return run(program, *o); });
}

}  // namespace ridge::app
