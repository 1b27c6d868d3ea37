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

struct options {
  parallelism_input of{};
  plan_output as{};
};

result<parallelism_answer> searched(const app::context& in, const parallelism_question& q) {
  const app::interrupt_guard guard;
  app::progress_line line(in.err);
  return plan_parallelism(q, [&](double share) {
    line.show(fmt::format("searching {} {:.0f} %", app::bar(share), share * 100));
    return !app::interrupted();
  });
}

int table(const app::context& in, const options& o) {
  const auto question = table_question_of(o.of);
  if (!question) return in.refuse(question.why(), app::exit_code::usage);
  const auto rules = check_layout_rules(*question);
  if (!rules) return in.refuse(rules.why(), app::exit_code::usage);
  return print_plan(in, o.as, plan_report::layout_table_page(*question, *rules), {});
}

int parallelism(const app::context& in, const options& o) {
  if (o.of.check_table) return table(in, o);
  const auto question = question_of(o.of);
  if (!question) return in.refuse(question.why(), app::exit_code::usage);
  const auto answer = searched(in, *question);
  if (!answer) return in.refuse(answer.why(), app::exit_code::usage);
  save_plot(in, o.as, plan_report::parallelism_chart(*question, *answer));
  plan::derivation how;
  if (!answer->plans.empty())
    how = explain(*question, *answer, answer->plans.front());
  else if (answer->nearest)
    how = explain(*question, *answer, *answer->nearest);
  return print_plan(in, o.as, plan_report::parallelism_page(*question, *answer), how);
}

}  // namespace

void add_plan_parallelism(app::command& of, app::context& in) {
  auto o = std::make_shared<options>();
  auto& to = of.add("parallelism", "Search every way to spread a training job over GPUs: time, memory, cost");
  add_parallelism_input(to, o->of);
  add_plan_output(to, o->as);
  add_plan_plot(to, o->as);
  to.notes(
        "Every plan of the space is evaluated: tensor, pipeline, interleaved, context, data and expert "
        "parallelism, "
        "ZeRO, recomputation, micro-batch, type. Ctrl-C keeps what was finished. "
        "docs/design/plan/parallelism.md")
      .runs([&in, o] { return parallelism(in, *o); });
}

}  // namespace ridge::app_plan
