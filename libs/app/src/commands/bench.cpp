// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/resident_memory.hpp>

#include "commands/commands.hpp"
#include "session/build_warning.hpp"
#include "session/contest.hpp"
#include "session/fail_on.hpp"
#include "session/program_arms.hpp"
#include "session/run_header.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct bench_options {
  bench_rules rules{};
  std::string budget{};
  std::string min_effect{"1%"};
  std::string format{"table"};
  std::string save{};
  std::string fail_on{};
  std::uint64_t seed = drawn_seed();
  int warmup = 1;
  double budget_s = 0;
};

// Returns the programs as their users tell them apart: the whole line, numbered where two are equal.
std::vector<arm_name> names_of(const std::vector<std::vector<std::string>>& commands) {
  std::vector<arm_name> names;
  for (const auto& words : commands) {
    const auto line = join(words, " ");
    const auto same = std::ranges::count(names, line, &arm_name::line);
    names.push_back({same == 0 ? line : fmt::format("{} (#{})", line, same + 1), "", line});
  }
  return names;
}

// Removes peaks of memory that cannot be resolved: the kernel starts the peak of a child at the size of its
// parent.
void drop_unresolved_peaks(model::family& family, double floor) {
  std::vector<std::string> unresolved;
  for (auto& m : family.measurements) {
    if (m.memory.peak_bytes > floor) continue;
    m.memory.peak_bytes = 0;
    m.idea = "peak memory below " + format_quantity(floor, "B");
    unresolved.push_back(m.variant);
  }
  std::erase_if(family.comparisons, [&](const auto& c) {
    return c.metric.name == "peak_memory" && (std::ranges::count(unresolved, c.candidate) > 0 ||
                                              std::ranges::count(unresolved, c.reference) > 0);
  });
}

model::family measure_programs(const context& program, const bench_options& o, program_arms& arms) {
  arms.try_each();
  for (int i = 0; i < o.warmup; ++i) {
    for (std::size_t arm = 0; arm < arms.arms(); ++arm) arms.run_untimed(arm);
  }
  harness::protocol protocol{.budget_s = o.budget_s, .seed = o.seed};
  protocol.min_effect = *parse_share(o.min_effect);
  auto made = measure_contest(
      program, {.names = names_of(program.programs), .metrics = program_arms::what(), .protocol = protocol},
      arms);
  drop_unresolved_peaks(made, 1.02 * static_cast<double>(host::read_resident_memory().peak_bytes));
  made.experiment = "bench";
  made.title = "Programs";
  made.seed = o.seed;
  return made;
}

int bench(const context& program, bench_options o) {
  if (program.programs.empty())
    return program.refuse({"no program is given", "write `ridge bench -- PROGRAM ARGS [-- PROGRAM ARGS]...`"},
                          exit_code::usage);
  const auto rules = parse_fail_on(o.fail_on);
  if (!rules) return program.refuse(rules.why(), exit_code::usage);
  warn_of_build(program);
  const interrupt_guard guard;
  const double start = harness::monotonic_seconds();
  auto run = run_header(program, "bench", o.seed);
  program_arms arms(program.programs, o.rules);
  o.budget_s = o.budget.empty() ? 3.0 * static_cast<double>(arms.arms()) : *parse_seconds(o.budget);
  try {
    run.families.push_back(measure_programs(program, o, arms));
  } catch (const program_failed& why) {
    return program.refuse(why.why(), exit_code::refused);
  }
  run.min_effect = *parse_share(o.min_effect);
  run.wall_s = harness::monotonic_seconds() - start;
  show_and_save_run(program, run, o.format, o.save);
  return interrupted() ? exit_code::interrupted : exit_code_of(run, *rules);
}

}  // namespace

void add_bench(command& parent, context& program) {
  auto o = std::make_shared<bench_options>();
  parent.add("bench", "Measure any programs, interleaved, with the same statistics")
      .option("--budget", o->budget, "TIME", "Time for all measurements (3s for each program)")
      .checked(is_duration)
      .option("--prepare", o->rules.prepare, "LINE", "Shell command that runs before every run, untimed")
      .option("--warmup", o->warmup, "N", "Number of untimed runs of each program before the timed ones (1)")
      .flag("--verify-output", o->rules.verify_output,
            "Refuse a program whose output differs from the first program's")
      .flag("--ignore-failure", o->rules.ignore_failure,
            "Measure programs even when their exit status is not 0")
      .option("--min-effect", o->min_effect, "SHARE", "Smallest relative difference that matters (1%)")
      .checked(is_share)
      .option("--seed", o->seed, "N", "Seed of the random order of runs (drawn for every run and printed)")
      .choice("--format", o->format, formats(), "Format of the printed results")
      .option("--save", o->save, "FILE", "Write the whole run, with its raw samples, to a JSON file")
      .option("--fail-on", o->fail_on, "LIST", fail_on_help())
      .notes(
          "  ridge bench -- ./old --size 1000 -- ./new --size 1000\n"
          "The first program is the reference. Programs are started directly, without a shell, with their "
          "output discarded (or compared, with --verify-output).")
      .runs([&program, o] { return bench(program, *o); });
}

}  // namespace ridge::app
