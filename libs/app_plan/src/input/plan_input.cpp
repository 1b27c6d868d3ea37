// SPDX-License-Identifier: Apache-2.0
#include "input/plan_input.hpp"

#include <span>

#include <ridge/app/exit_code.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan_report/derivation_sheet.hpp>

namespace ridge::app_plan {

void add_model_choice(app::command& command, model_choice& choice) {
  command
      .option("--model", choice.name, "NAME",
              "A model in the program (`ridge plan models` lists them), or a GGUF file")
      .option("--config", choice.config, "FILE", "A Hugging Face config.json of any model");
}

result<plan::model_shape> model_of(const model_choice& c) {
  if (c.name.empty() == c.config.empty())
    return error{c.name.empty() ? "no model is given" : "--model and --config are both given",
                 "give --model NAME (`ridge plan models` lists them) or --config config.json"};
  if (c.name.ends_with(".gguf")) return plan::read_model_config(c.name);
  return c.config.empty() ? plan::model_named(c.name) : plan::read_model_config(c.config);
}

result<plan::model_shape> decoder_of(const model_choice& c, std::string_view answer) {
  auto model = model_of(c);
  if (!model) return model;
  if (const auto fine = require_decoder(*model, answer); !fine) return fine.why();
  return model;
}

void add_doubts(report::document& answer, const std::vector<std::string>& doubts) {
  if (doubts.empty()) return;
  answer.facts.emplace_back("warning", join(doubts, "; "));
  for (const auto& doubt : doubts) answer.notes.push_back("warning: " + doubt);
}

void add_hardware_file(app::command& command, gpu_choice& choice) {
  command.option("--hardware", choice.hardware, "FILE",
                 "A catalogue to use instead of the embedded one (ridge.hardware/1)");
}

void add_gpu_choice(app::command& command, gpu_choice& choice) {
  command.option("--gpu", choice.name, "NAME",
                 "A GPU of the catalogue: H100, H200, B200, ...; `ridge plan gpus` lists them");
  add_hardware_file(command, choice);
}

result<hardware::catalogue> catalogue_of(const gpu_choice& c) {
  if (c.hardware.empty()) return hardware::catalogue::embedded();
  return hardware::catalogue::load(c.hardware);
}

result<plan::accelerator> gpu_of(const gpu_choice& c) {
  const auto catalogue = catalogue_of(c);
  if (!catalogue) return catalogue.why();
  return plan::accelerator_named(*catalogue, c.name);
}

void add_plan_output(app::command& command, plan_output& output) {
  add_document_output(command, output);
  command.flag("--explain", output.explain, "Print each figure with formula, inputs, source and band");
}

void save_plot(const app::context& context, const plan_output& output, const report::chart& picture) {
  save_charts(context, output, std::span(&picture, 1));
}

int print_plan(const app::context& context, const plan_output& output, report::document answer,
               const plan::derivation& derivation, bool fits) {
  if (const auto complaint = complaint_about_formats(output); !complaint.empty())
    return context.refuse({complaint, "choose one"}, app::exit_code::usage);
  plan_report::add_derivation(answer, derivation, output.explain);
  if (output.json)
    context.print(json_of(answer));
  else
    context.print(output.csv ? csv_of(answer) : text_of(answer, layout_on(context.out)));
  return fits ? app::exit_code::good : app::exit_code::does_not_fit;
}

}  // namespace ridge::app_plan
