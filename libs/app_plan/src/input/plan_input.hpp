// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>

namespace ridge::app_plan {

// What verbs of `ridge plan` are told of a model: by name, or by its configuration.
struct model_choice {
  std::string name{}, config{};
  [[nodiscard]] bool given() const { return !name.empty() || !config.empty(); }
};

// --model, --config
void add_model_choice(app::command& to, model_choice& of);
// The error names both options where neither or both are given.
[[nodiscard]] result<plan::model_shape> model_of(const model_choice& c);

// A GPU by name, and the file that stands in place of the embedded catalogue.
struct gpu_choice {
  std::string name{}, hardware{};
};

// --gpu, --hardware
void add_gpu_choice(app::command& to, gpu_choice& of);
void add_hardware_file(app::command& to, gpu_choice& of);  // --hardware alone
[[nodiscard]] result<hardware::catalogue> catalogue_of(const gpu_choice& c);
[[nodiscard]] result<plan::accelerator> gpu_of(const gpu_choice& c);

// How answers are shown.
struct plan_output {
  bool json = false, csv = false, explain = false;
  std::string plot{};  // --plot FILE.svg or FILE.png
};

// --json, --csv, --explain
void add_plan_output(app::command& to, plan_output& as);
// --plot, for answers that have a chart.
void add_plan_plot(app::command& to, plan_output& as);
// Writes the chart where --plot names a file; says so on stderr.
void save_plot(const app::context& in, const plan_output& as, const report::chart& picture);

// Prints an answer as asked. The derivation's figures become members of the JSON object, each by its id, and
// its array "figures" with unit, formula, inputs, source and band; text shows them under --explain. Returns
// the exit code.
[[nodiscard]] int print_plan(const app::context& in, const plan_output& as, report::document answer,
                             const plan::derivation& how);

}  // namespace ridge::app_plan
