// SPDX-License-Identifier: Apache-2.0
#include "input/plan_input.hpp"

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/svg_to_png.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan_report/derivation_sheet.hpp>

namespace ridge::app_plan {

void add_model_choice(app::command& to, model_choice& of) {
  to.option("--model", of.name, "NAME", "A model inside the program; `ridge plan models` lists them")
      .option("--config", of.config, "FILE", "A Hugging Face config.json of any model");
}

result<plan::model_shape> model_of(const model_choice& c) {
  if (c.name.empty() == c.config.empty())
    return error{c.name.empty() ? "no model is given" : "--model and --config are both given",
                 "give --model NAME (`ridge plan models` lists them) or --config config.json"};
  return c.config.empty() ? plan::model_named(c.name) : plan::read_model_config(c.config);
}

void add_hardware_file(app::command& to, gpu_choice& of) {
  to.option("--hardware", of.hardware, "FILE", "A catalogue in place of the embedded one (ridge.hardware/1)");
}

void add_gpu_choice(app::command& to, gpu_choice& of) {
  to.option("--gpu", of.name, "NAME",
            "A GPU of the catalogue: H100, H200, B200, ...; `ridge plan gpus` lists them");
  add_hardware_file(to, of);
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

void add_plan_output(app::command& to, plan_output& as) {
  to.flag("--json", as.json, "One JSON object; names of members are stable")
      .flag("--csv", as.csv, "Tables as CSV")
      .flag("--explain", as.explain, "Each figure with formula, inputs, source and band");
}

void add_plan_plot(app::command& to, plan_output& as) {
  to.option("--plot", as.plot, "FILE", "Draw the answer as .svg or .png")
      .checked([](const std::string& path) {
        return path.ends_with(".svg") || path.ends_with(".png") ? "" : path + " is no .svg or .png file";
      });
}

void save_plot(const app::context& in, const plan_output& as, const report::chart& picture) {
  if (as.plot.empty()) return;
  const auto svg = chart_svg(picture);
  if (svg.empty()) return in.tell("nothing to draw: " + as.plot + " is not written\n");
  if (as.plot.ends_with(".svg"))
    app::save_text(as.plot, svg);
  else
    app::save_png(svg, as.plot);
  in.tell("wrote " + as.plot + '\n');
}

int print_plan(const app::context& in, const plan_output& as, report::document answer,
               const plan::derivation& how) {
  if (as.json && as.csv)
    return in.refuse({"--json and --csv are both given", "choose one"}, app::exit_code::usage);
  plan_report::add_derivation(answer, how, as.explain);
  if (as.json)
    in.print(json_of(answer));
  else
    in.print(as.csv ? csv_of(answer) : text_of(answer, layout_on(in.out)));
  return app::exit_code::good;
}

}  // namespace ridge::app_plan
