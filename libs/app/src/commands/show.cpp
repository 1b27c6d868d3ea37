// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/table.hpp>

#include "catalogue/catalogue.hpp"
#include "commands/commands.hpp"
#include "stored/named_run.hpp"
#include "stored/stored_series.hpp"

namespace ridge::app {
namespace {

std::string axes_of(const model::experiment_description& description, const terminal& screen) {
  report::table table({{""}, {""}});
  for (const auto& axis : description.axes) {
    std::vector<std::string> values;
    for (const auto& value : axis.values) values.push_back(model::text(value));
    table.row({{axis.name}, {join(values, ", ")}});
  }
  return table.empty() ? "  no axes: the experiment has one problem\n" : table.text(layout_on(screen, 2));
}

std::string variants_of(const model::experiment_description& description, const terminal& screen) {
  report::table table({{""}, {""}, {""}, {""}});
  for (const auto& v : description.variants) {
    auto idea = v.idea;
    if (v.pedagogy) idea += " (pedagogy: shown to teach, not to ship)";
    if (!v.unavailable.empty()) idea += fmt::format(" [skipped here: {}]", v.unavailable);
    table.row({{v.name, report::tone::strong},
               {std::string(model::name(v.role))},
               {std::string(model::name(v.backend))},
               {idea}});
  }
  return table.text(layout_on(screen, 2));
}

std::string work_of(const std::vector<experiment>& same, const terminal& screen) {
  report::table table({{"PROBLEM"},
                       {"FLOP", report::align::right},
                       {"READ", report::align::right},
                       {"WRITTEN", report::align::right},
                       {"FLOP/BYTE", report::align::right}});
  constexpr std::size_t most = 8;
  std::size_t shown = 0, all = 0;
  for (const auto& one : same) {
    for (const auto& at : one.problems()) {
      if (++all > most) continue;
      const auto w = one->work(at);
      table.row({{model::text(at.point())},
                 {format_quantity(w.flop, "FLOP")},
                 {format_quantity(w.bytes_read, "B")},
                 {format_quantity(w.bytes_written, "B")},
                 {format_quantity(w.intensity(), "")}});
      ++shown;
    }
  }
  auto text = table.text(layout_on(screen, 2));
  if (all > shown) text += fmt::format("  and {} more problems\n", all - shown);
  return text;
}

std::string metrics_of(const model::experiment_description& description) {
  std::vector<std::string> words;
  for (const auto& m : description.metrics)
    words.push_back(fmt::format("{} ({}, {} is better)", m.name, m.unit, model::name(m.better)));
  return join(words, "; ") +
         (description.phases.empty() ? "" : "; phases: " + join(description.phases, ", "));
}

std::string heading(const terminal& screen, std::string_view title) {
  return '\n' + paint(screen, report::tone::strong, title) + '\n';
}

std::string last_results(const context& program, const std::string& id) {
  const auto store = open_store_for_reading(program);
  if (!store) return fmt::format("  {}\n", store.why().text());
  const auto stored = (*store)->history({.experiment = id, .limit = 200});
  if (stored.empty()) return fmt::format("  none yet: `ridge run {}`\n", id);
  std::vector<model::stored_comparison> last;
  std::ranges::copy_if(stored, std::back_inserter(last),
                       [&](const auto& comparison) { return comparison.run == stored.front().run; });
  return stored_text(last, program.out, 2);
}

std::string page(const context& program, const model::experiment_description& description,
                 const std::vector<experiment>& same) {
  const auto& on = program.out;
  auto text = fmt::format("{}  {}\n{}\n", paint(on, report::tone::strong, description.id), description.title,
                          wrap(description.question, on.columns));
  text += fmt::format("\n{} {}", paint(on, report::tone::dim, "goal"), model::name(description.goal));
  if (!description.tags.empty())
    text += fmt::format("   {} {}", paint(on, report::tone::dim, "tags"), join(description.tags, ", "));
  text += '\n';
  if (!description.answers.empty())
    text +=
        wrap(paint(on, report::tone::dim, "answers") + ' ' + join(description.answers, ", "), on.columns) +
        '\n';
  text += wrap(paint(on, report::tone::dim, "metrics") + ' ' + metrics_of(description), on.columns) + '\n';
  text += heading(on, "Axes") + axes_of(description, on);
  text += heading(on, "Variants") + variants_of(description, on);
  if (!description.missing_backends.empty())
    text += "  " + paint(on, report::tone::dim, description.missing_backends) + '\n';
  text += heading(on, "Work, by definition") + work_of(same, on);
  text += heading(on, "Last results") + last_results(program, description.id);
  return text;
}

struct show_options {
  std::string target{};
  std::vector<std::string> experiments{};
  bool json = false;
};

// Prints the tables of a stored run, of the experiments that were asked for.
int show_run(const context& program, model::run run, const show_options& o) {
  if (auto kept = keep_experiments(run, o.experiments); !kept)
    return program.refuse(kept.why(), exit_code::usage);
  program.print(o.json
                    ? model::to_json(run) + '\n'
                    : report::console(run, {.columns = program.out.columns, .color = program.out.colored}));
  return exit_code::good;
}

int show(const context& program, const show_options& o) {
  const auto chosen = select(program.experiments, {o.target});
  if (!chosen || !o.experiments.empty()) {
    auto run = run_named(program, o.target);
    if (run) return show_run(program, std::move(*run), o);
    if (chosen || names_a_run(o.target)) return program.refuse(run.why(), code_of_no_run(program, o.target));
    return program.refuse(chosen.why(), exit_code::usage);
  }
  auto described = describe(*chosen);
  mark_unavailable(described, *chosen);
  if (o.json) {
    program.print(model::catalogue_json(described));
    return exit_code::good;
  }
  std::string text;
  for (const auto& one : described) {
    std::vector<experiment> same;
    std::ranges::copy_if(*chosen, std::back_inserter(same), [&](const auto& e) { return e->id == one.id; });
    text += (text.empty() ? "" : "\n") + page(program, one, same);
  }
  program.print(text);
  return exit_code::good;
}

}  // namespace

void add_show(command& parent, context& program) {
  auto o = std::make_shared<show_options>();
  parent.add("show", "Show one experiment, or the tables of a stored run")
      .option(
          "ID", o->target, "ID|RUN",
          "An experiment or any target; or a stored run: its id, the end of it, `last`, or a file of a run")
      .required()
      .option("EXPERIMENTS", o->experiments, "ID", "Show only these experiments of the run")
      .flag("--json", o->json, "Print one JSON object (ridge.catalogue/1, or ridge.run/1 for a run)")
      .notes(
          "Of an experiment it shows the question, axes, variants, work and last results; of a run it shows "
          "everything that was measured, in a table for each problem.")
      .runs([&program, o] { return show(program, *o); });
}

}  // namespace ridge::app
