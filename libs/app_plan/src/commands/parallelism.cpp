// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/plan_report/layout_table_page.hpp>
#include <ridge/plan_report/parallelism_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_parallelism_input.hpp"

namespace ridge::app_plan {
namespace {

using namespace plan::train;

struct parallelism_options {
  parallelism_input input{};
  plan_output output{};
};

result<parallelism_answer> searched(const app::context& context, const parallelism_question& q) {
  const app::interrupt_guard guard;
  app::progress_line line(context.err);
  return plan_parallelism(q, [&](double share) {
    line.show(fmt::format("searching {} {:.0f} %", app::bar(share), share * 100));
    return !app::interrupted();
  });
}

int table(const app::context& context, const parallelism_options& o) {
  const auto question = table_question_of(o.input);
  if (!question) return context.refuse(question.why(), app::exit_code::usage);
  const auto rules = check_layout_rules(*question);
  if (!rules) return context.refuse(rules.why(), app::exit_code::usage);
  return print_plan(context, o.output, plan_report::layout_table_page(*question, *rules), {});
}

int parallelism(const app::context& context, const parallelism_options& o) {
  if (o.input.check_table) return table(context, o);
  const auto question = question_of(o.input);
  if (!question) return context.refuse(question.why(), app::exit_code::usage);
  const auto answer = searched(context, *question);
  if (!answer) return context.refuse(answer.why(), app::exit_code::usage);
  save_plot(context, o.output, plan_report::parallelism_chart(*question, *answer));
  plan::derivation how;
  if (!answer->plans.empty())
    how = explain(*question, *answer, answer->plans.front());
  else if (answer->nearest)
    how = explain(*question, *answer, *answer->nearest);
  auto page = plan_report::parallelism_page(*question, *answer);
  add_doubts(page, question->model.doubts);
  return print_plan(context, o.output, std::move(page), how, !answer->plans.empty());
}

}  // namespace

void add_plan_parallelism(app::command& command, app::context& context) {
  auto o = std::make_shared<parallelism_options>();
  auto& verb =
      command.add("parallelism", "Search all ways to divide a training job among GPUs: time, memory, cost");
  add_parallelism_input(verb, o->input);
  add_plan_output(verb, o->output);
  add_plot_file(verb, o->output);
  verb.notes(
          "Every combination is evaluated of tensor, pipeline, interleaved, context, data and expert "
          "parallelism, "
          "ZeRO, recomputation, micro-batch and number format. Ctrl-C ends the search and shows what was "
          "finished. "
          "docs/design/plan/parallelism.md")
      .runs([&context, o] { return parallelism(context, *o); });
}

}  // namespace ridge::app_plan
