// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/process_keeper.hpp>
#include <ridge/report/render.hpp>

#include "commands/commands.hpp"
#include "programs/bench_session.hpp"
#include "session/build_warning.hpp"
#include "session/contest.hpp"
#include "session/fail_on.hpp"
#include "session/run_header.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct bench_options {
  program_options programs{};
  std::string ignore_failure{}, input{"null"}, events{};
  bool verify_output = false;
  std::uint64_t runs = 0, min_runs = 0, max_runs = 0;
  std::string budget{};
  std::string min_effect{"1%"};
  std::string format{"table"};
  std::string save{}, export_json{}, export_csv{}, export_markdown{};
  std::string fail_on{};
  std::uint64_t seed = drawn_seed();
  int warmup = 1;
};

// Reads the value of --ignore-failure: "true" where it stands alone, "all-non-zero", or codes "1,2".
result<std::vector<int>> ignored_codes(const std::string& text) {
  std::vector<int> codes;
  if (text == "true" || text == "all-non-zero") return codes;
  for (const auto part : split(text, ',')) {
    int code = 0;
    const auto [stopped, failed] = std::from_chars(part.data(), part.data() + part.size(), code);
    if (failed != std::errc{} || stopped != part.data() + part.size() || code < 0)
      return error{fmt::format("--ignore-failure: \"{}\" is not an exit status", part),
                   "write --ignore-failure, or --ignore-failure=1,2"};
    codes.push_back(code);
  }
  return codes;
}

result<bench_rules> rules_of(const bench_options& o) {
  bench_rules rules{.verify_output = o.verify_output, .ignore_failure = !o.ignore_failure.empty()};
  const auto shell = shell_of(o.programs);
  if (!shell) return shell.why();
  if (!shell->empty()) rules.shell = *shell;
  if (rules.ignore_failure) {
    const auto codes = ignored_codes(o.ignore_failure);
    if (!codes) return codes.why();
    rules.ignored_codes = *codes;
  }
  if (o.input != "null") rules.input_file = o.input;
  if (!o.budget.empty()) rules.budget_s = *parse_seconds(o.budget);
  rules.least_runs = o.runs > 0 ? o.runs : o.min_runs;
  rules.most_runs = o.runs > 0 ? o.runs : o.max_runs;
  if (rules.most_runs > 0 && rules.most_runs < rules.least_runs)
    return error{"--max-runs is below --min-runs", "write --min-runs 10 --max-runs 50"};
  if (rules.most_runs > 0 && rules.most_runs < 6)
    return error{fmt::format("{} runs are too few for an interval", rules.most_runs), "ask for 6 or more"};
  return rules;
}

// Prints nothing where an inherited output would mix with results that another program reads.
std::optional<error> mixed_output(const bench_options& o) {
  for (const auto& output : o.programs.output) {
    if (output == "inherit" && o.format != "table")
      return error{"--output inherit mixes the programs' output with the results",
                   "give a file: --output FILE, or print the table"};
  }
  return std::nullopt;
}

void write_exports(const bench_options& o, const model::run& run,
                   const std::vector<program_result>& results) {
  if (!o.export_json.empty()) save_text(o.export_json, hyperfine_json(results));
  if (!o.export_csv.empty()) save_text(o.export_csv, hyperfine_csv(results));
  if (!o.export_markdown.empty())
    save_text(o.export_markdown, report::render(run, report::format::markdown, {}));
}

int bench(const context& program, bench_options o) {
  o.programs.words = program.programs;
  if (o.programs.words.empty() && o.programs.lines.empty() && o.programs.reference.empty())
    return program.refuse(
        {"no program is given",
         "write `ridge bench -- PROGRAM ARGS [-- PROGRAM ARGS]...`, or `ridge bench 'LINE'...`"},
        exit_code::usage);
  const auto verdicts = parse_fail_on(o.fail_on);
  if (!verdicts) return program.refuse(verdicts.why(), exit_code::usage);
  const auto problems = problems_of(o.programs);
  if (!problems) return program.refuse(problems.why(), exit_code::usage);
  const auto rules = rules_of(o);
  if (!rules) return program.refuse(rules.why(), exit_code::usage);
  if (const auto mixed = mixed_output(o)) return program.refuse(*mixed, exit_code::usage);
  for (const auto* path : {&o.save, &o.export_json, &o.export_csv, &o.export_markdown})
    expect_writable(*path);
  bench_protocol protocol{.rules = *rules,
                          .shell = *shell_of(o.programs),
                          .warmup = o.warmup,
                          .min_effect = *parse_share(o.min_effect),
                          .seed = o.seed};
  if (!o.events.empty())
    for (const auto name : split(o.events, ',')) protocol.events.emplace_back(trim(name));
  bench_session session(program, protocol);
  if (const auto unknown = session.unknown_events(); !unknown.empty())
    return program.refuse({"--event " + unknown.front(), "see perf-list(1)"}, exit_code::usage);
  warn_of_build(program);
  const interrupt_guard guard;
  const host::process_keeper keeper;
  const double start = harness::monotonic_seconds();
  auto run = run_header(program, "bench", o.seed);
  try {
    session.measure(*problems);
  } catch (const program_failed& why) {
    const int code = program.refuse(why.why(), exit_code::refused);
    if (!interrupted() || session.families().empty()) return code;
  }
  run.families = session.families();
  run.min_effect = protocol.min_effect;
  run.wall_s = harness::monotonic_seconds() - start;
  if (run.families.empty())
    return program.refuse({"interrupted before anything was measured", ""}, exit_code::interrupted);
  write_exports(o, run, session.results());
  show_and_save_run(program, run, o.format, o.save);
  return interrupted() ? exit_code::interrupted : exit_code_of(run, *verdicts);
}

