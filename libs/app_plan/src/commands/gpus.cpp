// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/gpu_name.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/plan_report/gpus_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"
#include "input/plan_prices.hpp"

namespace ridge::app_plan {
namespace {

struct gpus_options {
  std::string name{};
  gpu_choice hardware{};
  price_choice prices{};
  bool all = false;
  plan_output output{};
};

int gpus(const app::context& context, const gpus_options& o) {
  const auto catalogue = catalogue_of(o.hardware);
  if (!catalogue) return context.refuse(catalogue.why(), app::exit_code::usage);
  const auto prices = prices_of(o.prices, *catalogue);
  if (!prices) return context.refuse(prices.why(), app::exit_code::usage);
  const auto today = today_text();
  const plan_report::gpu_offer_view view{&catalogue.value(), &prices.value(), today};
  if (o.name.empty())
    return print_plan(context, o.output,
                      o.all ? plan_report::all_gpus_page(view) : plan_report::priced_gpus_page(view), {});
  const auto named = plan::gpu_called(*catalogue, o.name);
  if (!named) return context.refuse(named.why(), app::exit_code::usage);
  return print_plan(context, o.output, plan_report::gpu_page(view, *named.value()), {});
}

}  // namespace

void add_plan_gpus(app::command& command, app::context& context) {
  auto& verb = command.add(
      "gpus", "List the GPUs that Ridge knows, or show one: memory, bandwidth, peaks, links, power, prices");
  auto o = std::make_shared<gpus_options>();
  verb.option("gpu", o->name, "NAME", "Show one GPU: every figure with its source");
  verb.flag("--all", o->all, "Also GPUs without a price, with sparse peaks and links");
  add_price_choice(verb, o->prices);
  add_hardware_file(verb, o->hardware);
  add_plan_output(verb, o->output);
  verb.notes("Prices are per GPU and hour. Figures without a known source are left empty.")
      .runs([&context, o] { return gpus(context, *o); });
}

}  // namespace ridge::app_plan
