// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/report/run_page.hpp>

#include "commands/commands.hpp"
#include "stored/named_run.hpp"

namespace ridge::app {
namespace {

struct report_options {
  std::vector<std::string> runs{};
  std::string output{"-"};
};

int write_report(const context& program, const report_options& o) {
  const bool to_file = o.output != "-";
  if (to_file) expect_writable(o.output);
  std::vector<model::run> runs;
  for (const auto& word : o.runs.empty() ? std::vector<std::string>{"last"} : o.runs) {
    auto run = run_named(program, word);
    if (!run) return program.refuse(run.why(), code_of_no_run(program, word));
    runs.push_back(std::move(*run));
  }
  const auto page = report::run_page(runs);
  if (!to_file) {
    program.print(page);
    return exit_code::good;
  }
  save_text(o.output, page);
  program.tell(fmt::format("wrote {}\n", o.output));
  return exit_code::good;
}

}  // namespace

void add_report(command& parent, context& program) {
  auto o = std::make_shared<report_options>();
  parent.add("report", "Write stored runs as one HTML page: tables, plots, checks, environment")
      .option("RUNS", o->runs, "RUN",
              "Stored runs (their ids, the ends of them, `last`) or files of runs (last)")
      .option("-o,--output", o->output, "FILE", "Write the page to this file (standard output)")
      .notes(
          "The page is one file that loads nothing from anywhere, so that it can be mailed and opened "
          "offline. It holds every table, interval, verdict and check of the runs, plots of the samples and "
          "of sweeps, the environment, and the command and seed that repeat the run.")
      .runs([&program, o] { return write_report(program, *o); });
}

}  // namespace ridge::app
