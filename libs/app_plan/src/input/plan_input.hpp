// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>
#include <ridge/app/document_output.hpp>
#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>

namespace ridge::app_plan {

// A model, chosen by name or by its configuration file.
struct model_choice {
  std::string name{}, config{};
  // Whether either option is given.
  [[nodiscard]] bool given() const { return !name.empty() || !config.empty(); }
};

// Adds --model and --config.
void add_model_choice(app::command& command, model_choice& choice);
// The chosen model. The error names both options when neither or both are given.
[[nodiscard]] result<plan::model_shape> model_of(const model_choice& c);
// The same for an answer that is about decoders alone: a model with an encoder is refused, with the reason.
// `answer` names it: "a serving simulation".
[[nodiscard]] result<plan::model_shape> decoder_of(const model_choice& c, std::string_view answer);

// A GPU by name, and a file to use instead of the embedded catalogue.
struct gpu_choice {
  std::string name{}, hardware{};
};

// Adds --gpu and --hardware.
void add_gpu_choice(app::command& command, gpu_choice& choice);
// Adds --hardware alone.
void add_hardware_file(app::command& command, gpu_choice& choice);
// The catalogue to use, and the GPU of that name in it.
[[nodiscard]] result<hardware::catalogue> catalogue_of(const gpu_choice& c);
[[nodiscard]] result<plan::accelerator> gpu_of(const gpu_choice& c);

// Adds to an answer what was assumed of its model: a note each, and all of them as its member `warning`.
void add_doubts(report::document& answer, const std::vector<std::string>& doubts);

// How answers are printed.
struct plan_output : app::document_output {
  bool explain = false;
};

// Adds --json, --csv and --explain.
void add_plan_output(app::command& command, plan_output& output);
// Writes the chart to the file that --plot names, and says so on stderr; does nothing without --plot.
void save_plot(const app::context& context, const plan_output& output, const report::chart& picture);

// Prints an answer in the chosen format. The figures of the derivation become members of the JSON object,
// each by its id, and its array "figures" with unit, formula, inputs, source and band; text shows them under
// --explain. Returns the exit code, which says whether what was asked for `fits`.
[[nodiscard]] int print_plan(const app::context& context, const plan_output& output, report::document answer,
                             const plan::derivation& derivation, bool fits = true);

}  // namespace ridge::app_plan
