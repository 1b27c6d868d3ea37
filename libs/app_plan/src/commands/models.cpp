// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan_report/models_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

struct options {
  model_choice model{};
  plan_output as{};
};

int models(const app::context& in, const options& o) {
  if (!o.model.given()) return print_plan(in, o.as, plan_report::models_page(plan::embedded_models()), {});
  const auto m = model_of(o.model);
  if (!m) return in.refuse(m.why(), app::exit_code::usage);
  return print_plan(in, o.as, plan_report::model_page(*m), {});
}

}  // namespace

void add_plan_models(app::command& of, app::context& in) {
  auto o = std::make_shared<options>();
  auto& to = of.add("models", "Models inside the program: parameters, KV cache, layers; or one of them");
  to.option("name", o->model.name, "NAME", "One model: layers by kind, parameters by class")
      .option("--config", o->model.config, "FILE", "A Hugging Face config.json of any model");
  add_plan_output(to, o->as);
  to.runs([&in, o] { return models(in, *o); });
}

}  // namespace ridge::app_plan
