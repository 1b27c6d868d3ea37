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

struct options {
  std::string name{};
  gpu_choice from{};
  price_choice prices{};
  bool all = false;
  plan_output as{};
};

int gpus(const app::context& in, const options& o) {
  const auto catalogue = catalogue_of(o.from);
  if (!catalogue) return in.refuse(catalogue.why(), app::exit_code::unavailable);
  const auto prices = prices_of(o.prices, *catalogue);
  if (!prices) return in.refuse(prices.why(), app::exit_code::unavailable);
  const auto today = today_text();
  const plan_report::gpu_offer_view view{&catalogue.value(), &prices.value(), today};
  if (o.name.empty())
    return print_plan(in, o.as,
                      o.all ? plan_report::all_gpus_page(view) : plan_report::priced_gpus_page(view), {});
  const auto named = plan::gpu_called(*catalogue, o.name);
  if (!named) return in.refuse(named.why(), app::exit_code::usage);
  return print_plan(in, o.as, plan_report::gpu_page(view, *named.value()), {});
}

}  // namespace

void add_plan_gpus(app::command& of, app::context& in) {
  auto& to = of.add("gpus", "GPUs of the catalogue: memory, bandwidth, peaks, links, power, prices");
  auto o = std::make_shared<options>();
  to.option("gpu", o->name, "NAME", "One GPU: every figure with its source");
  to.flag("--all", o->all, "Those without a price too, with sparse peaks and links");
  add_price_choice(to, o->prices);
  add_hardware_file(to, o->from);
  add_plan_output(to, o->as);
  to.notes("Prices are of one GPU an hour. Figures without a source in reach are unknown, never guessed.")
      .runs([&in, o] { return gpus(in, *o); });
}

}  // namespace ridge::app_plan
