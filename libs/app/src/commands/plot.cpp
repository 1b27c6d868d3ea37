// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/app/svg_to_png.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/report/run_charts.hpp>

#include <ridge/app/stored_pattern.hpp>
#include "commands/commands.hpp"
#include "stored/named_run.hpp"

namespace ridge::app {
namespace {

struct plot_options {
  std::string target{"last"};
  std::vector<std::string> experiments{};
  std::string kind{};
  std::string problem{};
  std::vector<std::string> outputs{};
  int limit = 1000;
};

using charts = std::vector<report::chart>;

std::string complaint_about_plot_file(const std::string& path) {
  return path.ends_with(".svg") || path.ends_with(".png") ? "" : path + " is not an .svg or .png file";
}

// Returns the newest stored run that holds one of these experiments, without its other experiments.
result<model::run> newest_of(const context& program, const std::vector<std::string>& ids) {
  const auto opened = open_store_for_reading(program);
  if (!opened) return opened.why();
  for (const auto& id : ids) {
    const auto found = (*opened)->runs({.experiment = id, .limit = 1});
    if (found.empty()) continue;
    auto run = load_run(**opened, found.front().id);
    if (run)
      std::erase_if(run->families, [&](const auto& f) { return !std::ranges::count(ids, f.experiment); });
    return run;
  }
  return error{fmt::format("no stored run holds {}", ids.front()),
               fmt::format("`ridge run {}`", ids.front())};
}

result<model::run> run_to_plot(const context& program, const plot_options& o) {
  auto named = run_named(program, o.target);
  if (!named) {
    const auto ids =
        names_a_file(o.target) ? std::vector<std::string>{} : ids_named(program.experiments, o.target);
    if (ids.empty()) return named.why();
    named = newest_of(program, ids);
  }
  if (!named) return named;
  if (auto kept = keep_experiments(*named, o.experiments); !kept) return kept.why();
  if (!o.problem.empty())
    std::erase_if(named->families, [&](const auto& f) { return model::text(f.problem) != o.problem; });
  return named;
}

charts distributions(const model::run& run) {
  charts all;
  for (const auto& f : run.families) {
    for (auto& c : {report::violin_chart(f), report::ecdf_chart(f)}) {
      if (!c.series.empty()) all.push_back(c);
    }
  }
  return all;
}

result<charts> charts_of_run(const context& program, const plot_options& o) {
  const auto run = run_to_plot(program, o);
  if (!run) return run.why();
  if (o.kind != "distribution") {
    auto sweeps = report::sweep_charts(*run);
    if (!sweeps.empty()) return sweeps;
    if (o.kind == "sweep")
      return error{"no experiment of this run was measured at several values of an axis",
                   "measure a sweep: `ridge run ID --axis n=2^10..20:2`"};
  }
  auto all = distributions(*run);
  if (all.empty()) return error{"this run holds no samples", "plot one that `ridge run` stored or saved"};
  return all;
}

result<charts> charts_of_history(const context& program, const plot_options& o) {
  const auto opened = open_store_for_reading(program);
  if (!opened) return opened.why();
  store::history_query query{.experiment = stored_pattern(o.target, ids_named(program.experiments, o.target)),
                             .limit = static_cast<std::size_t>(o.limit)};
  if (!o.problem.empty()) query.problem = o.problem;
  const auto rows = (*opened)->history(query);
  if (rows.empty())
    return error{fmt::format("the store holds no result of \"{}\"", o.target),
                 "name an experiment: `ridge history` lists what is stored"};
  return report::history_charts(rows);
}

int plot(const context& program, const plot_options& o) {
  for (const auto& path : o.outputs) expect_writable(path);
  const auto made = o.kind == "history" ? charts_of_history(program, o) : charts_of_run(program, o);
  if (!made) {
    const bool no_run = names_a_run(o.target) && !run_named(program, o.target);
    const bool nothing_stored = !names_a_file(o.target) && !open_store_for_reading(program);
    return program.refuse(made.why(), no_run           ? code_of_no_run(program, o.target)
                                      : nothing_stored ? exit_code::unavailable
                                                       : exit_code::usage);
  }
  for (const auto& path : o.outputs) {
    const auto svg = report::charts_svg(*made);
    path.ends_with(".svg") ? save_text(path, svg) : save_png(svg, path);
    program.tell(fmt::format("wrote {}\n", path));
  }
  if (!o.outputs.empty()) return exit_code::good;
  std::string text;
  for (const auto& c : *made)
    text += (text.empty() ? "" : "\n") +
            report::chart_braille(c, {.columns = program.out.columns, .color = program.out.colored});
  program.print(text);
  return exit_code::good;
}

}  // namespace

void add_plot(command& parent, context& program) {
  auto o = std::make_shared<plot_options>();
  parent.add("plot", "Plot a run: a sweep under its ceilings, the samples, or the history of an experiment")
      .option("RUN", o->target, "TARGET|RUN",
              "A stored run (its id, the end of it, `last`), a file of a run, or an experiment (last)")
      .option("EXPERIMENTS", o->experiments, "ID", "Plot only these experiments of the run")
      .choice("--kind", o->kind, {"sweep", "distribution", "history"},
              "What to plot (sweep where an axis has several values, else distribution)")
      .option("--problem", o->problem, "TEXT", "Plot only this problem, written as it is printed")
      .option("-o,--output", o->outputs, "FILE",
              "Write the plots as .svg or .png in place of printing them (repeats)")
      .checked(complaint_about_plot_file)
      .notes(
          "sweep: the deciding metric of each variant over an axis, with intervals, and what the measured "
          "ceilings allow. distribution: the samples of each variant as violins and as shares not above a "
          "value. history: medians and ratios of one experiment over the stored runs.")
      .runs([&program, o] { return plot(program, *o); });
}

}  // namespace ridge::app
