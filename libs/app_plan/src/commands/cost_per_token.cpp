// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan_report/cost_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_cost_input.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

struct cost_per_token_options {
  cost_input_choice cost{};
  bool sensitivity = false;
  std::int64_t draws = 10000;
  std::uint64_t seed = 1;
  plan_output output{};
};

int cost_per_token(const app::context& context, const cost_per_token_options& o) {
  if (o.draws < 1) return context.refuse({"--draws is below 1", "give 1 or more"}, app::exit_code::usage);
  auto asked = cost_question_of(o.cost);
  if (!asked)
    return context.refuse(asked.why(),
                          lacks_memory(o.cost) ? app::exit_code::does_not_fit : app::exit_code::usage);
  const auto& q = asked->question;
  const auto answer = plan::cost_per_token(q);
  if (!answer) return context.refuse(answer.why(), app::exit_code::usage);
  const plan_report::cost_view view{.asked = &q,
                                    .answer = &answer.value(),
                                    .sensitivity = plan::sensitivity(q),
                                    .bands = plan::draw_cost_bands(q, o.draws, o.seed),
                                    .show_sensitivity = o.sensitivity,
                                    .notes = asked->notes};
  auto page = plan_report::cost_page(view);
  if (asked->kv_tokens > 0) page.facts.emplace_back("kv_tokens", asked->kv_tokens);
  add_doubts(page, asked->doubts);
  return print_plan(context, o.output, std::move(page), answer->derivation);
}

}  // namespace

void add_plan_cost_per_token(app::command& command, app::context& context) {
  auto& verb =
      command.add("cost-per-token", "Cost of a million tokens: rent or capital, power, colocation, staff");
  auto o = std::make_shared<cost_per_token_options>();
  add_cost_input(verb, o->cost);
  verb.flag("--sensitivity", o->sensitivity,
            "Show how much the uncertainty of each input changes the total, largest first")
      .option("--draws", o->draws, "N", "Number of random draws of all inputs (10000)")
      .option("--seed", o->seed, "N", "Seed of the draws (1)");
  add_plan_output(verb, o->output);
  verb.notes(
          "With --avg-power, --throughput and --electricity-cost alone the result is the cost of "
          "electricity. --gpu adds "
          "its rent from the catalogue or --prices, and --own the cost of buying. With --model and --gpu, "
          "throughput "
          "follows from the times of kernels. Shares are numbers from 0 to 1.")
      .runs([&context, o] { return cost_per_token(context, *o); });
}

}  // namespace ridge::app_plan
