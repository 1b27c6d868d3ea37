// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan_report/cost_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_cost_input.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

struct options {
  cost_input_choice cost{};
  bool sensitivity = false;
  std::int64_t draws = 10000;
  std::uint64_t seed = 1;
  plan_output as{};
};

int cost_per_token(const app::context& in, const options& o) {
  if (o.draws < 1) return in.refuse({"--draws is below 1", "give 1 or more"}, app::exit_code::usage);
  auto asked = cost_question_of(o.cost);
  if (!asked) return in.refuse(asked.why(), app::exit_code::usage);
  const auto& q = asked->question;
  const auto answer = plan::cost_per_token(q);
  if (!answer) return in.refuse(answer.why(), app::exit_code::usage);
  const plan_report::cost_view view{.asked = &q,
                                    .answer = &answer.value(),
                                    .sensitivity = plan::sensitivity(q),
                                    .bands = plan::draw_cost_bands(q, o.draws, o.seed),
                                    .show_sensitivity = o.sensitivity,
                                    .notes = asked->notes};
  return print_plan(in, o.as, plan_report::cost_page(view), answer->how);
}

}  // namespace

void add_plan_cost_per_token(app::command& of, app::context& in) {
  auto& to = of.add("cost-per-token", "What a million tokens cost: rent or capital, power, place, people");
  auto o = std::make_shared<options>();
  add_cost_input(to, o->cost);
  to.flag("--sensitivity", o->sensitivity, "What each input's band does to the total, widest first")
      .option("--draws", o->draws, "N", "Draws of all inputs together (10000)")
      .option("--seed", o->seed, "N", "Seed of the draws (1)");
  add_plan_output(to, o->as);
  to.notes(
        "With --avg-power, --throughput and --electricity-cost alone the answer is electricity. --gpu adds "
        "its rent "
        "from the catalogue or --prices; --own what buying costs. With --model and --gpu throughput follows "
        "from "
        "the times of kernels. Shares are numbers from 0 to 1.")
      .runs([&in, o] { return cost_per_token(in, *o); });
}

}  // namespace ridge::app_plan
