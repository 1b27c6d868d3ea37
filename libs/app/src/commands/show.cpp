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
#include <ridge/report/table.hpp>

#include "catalogue/catalogue.hpp"
#include "commands/commands.hpp"
#include "stored/stored_series.hpp"

namespace ridge::app {
namespace {

std::string axes_of(const model::experiment_description& one, const terminal& on) {
  report::table table({{""}, {""}});
  for (const auto& axis : one.axes) {
    std::vector<std::string> values;
    for (const auto& value : axis.values) values.push_back(model::text(value));
    table.row({{axis.name}, {join(values, ", ")}});
  }
  return table.empty() ? "  none: one problem\n" : table.text(layout_on(on, 2));
}

std::string variants_of(const model::experiment_description& one, const terminal& on) {
  report::table table({{""}, {""}, {""}, {""}});
  for (const auto& v : one.variants) {
    auto idea = v.idea;
    if (v.pedagogy) idea += " (pedagogy: nobody would ship it)";
    if (!v.unavailable.empty()) idea += fmt::format(" [skipped here: {}]", v.unavailable);
    table.row({{v.name, report::tone::strong},
               {std::string(model::name(v.role))},
               {std::string(model::name(v.backend))},
               {idea}});
  }
  return table.text(layout_on(on, 2));
}

std::string work_of(const std::vector<experiment>& same, const terminal& on) {
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
  auto text = table.text(layout_on(on, 2));
  if (all > shown) text += fmt::format("  and {} more problems\n", all - shown);
  return text;
}

std::string metrics_of(const model::experiment_description& one) {
  std::vector<std::string> words;
  for (const auto& m : one.metrics)
    words.push_back(fmt::format("{} ({}, {} is better)", m.name, m.unit, model::name(m.better)));
  return join(words, "; ") + (one.phases.empty() ? "" : "; phases: " + join(one.phases, ", "));
}

std::string heading(const terminal& on, std::string_view title) {
  return '\n' + paint(on, report::tone::strong, title) + '\n';
}

std::string last_results(const context& in, const std::string& id) {
  const auto store = open_store_for_reading(in);
  if (!store) return fmt::format("  {}\n", store.why().text());
  const auto stored = (*store)->history({.experiment = id, .limit = 200});
  if (stored.empty()) return fmt::format("  none yet: `ridge run {}`\n", id);
  std::vector<model::stored_comparison> last;
  std::ranges::copy_if(stored, std::back_inserter(last),
                       [&](const auto& one) { return one.run == stored.front().run; });
  return stored_text(last, in.out, 2);
}

std::string page(const context& in, const model::experiment_description& one,
                 const std::vector<experiment>& same) {
  const auto& on = in.out;
  auto text = fmt::format("{}  {}\n{}\n", paint(on, report::tone::strong, one.id), one.title,
                          wrap(one.question, on.columns));
  text += fmt::format("\n{} {}", paint(on, report::tone::dim, "goal"), model::name(one.goal));
  if (!one.tags.empty())
    text += fmt::format("   {} {}", paint(on, report::tone::dim, "tags"), join(one.tags, ", "));
  text += '\n';
  if (!one.answers.empty())
    text += wrap(paint(on, report::tone::dim, "answers") + ' ' + join(one.answers, ", "), on.columns) + '\n';
  text += wrap(paint(on, report::tone::dim, "metrics") + ' ' + metrics_of(one), on.columns) + '\n';
  text += heading(on, "Axes") + axes_of(one, on);
  text += heading(on, "Variants") + variants_of(one, on);
  if (!one.missing_backends.empty()) text += "  " + paint(on, report::tone::dim, one.missing_backends) + '\n';
  text += heading(on, "Work, by definition") + work_of(same, on);
  text += heading(on, "Last results") + last_results(in, one.id);
  return text;
}

int show(const context& in, const std::string& id, bool json) {
  const auto chosen = select(in.experiments, {id});
  if (!chosen) return in.refuse(chosen.why(), exit_code::usage);
  auto described = describe(*chosen);
  mark_unavailable(described, *chosen);
  if (json) {
    in.print(model::catalogue_json(described));
    return exit_code::good;
  }
  std::string text;
  for (const auto& one : described) {
    std::vector<experiment> same;
    std::ranges::copy_if(*chosen, std::back_inserter(same), [&](const auto& e) { return e->id == one.id; });
    text += (text.empty() ? "" : "\n") + page(in, one, same);
  }
  in.print(text);
  return exit_code::good;
}

}  // namespace

void add_show(command& to, context& in) {
  auto id = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  to.add("show", "Show one experiment: question, axes, variants, work, last results")
      .option("ID", *id, "ID", "The experiment, or any target")
      .required()
      .flag("--json", *json, "Print one JSON object (ridge.catalogue/1)")
      .runs([&in, id, json] { return show(in, *id, *json); });
}

}  // namespace ridge::app
