// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/choice_simulation.hpp>
#include <ridge/plan_report/cluster_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_cluster_input.hpp"
#include "input/plan_input.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

struct cluster_options {
  cluster_input_choice input{};
  std::int64_t simulate = 0, requests = 20000;
  std::uint64_t seed = 1;
  plan_output output{};
};

const plan::replica_offer& offer_of(const cluster_asked& asked, const plan::cluster_choice& c) {
  for (const auto& o : asked.offers) {
    if (o.gpu == c.gpu && o.gpus == c.gpus_per_replica) return o;
  }
  return asked.offers.front();
}

result<std::vector<plan::simulated_choice>> simulated(const cluster_options& o, const cluster_asked& asked,
                                                      const plan::cluster_answer& answer) {
  std::vector<plan::simulated_choice> all;
  for (const auto& c : answer.choices) {
    if (std::ssize(all) >= o.simulate) break;
    const auto one = plan::simulate_choice(c, offer_of(asked, c), asked.load, asked.slo, asked.policy,
                                           {.requests = o.requests, .seed = o.seed});
    if (!one) return one.why();
    all.push_back(*one);
  }
  return all;
}

// What is searched beside the choices of one kind.
result<void> add_searches(plan_report::cluster_view& view, const cluster_options& o,
                          const cluster_asked& asked) {
  const plan::choice_simulation simulation{.requests = o.requests, .seed = o.seed};
  view.offers = asked.offers;
  if (has_several_kinds(asked)) {
    auto mix = plan::cheapest_mix(asked.load, asked.slo, asked.policy, asked.offers);
    if (mix) {
      const auto run = plan::simulate_mix(*mix, asked.offers, asked.slo, asked.policy, simulation);
      if (!run) return run.why();
      view.mix = std::move(*mix), view.mix_simulated = *run;
    }
  }
  if (!o.input.disaggregate) return {};
  const auto links = [&](std::size_t prefill, std::size_t decode, int decoding) {
    return link_between(asked, o.input.link, prefill, decode, decoding);
  };
  auto apart = plan::size_disaggregated(asked.load, asked.slo, asked.policy, asked.offers, links,
                                        {.gpus = o.input.gpu_budget}, simulation);
  if (!apart) return apart.why();
  view.disaggregated = std::move(*apart);
  return {};
}

int cluster(const app::context& context, const cluster_options& o) {
  if (o.simulate < 0 || o.requests < 1)
    return context.refuse({"--simulate is below 0 or --requests below 1", "give whole numbers from there on"},
                          app::exit_code::usage);
  const auto asked = cluster_question_of(o.input);
  if (!asked) return context.refuse(asked.why(), app::exit_code::usage);
  const auto answer = plan::size_cluster(asked->load, asked->slo, asked->policy, asked->offers);
  if (!answer) return context.refuse(answer.why(), app::exit_code::usage);
  const auto checked = simulated(o, *asked, *answer);
  if (!checked) return context.refuse(checked.why(), app::exit_code::usage);
  plan_report::cluster_view view{.model = asked->model,
                                 .load = &asked->load,
                                 .slo = &asked->slo,
                                 .policy = &asked->policy,
                                 .answer = &answer.value(),
                                 .simulated = *checked};
  if (const auto done = add_searches(view, o, *asked); !done)
    return context.refuse(done.why(), app::exit_code::usage);
  auto page = plan_report::cluster_page(view);
  for (const auto& note : asked->notes) page.notes.push_back(note);
  add_doubts(page, asked->doubts);
  const bool apart = view.disaggregated && !view.disaggregated->empty();
  return print_plan(context, o.output, std::move(page), answer->derivation,
                    !answer->choices.empty() || view.mix || apart);
}

}  // namespace

void add_plan_cluster(app::command& command, app::context& context) {
  auto& verb =
      command.add("cluster", "Size a cluster: how many of which GPU serve a load within limits on latency");
  auto o = std::make_shared<cluster_options>();
  add_cluster_input(verb, o->input);
  verb.option("--simulate", o->simulate, "N", "Simulate the N cheapest choices (0)")
      .option("--requests", o->requests, "N", "Number of requests of each simulation (20000)")
      .option("--seed", o->seed, "N", "Seed of the simulations (1)");
  add_plan_output(verb, o->output);
  verb.notes(std::string("For each GPU and tensor-parallel degree: whether the model fits, the greatest rate "
                         "per replica "
                         "within the objectives, and the replicas that the busiest hour needs with headroom "
                         "and spare ones. "
                         "Cheapest first. ") +
             rule_of_times)
      .runs([&context, o] { return cluster(context, *o); });
}

}  // namespace ridge::app_plan