void add_program_options(command& bench, program_options& o) {
  bench.option("COMMANDS", o.lines, "COMMAND", "Programs with their arguments, each as one quoted word")
      .option("--reference", o.reference, "COMMAND", "The reference; else the first program")
      .option("-n,--command-name", o.names, "NAME", "Name of a program in the results (repeats)")
      .option("-P,--parameter-scan", o.scan, "NAME MIN MAX",
              "Measure with {NAME} replaced by every number of a range; each is one problem")
      .takes(3)
      .option("-D,--parameter-step-size", o.step, "STEP", "Distance of the numbers of --parameter-scan (1)")
      .option("-L,--parameter-list", o.lists, "NAME VALUES",
              "Measure with {NAME} replaced by every value of a list: V1,V2 (repeats)")
      .takes(2)
      .option("-s,--setup", o.setup, "LINE",
              "Shell line that runs once before the runs of a problem (repeats)")
      .option("-p,--prepare", o.prepare, "LINE",
              "Shell line that runs before every run, untimed; once, or once for each program")
      .option("-C,--conclude", o.conclude, "LINE",
              "Shell line that runs after every run, untimed; once, or once for each program")
      .option("-c,--cleanup", o.cleanup, "LINE",
              "Shell line that runs once after the runs of a problem (repeats)")
      .option("-S,--shell", o.shell, "SHELL|none",
              "Run programs through this shell, for pipelines; its start is measured and stated (none)")
      .flag("-N", o.no_shell, "The same as --shell none")
      .option("--output", o.output, "null|pipe|inherit|FILE",
              "Where the output of the programs goes; once, or once for each program (null)");
}

}  // namespace

void add_bench(command& parent, context& program) {
  auto o = std::make_shared<bench_options>();
  auto& command = parent.add("bench", "Measure any programs, interleaved, with the same statistics");
  add_program_options(command, o->programs);
  command.option("--input", o->input, "null|FILE", "What the programs read as standard input (null)")
      .option("--budget", o->budget, "TIME", "Time for all runs of a problem (3s for each program)")
      .checked(is_duration)
      .option("-w,--warmup", o->warmup, "N",
              "Number of untimed runs of each program before the timed ones (1)")
      .option("-r,--runs", o->runs, "N", "Run each program exactly so often, 6 times or more")
      .option("-m,--min-runs", o->min_runs, "N", "Run each program at least so often, for the whole budget")
      .option("-M,--max-runs", o->max_runs, "N", "Run each program at most so often, 6 times or more")
      .flag("--verify-output", o->verify_output,
            "Refuse a program whose output differs from the first program's")
      .option("-i,--ignore-failure", o->ignore_failure, "CODES",
              "Measure programs whose exit status is not 0; --ignore-failure=1,2 only these")
      .with_optional_value()
      .option("--event", o->events, "LIST",
              "Count these perf events in every run: instructions,cycles,page-faults,context-switches,...")
      .option("--min-effect", o->min_effect, "SHARE", "Smallest relative difference that matters (1%)")
      .checked(is_share)
      .option("--seed", o->seed, "N", "Seed of the random order of runs (drawn for every run and printed)")
      .choice("--format", o->format, formats(), "Format of the printed results")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .option("--export-json", o->export_json, "FILE",
              "Write the times in the layout of hyperfine's JSON file")
      .option("--export-csv", o->export_csv, "FILE", "Write the times in the layout of hyperfine's CSV file")
      .option("--export-markdown", o->export_markdown, "FILE", "Write the table as Markdown")
      .option("--fail-on", o->fail_on, "LIST", fail_on_help())
      .notes(
          "  ridge bench -- ./old --size 1000 -- ./new --size 1000\n"
          "  ridge bench './old --size {n}' './new --size {n}' --parameter-list n 100,1000\n"
          "  ridge bench --shell sh 'cat data | sort' 'sort data'\n"
          "The first program is the reference. Programs are started directly, without a shell, with their "
          "output discarded (or compared, with --verify-output). docs/guide/bench.md has the options of "
          "hyperfine and what differs.")
      .runs([&program, o] { return bench(program, *o); });
}

}  // namespace ridge::app
