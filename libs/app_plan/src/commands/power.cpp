// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan_report/power_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"
#include "input/plan_power_rows.hpp"

namespace ridge::app_plan {
namespace {

struct power_options {
  gpu_choice gpu{};
  std::string rows{};
  std::optional<double> memory_share{}, compute_share{}, tokens_per_s{}, flop_per_s{}, limit_w{};
  int gpus = 1;
  plan_output output{};
};

result<analysis::power_model> power_model_of(const power_options& o) {
  const auto gpu = gpu_of(o.gpu);
  if (!gpu) return gpu.why();
  if (o.rows.empty()) {
    if (const auto* known = analysis::power_model_of(gpu->name)) return *known;
    return error{fmt::format("no power of {} was measured", gpu->name),
                 "give your own measurements with --rows FILE.csv, or see `ridge plan power`"};
  }
  const auto rows = read_power_rows(o.rows);
  if (!rows) return rows.why();
  auto fitted = analysis::fit_power(*rows, o.limit_w.value_or(gpu->power_w));
  if (!fitted) return fitted.why();
  fitted->gpu = gpu->name;
  fitted->source = o.rows;
  return fitted;
}

std::string complaint_about(const power_options& o) {
  for (const auto share : {o.memory_share, o.compute_share}) {
    if (share && (*share < 0 || *share > 1))
      return fmt::format("a share of {:g} is not between 0 and 1", *share);
  }
  if (o.gpus < 1) return fmt::format("--gpus {} is not a number of GPUs", o.gpus);
  if (o.tokens_per_s && *o.tokens_per_s <= 0) return "--tokens-per-s is not above zero";
  return {};
}

int power(const app::context& context, const power_options& o) {
  if (o.gpu.name.empty())
    return print_plan(context, o.output, plan_report::power_models_page(analysis::known_power_models()), {});
  if (const auto complaint = complaint_about(o); !complaint.empty())
    return context.refuse({complaint, "see `ridge plan power --help`"}, app::exit_code::usage);
  const auto model = power_model_of(o);
  if (!model) return context.refuse(model.why(), app::exit_code::usage);
  if (!o.memory_share && !o.compute_share)
    return print_plan(context, o.output, plan_report::power_models_page(std::span(&*model, 1)), {});
  const plan_report::power_answer a{.model = *model,
                                    .memory_share = o.memory_share.value_or(0),
                                    .compute_share = o.compute_share.value_or(0),
                                    .gpus = o.gpus,
                                    .tokens_per_s = o.tokens_per_s,
                                    .flop_per_s = o.flop_per_s};
  return print_plan(context, o.output, power_page(a), power_derivation(a));
}

}  // namespace

void add_plan_power(app::command& command, app::context& context) {
  auto o = std::make_shared<power_options>();
  auto& verb = command.add("power", "Power and energy of a load, by models fitted to measurements");
  add_gpu_choice(verb, o->gpu);
  verb.option("--memory-share", o->memory_share, "SHARE",
              "Bytes per second of one GPU over its specified bandwidth, 0 to 1")
      .option("--compute-share", o->compute_share, "SHARE",
              "FLOP per second of one GPU over its dense matrix peak, 0 to 1")
      .option("--gpus", o->gpus, "N", "Number of GPUs under this load (1)")
      .option("--tokens-per-s", o->tokens_per_s, "RATE",
              "Tokens per second of all GPUs together; gives joules per token")
      .option("--flop-per-s", o->flop_per_s, "RATE",
              "FLOP per second of all GPUs together; gives FLOP per joule")
      .option("--rows", o->rows, "FILE", "Your own measurements: memory_share,compute_share,watts[,group]")
      .option("--limit-w", o->limit_w, "W", "Power limit in force (default: the GPU's own)");
  add_plan_output(verb, o->output);
  verb.notes("Without --gpu, lists all power models with their errors.").runs([&context, o] {
    return power(context, *o);
  });
}

}  // namespace ridge::app_plan
