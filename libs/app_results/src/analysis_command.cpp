// SPDX-License-Identifier: Apache-2.0
#include "analysis_command.hpp"

#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/stored_pattern.hpp>
#include <ridge/app/targets.hpp>

namespace ridge::app_results {
namespace {

using app::exit_code::usage;

std::string summary_of(std::string_view command) {
  for (const auto& group : app::known_groups()) {
    for (const auto& known : group.commands)
      if (known.name == command) return std::string(known.summary);
  }
  return {};
}

std::string questions_of(const analysis_list& all) {
  std::string text;
  for (const auto* one : all) {
    if (!text.empty()) text += ' ';
    text += one->question;
  }
  return text;
}

// Puts the experiment that the argument names where the analyses read it. The error says that nothing has
// such a name, neither here nor in the store.
result<void> resolve_target(const app::context& program, store::store& store, analysis_options& o) {
  if (o.target.empty()) return {};
  const auto known = ids_named(program.experiments, o.target);
  const auto pattern = app::stored_pattern(o.target, known);
  if (known.empty() && o.target != "*" && store.workloads({.experiment = pattern, .limit = 1}).empty()) {
    if (const auto named = app::select(program.experiments, {app::normal_target(o.target)}); !named)
      return named.why();
  }
  o.texts["experiment"] = pattern;
  return {};
}

result<std::vector<results::answer>> answers_of(store::store& store, const analysis_options& o,
                                                const analysis_list& asked) {
  std::vector<results::answer> answers;
  for (const auto* one : asked) {
    auto found = results::answer_of(one->name, store, values_for(o, *one));
    if (!found) return found.why();
    answers.push_back(std::move(*found));
  }
  return answers;
}

// Members of JSON do not depend on how many analyses were chosen, only on the command.
std::string json_text(const std::vector<results::answer>& answers, bool several) {
  if (!several) return report::json_of(answers.front().document);
  std::vector<report::document> documents;
  for (const auto& one : answers) documents.push_back(one.document);
  return report::json_of("ridge.analyses/1", "analyses", documents);
}

std::string text_of_answer(const app::context& program, const results::answer& one, bool with_charts) {
  auto text = report::text_of(one.document, layout_on(program.out));
  if (!with_charts) return text;
  for (const auto& c : one.charts)
    text += '\n' + report::chart_braille(c, {.columns = program.out.columns, .color = program.out.colored});
  return text;
}

void print_answers(const app::context& program, const analysis_options& o,
                   const std::vector<results::answer>& answers, bool several) {
  if (o.output.json) return program.print(json_text(answers, several));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (i > 0) program.print("\n");
    program.print(o.output.csv ? report::csv_of(answers[i].document)
                               : text_of_answer(program, answers[i], o.chart));
  }
}

int run_analyses(const app::context& program, analysis_options o, const analysis_list& all) {
  if (const auto complaint = complaint_about_formats(o.output); !complaint.empty())
    return program.refuse({complaint, "choose one"}, usage);
  take_name_of_analysis(o, all);
  const auto asked = chosen_of(o, all);
  if (!asked) return program.refuse(asked.why(), usage);
  if (const auto complaint = complaint_about(o, *asked); !complaint.empty())
    return program.refuse({complaint, "see --help"}, usage);
  const auto opened = open_store_for_reading(program);
  if (!opened) return program.refuse(opened.why(), app::exit_code::unavailable);
  if (const auto resolved = resolve_target(program, **opened, o); !resolved)
    return program.refuse(resolved.why(), usage);
  const auto answers = answers_of(**opened, o, *asked);
  if (!answers) return program.refuse(answers.why(), usage);
  print_answers(program, o, *answers, has_choice(all));
  std::vector<report::chart> charts;
  for (const auto& one : *answers) charts.insert(charts.end(), one.charts.begin(), one.charts.end());
  save_charts(program, o.output, charts);
  return app::exit_code::good;
}

}  // namespace

app::command analysis_command(const std::string& name, const analysis_list& all, app::context& program) {
  app::command made(name, summary_of(name));
  auto options = std::make_shared<analysis_options>();
  add_options(made, *options, all);
  made.notes(questions_of(all) + " The newest stored result of each workload is looked at.")
      .runs([&program, options, all] { return run_analyses(program, *options, all); });
  return made;
}

}  // namespace ridge::app_results
