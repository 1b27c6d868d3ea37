// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan_report/models_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {
namespace {

struct models_options {
  model_choice model{};
  plan_output output{};
};

int models(const app::context& context, const models_options& o) {
  if (!o.model.given())
    return print_plan(context, o.output, plan_report::models_page(plan::embedded_models()), {});
  const auto m = model_of(o.model);
  if (!m) return context.refuse(m.why(), app::exit_code::usage);
  return print_plan(context, o.output, plan_report::model_page(*m), {});
}

}  // namespace

void add_plan_models(app::command& command, app::context& context) {
  auto o = std::make_shared<models_options>();
  auto& verb =
      command.add("models", "List the models that Ridge knows, or show one: parameters, KV cache, layers");
  verb.option("name", o->model.name, "NAME",
              "Show one model, or a GGUF file: layers by kind, parameters by class")
      .option("--config", o->model.config, "FILE", "A Hugging Face config.json of any model");
  add_plan_output(verb, o->output);
  verb.runs([&context, o] { return models(context, *o); });
}

}  // namespace ridge::app_plan
